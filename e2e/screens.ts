import type { Page } from '@playwright/test'

/** Every screen of the app, on the sample data of the make-believe engine. */
export type Shown = {
  name: string
  path: string
  /** What is there once it is drawn: a heading, or the dialog that is open. */
  heading: string | RegExp | null
  /** What else a person does to see it. */
  open?: (page: Page) => Promise<void>
}

const settings = ['models', 'machine', 'network', 'storage', 'approvals', 'secrets', 'budget', 'appearance', 'updates']

export const screens: Shown[] = [
  { name: 'welcome', path: '/welcome', heading: 'Welcome to GodHand' },
  { name: 'home', path: '/', heading: 'What should be done?' },
  { name: 'task', path: '/tasks/poem', heading: /Show what you can do/ },
  { name: 'step', path: '/tasks/poem?step=3', heading: null },
  { name: 'task-failed', path: '/tasks/invoices', heading: /invoices/ },
  {
    name: 'time',
    path: '/time',
    heading: 'Time travel',
    open: (page) => page.locator('.react-flow__controls-fitview').click(),
  },
  { name: 'moment', path: '/time?at=poem-1', heading: 'Time travel' },
  { name: 'library', path: '/library', heading: 'Library' },
  {
    name: 'library-tags',
    path: '/library',
    heading: 'Library',
    open: (page) => page.getByRole('button', { name: /Tags of “Show what/ }).click(),
  },
  {
    name: 'library-delete',
    path: '/library',
    heading: 'Library',
    open: async (page) => {
      await page.getByRole('button', { name: /Delete “Show what/ }).click()
      await page.getByText('This frees').waitFor()
    },
  },
  {
    name: 'compare',
    path: '/compare?a=poem&b=again',
    heading: 'Compare',
    open: (page) => page.getByText('Differs').first().waitFor(),
  },
  { name: 'compare-row', path: '/compare?a=poem&b=again&row=5', heading: null },
  { name: 'compare-choose', path: '/compare?a=poem', heading: 'Compare with…' },
  { name: 'replayed', path: '/tasks/again', heading: /once more/ },
  {
    name: 'replay',
    path: '/tasks/poem',
    heading: /Show what you can do/,
    open: async (page) => {
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByLabel(/^Value 2/).fill('sea.txt')
    },
  },
  { name: 'redact', path: '/tasks/poem', heading: /Show what you can do/, open: hideThings },
  { name: 'machines', path: '/machines', heading: 'Machines' },
  { name: 'machine', path: '/machines/heron', heading: 'quiet-heron', open: (page) => liveScreen(page) },
  { name: 'benchmarks', path: '/benchmarks', heading: 'Benchmarks' },
  ...settings.map((section) => ({ name: `settings-${section}`, path: `/settings/${section}`, heading: 'Settings' })),
  { name: 'diagnostics', path: '/diagnostics', heading: /./ },
  { name: 'not-found', path: '/nowhere', heading: 'There is nothing here' },
  {
    name: 'palette',
    path: '/library',
    heading: 'Library',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/library',
    heading: 'Library',
    open: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
]

/** The live screen has drawn something. */
async function liveScreen(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas')
    if (!canvas?.width || !canvas.height) return false
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return pixels?.some((value, index) => index % 4 < 3 && value > 60)
  })
}

export async function openScreen(page: Page, url: string, { path, heading, open }: Shown): Promise<void> {
  await page.goto(url + path)
  const sign = heading === null ? page.getByRole('dialog') : page.getByRole('heading', { name: heading }).first()
  await sign.waitFor({ timeout: 30_000 })
  await open?.(page)
  await page.waitForFunction(isStill, undefined, { timeout: 30_000 })
  await page.evaluate(painted)
}

/** A picture that has come is not yet one that is seen. */
async function painted(): Promise<void> {
  const come = [...document.images].filter(({ complete }) => complete)
  await Promise.all(come.map((image) => image.decode().catch(() => {})))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

/** Pictures are there, and what moves in has arrived; what moves without end may go on. */
function isStill(): boolean {
  const moving = document
    .getAnimations()
    .some(
      ({ playState, effect }) =>
        playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
    )
  const inSight = [...document.images].filter((image) => {
    const { top, bottom, left, right } = image.getBoundingClientRect()
    return bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth
  })
  return !moving && inSight.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
}

/** A name in every text and a place on the screen, as somebody hides them before a trace is published. */
export async function hideThings(page: Page): Promise<void> {
  await page.getByText('Export', { exact: true }).click()
  await page.getByRole('button', { name: 'Hide things first…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add words' }).click()
  await dialog.getByLabel('Words 1', { exact: true }).fill('poem')
  const board = await dialog.locator('[data-board]').boundingBox()
  if (!board) throw new Error('there is no picture to draw on')
  const at = (x: number, y: number) => [board.x + board.width * x, board.y + board.height * y] as const
  await page.mouse.move(...at(0.11, 0.16))
  await page.mouse.down()
  await page.mouse.move(...at(0.4, 0.3), { steps: 3 })
  await page.mouse.up()
  await dialog.getByRole('img', { name: 'as it will be exported' }).waitFor()
}
