import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findViolations, importsOf, violationsIn } from './check-imports.ts'
import { root } from './root.ts'

const specifiersOf = (text: string) => importsOf('x.ts', text).map(({ specifier }) => specifier)

describe('imports', () => {
  it('are found however they are written', () => {
    const text = `
      import './a.ts'
      import type { B } from './b.ts'
      export * from './c.ts'
      export { d } from './d.ts'
      const e = await import('./e.ts')
      type F = import('./f.ts').F
      const g = require('./g.ts')
      // import './not-this.ts'
      const text = "import './nor-this.ts'"
    `
    expect(specifiersOf(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './g.ts'])
  })

  it('go the right way in this project', () => {
    expect(findViolations(root)).toEqual([])
  })
})

describe('an import that goes the wrong way', () => {
  it.each([
    ['app/App.tsx', '../main/orchestrator/engine.ts'],
    ['app/App.tsx', 'node:fs'],
    ['app/App.tsx', 'fs'],
    ['main/contract/rpc.ts', '../engine.ts'],
    ['main/contract/rpc.ts', 'node:crypto'],
    ['main/sandbox/qemu/driver.ts', '../../agent/loop.ts'],
    ['main/trace/store.ts', '../sandbox/sandbox.ts'],
    ['main/agent/loop.ts', '../orchestrator/tasks.ts'],
    ['main/api/server.ts', '../orchestrator/engine.ts'],
    ['main/api/server.ts', '../shell/serve.ts'],
    ['main/shell/browser.ts', 'electron'],
    ['main/shell/serve.ts', 'electron/main'],
    ['main/shell/electron-like.ts', 'electron'],
    ['vm/image-builder.ts', '../main/sandbox/sandbox.ts'],
    ['main/somewhere/new.ts', 'zod'],
  ])('is found: %s → %s', (file, specifier) => {
    expect(violationsIn(file, `import type { X } from '${specifier}'`)).toMatchObject([{ file, line: 1, specifier }])
  })

  it.each([
    ['app/App.tsx', '../main/contract/rpc.ts'],
    ['app/App.tsx', 'react'],
    ['main/sandbox/qemu/driver.ts', '../../../vm/qemu-bundle.ts'],
    ['main/agent/loop.ts', '../screen/settle.ts'],
    ['main/orchestrator/engine.ts', '../../package.json'],
    ['main/shell/electron/main.ts', 'electron'],
    ['main/shell/serve.ts', '../api/server.ts'],
  ])('is not seen where there is none: %s → %s', (file, specifier) => {
    expect(violationsIn(file, `import type { X } from '${specifier}'`)).toEqual([])
  })

  it('is reported with its line when the files are read from disk', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'godhand-imports-'))
    mkdirSync(path.join(folder, 'app'))
    writeFileSync(path.join(folder, 'app', 'page.tsx'), "import 'react'\n\nimport '../main/api/server.ts'\n")
    expect(findViolations(folder)).toMatchObject([{ file: 'app/page.tsx', line: 3 }])
    rmSync(folder, { recursive: true })
  })
})
