import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeStaleBuilds } from './stale-builds.ts'

let images: string
beforeEach(async () => {
  images = await mkdtemp(path.join(os.tmpdir(), 'stale-'))
})
afterEach(() => rm(images, { recursive: true }))

async function endedProcess(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

async function startedBuild(pid: number): Promise<string> {
  const folder = path.join(images, `.build-minimal-${pid}`)
  await mkdir(path.join(folder, 'root/etc'), { recursive: true })
  await writeFile(path.join(folder, 'root/etc/shadow'), 'x', { mode: 0o000 })
  return folder
}

it('removes what a build left whose process is gone, and nothing else', async () => {
  await startedBuild(await endedProcess())
  await startedBuild(process.pid)
  await mkdir(path.join(images, 'minimal-0123456789ab'))
  await removeStaleBuilds(images)
  expect(await readdir(images)).toEqual([`.build-minimal-${process.pid}`, 'minimal-0123456789ab'])
})

it('removes the caller’s own build when told to', async () => {
  const own = await startedBuild(process.pid)
  await removeStaleBuilds(images, own)
  expect(await readdir(images)).toEqual([])
})
