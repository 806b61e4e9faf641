import fs from 'node:fs'
import { GodHandError } from '../../../contract/errors.ts'
import { PAGE, writeAll } from './page-file.ts'

/**
 * Linux: the memory of a QEMU that maps its guest RAM copy on write from a file. The kernel's page map tells which pages
 * the guest has written since; they can be read, and before the guest runs also written, through /proc.
 */
export class GuestMemory {
  readonly #pid: number
  readonly #start: number
  readonly #bytes: number

  constructor(pid: number, ramFile: string, ramBytes: number) {
    this.#pid = pid
    this.#bytes = ramBytes
    const line = fs
      .readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .find((entry) => entry.endsWith(` ${ramFile}`))
    const [from, to] =
      line
        ?.split(' ')[0]
        ?.split('-')
        .map((text) => Number.parseInt(text, 16)) ?? []
    if (from === undefined || to === undefined || to - from < ramBytes)
      throw new GodHandError('machine_error', 'The machine does not map its memory file as expected.')
    this.#start = from
  }

  /** Runs of pages written since the machine began, as [first, count]; small gaps are taken along. */
  dirtyRuns(): [number, number][] {
    const map = new Uint32Array(
      readAt(`/proc/${this.#pid}/pagemap`, (this.#start / PAGE) * 8, (this.#bytes / PAGE) * 8).buffer,
    )
    const runs: [number, number][] = []
    let last: [number, number] | undefined
    for (let page = 0; page < this.#bytes / PAGE; page++) {
      if (!isPrivate(map[page * 2 + 1] ?? 0)) continue
      if (last && page - (last[0] + last[1]) <= MERGE_GAP) last[1] = page - last[0] + 1
      else {
        last = [page, 1]
        runs.push(last)
      }
    }
    return runs
  }

  read(runs: [number, number][]): { first: number; data: Buffer }[] {
    const fd = fs.openSync(`/proc/${this.#pid}/mem`, 'r')
    try {
      return runs.map(([first, count]) => {
        const data = Buffer.allocUnsafeSlow(count * PAGE)
        readFully(fd, data, this.#start + first * PAGE)
        return { first, data }
      })
    } finally {
      fs.closeSync(fd)
    }
  }

  /** Only while the guest stands still. */
  writer(): { write(firstPage: number, data: Buffer): void; close(): void } {
    const fd = fs.openSync(`/proc/${this.#pid}/mem`, 'r+')
    return {
      write: (firstPage, data) => writeAll(fd, data, this.#start + firstPage * PAGE),
      close: () => fs.closeSync(fd),
    }
  }
}

/** A system call costs about as much as copying a few pages, so nearby runs are read as one. */
const MERGE_GAP = 8

/** Bit 63 present, 62 swapped, 61 still the file's page: a page of our own is one of the first two without the third. */
function isPrivate(highWord: number): boolean {
  return (highWord & 0xc000_0000) !== 0 && (highWord & 0x2000_0000) === 0
}

function readAt(file: string, position: number, length: number): Buffer<ArrayBuffer> {
  const fd = fs.openSync(file, 'r')
  try {
    const buffer = Buffer.from(new ArrayBuffer(length))
    readFully(fd, buffer, position)
    return buffer
  } finally {
    fs.closeSync(fd)
  }
}

function readFully(fd: number, into: Buffer, position: number): void {
  for (let done = 0; done < into.length; ) {
    const read = fs.readSync(fd, into, done, into.length - done, position + done)
    if (read === 0) throw new GodHandError('machine_error', 'The memory of the machine could not be read to the end.')
    done += read
  }
}
