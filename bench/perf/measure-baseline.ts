import fs from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { newOverlay } from '../../main/sandbox/qemu/overlay.ts'
import { privateMemory } from '../../main/sandbox/qemu/private-memory.ts'
import { CHANGE, type Lab } from './lab.ts'
import { desktopDrawn } from './measure-boot.ts'
import { SavevmMachine } from './savevm-machine.ts'

/** What a user would do without us: savevm and loadvm, and for a second machine a copy of the disk. */
export async function measureBaseline(lab: Lab): Promise<void> {
  const folder = path.join(lab.paths.home, 'savevm')
  await fs.mkdir(folder, { recursive: true })
  const disk = path.join(folder, 'disk.qcow2')
  await newOverlay(lab.qemu, lab.image.disk, folder, disk)
  lab.say('booting the machine for savevm')
  const machine = await SavevmMachine.start(lab, 'savevm', disk)
  try {
    await desktopDrawn(machine.serialLog)
    for (let round = 1; round <= lab.repeats; round++) {
      lab.say(`savevm and loadvm ${round}/${lab.repeats}`)
      await machine.exec(CHANGE)
      const before = await allocated(disk)
      await lab.samples.time('savevm', () => machine.monitor(`savevm s${round}`))
      lab.samples.add('savevm-disk', (await allocated(disk)) - before)
    }
    for (let round = 1; round <= lab.repeats; round++)
      await lab.samples.time('loadvm', async () => {
        await machine.monitor(`loadvm s${round}`)
        await machine.capture()
      })
    // One state in the disk is all that is needed for copies of it; the file's length stays, as holes.
    for (let round = 2; round <= lab.repeats; round++) await machine.monitor(`delvm s${round}`)
  } finally {
    await machine.quit()
  }
  await measureCopies(lab, disk, folder)
  await fs.rm(folder, { recursive: true, force: true })
}

async function measureCopies(lab: Lab, disk: string, folder: string): Promise<void> {
  for (const width of [1, 3] as const)
    for (let round = 1; round <= lab.repeats; round++) {
      lab.say(`${width === 1 ? 'a copy' : 'three copies'} with -loadvm, ${round}/${lab.repeats}`)
      const machines = await lab.samples.time(`copy-${width}`, () =>
        Promise.all(
          Array.from({ length: width }, async (_, index) => {
            const copy = path.join(folder, `copy-${index}.qcow2`)
            await copyDisk(disk, copy)
            const machine = await SavevmMachine.start(lab, `copy-${index}`, copy, 's1')
            await machine.capture()
            return machine
          }),
        ),
      )
      for (const machine of machines) {
        await machine.exec('true')
        const bytes = await privateMemory(machine.pid)
        if (bytes !== null) lab.samples.add('copy-memory', bytes)
      }
      await Promise.all(machines.map((machine) => machine.kill()))
    }
}

/** As fast as the file system can: shared blocks where it has them, holes left out. */
async function copyDisk(from: string, to: string): Promise<void> {
  if (process.platform === 'linux') await execa('cp', ['--reflink=auto', '--sparse=auto', from, to])
  else await fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE)
}

async function allocated(file: string): Promise<number> {
  return (await fs.stat(file)).blocks * 512
}
