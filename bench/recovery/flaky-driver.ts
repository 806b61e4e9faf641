import type { Sandbox, SandboxDriver } from '../../main/sandbox/sandbox.ts'

/**
 * Machines whose commands find a number from 0 to 99 in $LUCK. It comes from outside, as bad weather does: putting a
 * machine back does not bring the same luck again, and the same seed always does.
 */
export function flakyDriver(driver: SandboxDriver, luck: () => number): SandboxDriver {
  return {
    name: driver.name,
    capabilities: () => driver.capabilities(),
    prepare: (image, onProgress, signal) => driver.prepare(image, onProgress, signal),
    create: async (spec, signal) => withLuck(await driver.create(spec, signal), luck),
    verifySnapshot: (files) => driver.verifySnapshot(files),
    compressSnapshot: (files) => driver.compressSnapshot(files),
    examine: () => driver.examine(),
    removeOrphans: () => driver.removeOrphans(),
    close: () => driver.close(),
  }
}

function withLuck(sandbox: Sandbox, luck: () => number): Sandbox {
  const exec: Sandbox['exec'] = (command, options) =>
    sandbox.exec(command.includes('$LUCK') ? `LUCK=${Math.floor(luck() * 100)}; ${command}` : command, options)
  return new Proxy(sandbox, {
    get: (target, name) => {
      if (name === 'exec') return exec
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
