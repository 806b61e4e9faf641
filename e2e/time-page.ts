import type { Locator, Page } from '@playwright/test'

/** The tree of all that was kept. */
export class TimePage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get moments(): Locator {
    return this.page.getByRole('region', { name: 'Time travel' }).locator('[data-moment]')
  }

  get chosen(): Locator {
    return this.page.getByRole('complementary', { name: 'The chosen moment' })
  }

  async choose(moment: Locator): Promise<void> {
    await moment.click()
    await this.chosen.getByRole('button', { name: 'Continue from here' }).waitFor()
  }

  async name(label: string): Promise<void> {
    await this.chosen.getByLabel('Name').fill(label)
    await this.chosen.getByRole('button', { name: 'Save' }).click()
    await this.chosen.getByRole('heading', { name: label }).waitFor()
  }

  /** Wakes a copy of the chosen moment; resolves with the new machine's id. */
  async continueByHand(): Promise<string> {
    await this.chosen.getByRole('button', { name: 'Continue from here' }).click()
    await this.page.waitForURL(/\/machines\/vm_/)
    return /vm_[a-z0-9]+/.exec(this.page.url())?.[0] ?? ''
  }
}
