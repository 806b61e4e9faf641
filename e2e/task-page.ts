import type { Download, Locator, Page } from '@playwright/test'
import { Machine } from './machine-page.ts'

/** The view of one task: live desktop, steps, and the ways to step in. */
export class TaskPage {
  readonly page: Page
  readonly machine: Machine

  constructor(page: Page) {
    this.page = page
    this.machine = new Machine(page)
  }

  get steps(): Locator {
    return this.page.getByRole('region', { name: 'Steps' }).locator('[data-position]')
  }

  step(number: number): Locator {
    return this.steps.filter({ hasText: `Step ${number}` }).first()
  }

  state(name: string): Locator {
    return this.page.locator('header').getByText(name, { exact: true })
  }

  async takeOver(): Promise<void> {
    await this.page.getByRole('button', { name: 'Take over' }).click()
    await this.state('You are driving').waitFor()
  }

  async handBack(): Promise<void> {
    await this.page.getByRole('button', { name: 'Hand back' }).click()
    await this.state('You are driving').waitFor({ state: 'hidden' })
  }

  async checkpoint(): Promise<void> {
    await this.page.getByRole('button', { name: /^Checkpoint/ }).click()
    await this.page.getByText('Kept. The machine stood still').waitFor()
  }

  async openTimeTravel(): Promise<void> {
    await this.page.getByRole('link', { name: 'Time travel' }).click()
    await this.page.waitForURL(/\/time\?/)
  }

  async exportAs(format: RegExp): Promise<Download> {
    const download = this.page.waitForEvent('download')
    await this.page.getByText('Export', { exact: true }).click()
    await this.page.getByRole('button', { name: format }).click()
    return download
  }
}
