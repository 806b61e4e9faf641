import path from 'node:path'

/** Who may import whom. An area may always import itself; npm packages are free unless a rule below says otherwise. */

const base = ['main/contract', 'main/paths.ts', 'main/log.ts']

/** From the most particular place to the most general: the first that fits a file is its area. */
export const areas: { place: string; may: string[] }[] = [
  { place: 'app/dev', may: ['app', 'main/contract'] }, // tools for working on the page: they run in Node
  { place: 'app', may: ['main/contract'] },
  { place: 'main/contract', may: [] },
  { place: 'main/paths.ts', may: [] },
  { place: 'main/log.ts', may: base },
  { place: 'main/engine.ts', may: ['main/contract'] },
  { place: 'vm', may: ['main/contract', 'main/paths.ts'] },
  { place: 'main/sandbox', may: [...base, 'vm'] },
  { place: 'main/trace', may: base },
  { place: 'main/screen', may: [...base, 'main/sandbox'] },
  { place: 'main/agent', may: [...base, 'main/sandbox', 'main/screen', 'main/trace'] },
  {
    place: 'main/orchestrator',
    may: [...base, 'main/engine.ts', 'main/sandbox', 'main/screen', 'main/trace', 'main/agent', 'vm'],
  },
  { place: 'main/api', may: [...base, 'main/engine.ts'] },
  { place: 'main/shell', may: [...base, 'main/engine.ts', 'main/api', 'main/orchestrator', 'main/trace'] },
  { place: 'bench', may: ['main', 'vm', 'build/chromium.ts'] },
  { place: 'build', may: ['main', 'vm'] },
  { place: 'e2e', may: ['main', 'vm', 'build'] },
]

/** The one folder that knows Electron. */
export const ELECTRON_SHELL = 'main/shell/electron'

/** These run in a browser as well. */
export const browserAreas = ['app', 'main/contract']

const areaOf = (file: string) => areas.find(({ place }) => within(file, place))

const within = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

/** Why `file` may not import `target` (a path in the project, or a package's name), or null when it may. */
export function objection(file: string, target: { file: string } | { package: string }): string | null {
  const area = areaOf(file)
  if (!area) return `${path.posix.dirname(file)} has no place in build/import-rules.ts yet`
  if ('package' in target) {
    if (/^electron(\/|$)/.test(target.package) && !within(file, ELECTRON_SHELL))
      return `only ${ELECTRON_SHELL} knows Electron`
    const isTest = /\.test\.tsx?$/.test(file)
    if (target.package.startsWith('node:') && browserAreas.includes(area.place) && !isTest)
      return `${area.place} runs in a browser`
    return null
  }
  if (!areaOf(target.file) && !within(target.file, 'main')) return null // package.json and the like
  if (within(target.file, area.place) || area.may.some((place) => within(target.file, place))) return null
  return `${area.place} may import ${area.may.length > 0 ? area.may.join(', ') : 'nothing'} besides itself`
}
