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

  /** From the welcome, or from the start page of somebody who has been here before. */
  async playDemo(): Promise<void> {
    await this.page.getByRole('button', { name: 'Play the demo' }).click()
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

  async openMachine(id: string): Promise<void> {
    await this.page.goto(new URL(`/machines/${id}`, this.page.url()).href)
  }

  /** How many different pictures of a part of the guest's screen the page shows in a second. */
  async framesPerSecond(part: { x: number; y: number; width: number; height: number }, ms: number): Promise<number> {
    const seen = await this.liveDesktop.evaluate(
      async (element, { x, y, width, height, ms }) => {
        const context = element instanceof HTMLCanvasElement ? element.getContext('2d') : null
        if (!context) throw new Error('there is no live picture')
        let frames = 0
        let last = ''
        const until = performance.now() + ms
        while (performance.now() < until) {
          await new Promise(requestAnimationFrame)
          const shown = context.getImageData(x, y, width, height).data.join()
          if (shown !== last) frames += 1
          last = shown
        }
        return frames
      },
      { ...part, ms },
    )
    return (seen / ms) * 1000
  }
}
