import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import { z } from 'zod'
import type { QemuInstall } from '../../../vm/qemu-install.ts'
import { Accelerator } from '../../contract/machine.ts'

export const AcceleratorFinding = z.object({
  accelerator: Accelerator,
  reason: z.string(), // why this one, in words for the person
  key: z.string(), // what the answer depends on
})
export type AcceleratorFinding = z.infer<typeof AcceleratorFinding>

const PROBE_LIMIT_MS = 8_000

/**
 * Which accelerator really works here. A device that opens proves nothing (nested hosts can hang every guest), so the
 * guest's own kernel is started under it, and must come as far as looking for a disk it was not given.
 */
export async function findAccelerator(
  qemu: QemuInstall,
  kernel: string,
  cacheFile: string,
): Promise<AcceleratorFinding> {
  const key = [qemu.key, process.platform, os.release(), os.cpus()[0]?.model, await deviceIdentity()].join('|')
  const cached = await fs
    .readFile(cacheFile, 'utf8')
    .then((text) => AcceleratorFinding.parse(JSON.parse(text)))
    .catch(() => null)
  if (cached?.key === key) return cached
  const finding = { ...(await probe(qemu, kernel)), key }
  await fs.writeFile(`${cacheFile}.new`, JSON.stringify(finding, null, 2))
  await fs.rename(`${cacheFile}.new`, cacheFile)
  return finding
}

async function probe(qemu: QemuInstall, kernel: string): Promise<Omit<AcceleratorFinding, 'key'>> {
  const candidate = ({ linux: 'kvm', darwin: 'hvf', win32: 'whpx' } as const)[process.platform as string]
  const slow =
    'Software emulation (TCG) is used: it works everywhere, but programs in the guest run several times slower.'
  if (process.arch !== 'x64' || !candidate)
    return {
      accelerator: 'tcg',
      reason: `An x86 guest on ${process.platform}/${process.arch} has no hardware help. ${slow}`,
    }
  if (candidate === 'kvm') {
    const closed = await fs.access('/dev/kvm', fs.constants.R_OK | fs.constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (closed === 'ENOENT')
      return { accelerator: 'tcg', reason: `This host has no KVM (/dev/kvm is missing). ${slow}` }
    if (closed)
      return {
        accelerator: 'tcg',
        reason: `/dev/kvm may not be opened (${closed}): join the group "kvm" to use it. ${slow}`,
      }
  }
  const outcome = await bootsUnder(qemu, candidate, kernel)
  return outcome === 'booted'
    ? { accelerator: candidate, reason: `A kernel booted under ${candidate.toUpperCase()}.` }
    : { accelerator: 'tcg', reason: `${candidate.toUpperCase()} is there, but ${outcome}. ${slow}` }
}

/** 'booted', or what happened instead. */
function bootsUnder(qemu: QemuInstall, accelerator: string, kernel: string): Promise<string> {
  const args = [
    '-nodefaults',
    '-no-user-config',
    '-L',
    qemu.dataDir,
    '-machine',
    'q35',
    '-accel',
    accelerator,
    '-m',
    '256',
  ]
  const console = ['-display', 'none', '-serial', 'stdio', '-no-reboot', '-kernel', kernel]
  const child = spawn(qemu.system, [...args, ...console, '-append', 'console=ttyS0 panic=-1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve) => {
    let said = ''
    const done = (outcome: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(outcome)
    }
    const timer = setTimeout(
      () => done(`a kernel started under it hung for ${PROBE_LIMIT_MS / 1000} s`),
      PROBE_LIMIT_MS,
    )
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString('latin1')).slice(-10_000)
      if (said.includes('Unable to mount root fs')) done('booted')
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', (error) => done(`QEMU could not be started: ${error.message}`))
    child.once('exit', () => done(`QEMU ended: ${said.trim().split('\n').at(-1) ?? 'it said nothing'}`))
  })
}

async function deviceIdentity(): Promise<string> {
  const stat = await fs.stat('/dev/kvm').catch(() => null)
  return stat ? `${stat.mode}:${stat.uid}:${stat.gid}` : 'none'
}
