import type { Download, Locator, Page } from '@playwright/test'

/** A machine wherever it is shown: its screen, and what lies beside it. */
export class Machine {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get screen(): Locator {
    return this.page.locator('canvas').first()
  }

  /** As a person at the keyboard, into whatever has the focus in the guest. */
  async type(text: string): Promise<void> {
    await this.screen.focus()
    await this.page.keyboard.type(text, { delay: 25 })
  }

  async press(chord: string): Promise<void> {
    await this.screen.focus()
    await this.page.keyboard.press(chord, { delay: 40 })
  }

  async inTerminal(command: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Terminal', exact: true }).click()
    await this.page.getByText('Opening a shell…').waitFor({ state: 'hidden' })
    await this.page.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.type(`${command}\n`)
  }

  async saveFile(name: string): Promise<Download> {
    await this.page.getByRole('button', { name: 'Files', exact: true }).click()
    const download = this.page.waitForEvent('download')
    await this.page.getByRole('link', { name: `Save ${name}`, exact: true }).click()
    return download
  }
}
