import { z } from 'zod'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { decompressMozLz4 } from './mozlz4.ts'
import { ask } from './run.ts'
import { type GuestWindow, listWindows } from './windows.ts'

export type BrowserPage = { title: string; url: string | null; window: string }

const browsers = /firefox|chromium|chrome/i
const suffix = /\s+[—–-]\s+(Mozilla Firefox|Firefox ESR|Chromium|Google Chrome)( Private Browsing)?$/

/** The page of the browser window in use: the active one, else the last opened. Null when there is none. */
export async function browserPage(sandbox: Sandbox, withUrl: boolean): Promise<BrowserPage | null> {
  const windows = (await listWindows(sandbox)).filter((window) => browsers.test(window.class))
  const window = windows.find(({ active }) => active) ?? windows.at(-1)
  if (!window) return null
  return {
    title: pageTitle(window),
    url: withUrl ? await pageUrl(sandbox, pageTitle(window)) : null,
    window: window.title,
  }
}

export function pageTitle(window: Pick<GuestWindow, 'title'>): string {
  return window.title.replace(suffix, '').replace(/^Mozilla Firefox$/, '')
}

const Entry = z.object({ url: z.string(), title: z.string().optional() })
const Session = z.object({
  selectedWindow: z.number().optional(),
  windows: z.array(
    z.object({
      selected: z.number().optional(),
      tabs: z.array(z.object({ index: z.number().optional(), entries: z.array(Entry) })),
    }),
  ),
})

/**
 * Firefox writes what its tabs show into its session file, a moment after it changed. That needs no debugging port, which
 * pages could notice, and no add-on. Among the windows the one whose selected tab has this title is taken.
 */
async function pageUrl(sandbox: Sandbox, title: string): Promise<string | null> {
  const { stdout } = await ask(sandbox, [
    'find',
    '-L',
    './.mozilla/firefox',
    './.config/mozilla/firefox',
    '-maxdepth',
    '3',
    '-path',
    '*/sessionstore-backups/recovery.jsonlz4',
    '-printf',
    '%T@ %p\n',
  ])
  const newest = stdout
    .trim()
    .split('\n')
    .sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))[0]
  const path = newest?.slice(newest.indexOf(' ') + 1)
  if (!path) return null
  const file = await sandbox.readFile(path, 16 * 1024 * 1024)
  return selectedUrl(Session.parse(JSON.parse(decompressMozLz4(file).toString('utf8'))), title)
}

export function selectedUrl(session: z.infer<typeof Session>, title: string): string | null {
  const pages = session.windows.map((window) => {
    const tab = window.tabs[(window.selected ?? 1) - 1]
    return tab?.entries[(tab.index ?? tab.entries.length) - 1]
  })
  const titled = pages.find((page) => page && (page.title ?? '') === title)
  return (titled ?? pages[(session.selectedWindow ?? 1) - 1])?.url ?? null
}
