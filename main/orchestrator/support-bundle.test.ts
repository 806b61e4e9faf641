import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { pathsIn } from '../paths.ts'
import { readLog } from './log-reader.ts'
import { writeSupportBundle } from './support-bundle.ts'
import { openTestEngine } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'godhand-support-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Every entry of a zip, read by another library than the one that wrote it. */
async function entriesOf(file: string): Promise<Record<string, string>> {
  const zip = await yauzl.openPromise(file)
  const entries: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const chunks = await (await zip.openReadStreamPromise(entry)).toArray()
    entries[entry.fileName] = Buffer.concat(chunks).toString()
  }
  return entries
}

describe('a support bundle', () => {
  it('holds no secret, key or token, however it got into the logs, and no goal', async () => {
    const house = await openTestEngine()
    const planted = {
      secret: 'correct horse battery',
      quoted: 'with "quotes" and \\ slashes',
      key: 'sk-ant-abcdefgh12345678',
      other: 'sk-somebody-elses-key-42',
      token: 'T'.repeat(43),
      door: 'D'.repeat(43),
    }
    try {
      const { engine, paths } = house
      await engine.call('secret.set', { name: 'mail', value: planted.secret })
      await engine.call('secret.set', { name: 'odd', value: planted.quoted })
      await engine.call('key.set', { name: 'anthropic', value: planted.key })
      writeFileSync(paths.engineLock, JSON.stringify({ token: planted.token }))
      writeFileSync(paths.door, JSON.stringify({ key: planted.door }))
      mkdirSync(paths.logs, { recursive: true })
      writeFileSync(
        paths.engineLog,
        Object.values(planted)
          .map((msg) => JSON.stringify({ msg, in: os.homedir() }))
          .join('\n'),
      )
      await engine.call('task.run', { goal: 'Buy a present for Ada', planner: { kind: 'demo' } })
      const { file, bytes } = await engine.call('support.bundle', { file: path.join(folder, 'support.zip') })
      expect(readFileSync(file)).toHaveLength(bytes)
      const entries = await entriesOf(file)
      expect(Object.keys(entries)).toEqual(['README.txt', 'about.json', 'checks.json', 'tasks.json', 'logs/engine.log'])
      const all = Object.values(entries).join('\n')
      for (const value of [...Object.values(planted), JSON.stringify(planted.quoted).slice(1, -1), 'Ada'])
        expect(all).not.toContain(value)
      expect(entries['logs/engine.log']?.match(/\[removed\]/g)).toHaveLength(6)
      expect(JSON.parse(entries['tasks.json'] ?? '')[0]).toMatchObject({ planner: 'demo' })
    } finally {
      await house.close()
    }
  })

  it('is there whole or not at all', async () => {
    const parts = { paths: pathsIn(folder), about: {}, checks: [], tasks: [], secrets: [] }
    await expect(writeSupportBundle(path.join(folder, 'nowhere', 'a.zip'), parts)).rejects.toThrow()
  })
})

describe('the log', () => {
  const file = () => path.join(folder, 'engine.log')
  const line = (level: number, msg: string) =>
    JSON.stringify({ level, time: '2026-11-02T09:00:00.000Z', pid: 1, msg, n: 1 })

  it('is read from its end, oldest first, as grave as one wants', async () => {
    writeFileSync(
      file(),
      [line(30, 'a'), line(50, 'b'), 'not json', line(20, 'c'), line(40, 'd'), line(30, 'e')].join('\n'),
    )
    const words = async (query: Parameters<typeof readLog>[1]) =>
      (await readLog(file(), query)).map(({ message }) => message)
    expect(await words({ level: 'info', lines: 10 })).toEqual(['a', 'b', 'd', 'e'])
    expect(await words({ level: 'warn', lines: 10 })).toEqual(['b', 'd'])
    expect(await words({ level: 'debug', lines: 2 })).toEqual(['d', 'e'])
    expect((await readLog(file(), { level: 'error', lines: 1 }))[0]?.more).toEqual({ n: 1 })
  })

  it('that is not there is empty', async () => {
    expect(await readLog(file(), { level: 'info', lines: 10 })).toEqual([])
  })
})
