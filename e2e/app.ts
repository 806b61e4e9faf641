import type { Locator, Page } from '@playwright/test'

/** The app's screens, by what a person sees on them. */
export class App {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Until a fresh desktop can be had, however long this host takes to prepare one. */
  async waitUntilReady(): Promise<void> {
    await this.page.getByText('A fresh desktop is ready').waitFor({ timeout: 240_000 })
  }

  async playDemo(): Promise<void> {
    await this.page.getByRole('region', { name: 'Play the demo' }).getByRole('button', { name: 'Play' }).click()
    await this.page.waitForURL(/\/tasks\/task_/)
  }

  get taskId(): string {
    const id = /task_[a-z0-9]+/.exec(this.page.url())?.[0]
    if (!id) throw new Error(`no task is open at ${this.page.url()}`)
    return id
  }

  get liveDesktop(): Locator {
    return this.page.locator('canvas')
  }

  get stepRows(): Locator {
    return this.page.getByRole('region', { name: 'Steps' }).locator('[data-position]')
  }

  state(name: string): Locator {
    return this.page.locator('header').getByText(name, { exact: true })
  }
}
