import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDriver, type TestDriver } from '../sandbox/qemu/testing.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { readClipboard, writeClipboard } from './guest-clipboard.ts'
import { listFolder, readGuestFile } from './guest-files.ts'

let test: TestDriver
let sandbox: Sandbox
beforeAll(async () => {
  test = await openTestDriver()
  await test.driver.prepare('desktop', () => {})
  sandbox = await test.driver.create({ id: 'vm_access', image: 'desktop' })
})
afterAll(() => test.close())

describe('a person’s ways into the guest', () => {
  it('a terminal is a login shell on a terminal whose size follows the window', async () => {
    const terminal = await sandbox.openTerminal?.({ columns: 90, rows: 20 })
    if (!terminal) throw new Error('no terminal')
    const { stream, resize } = terminal
    stream.resume()
    resize({ columns: 132, rows: 43 })
    stream.write('tty > ~/where; stty size >> ~/where; echo $0 >> ~/where; exit\r')
    await once(stream, 'close')
    const { stdout } = await sandbox.exec('cat ~/where')
    expect(stdout).toMatch(/^\/dev\/pts\/\d+\n43 132\n-\S*sh\n$/)
  })

  it('ending the stream ends the shell and what runs in it', async () => {
    const terminal = await sandbox.openTerminal?.({ columns: 80, rows: 24 })
    terminal?.stream.resume()
    terminal?.stream.write('exec sleep 4321\r')
    const running = () => sandbox.exec('pgrep -cf "^sleep 4321"').then(({ stdout }) => stdout.trim())
    await expect.poll(running, { timeout: 30_000 }).toBe('1')
    terminal?.stream.destroy()
    await expect.poll(running, { timeout: 30_000 }).toBe('0')
  })

  it('folders can be looked through and files taken out, byte for byte', async () => {
    await sandbox.exec(`mkdir -p ~/out/deeper && head -c 3000000 /dev/urandom > ~/out/'ä "b".bin' && mkfifo ~/out/pipe`)
    const { files } = await listFolder(sandbox, '/home/user/out')
    expect(files.map(({ name, kind, bytes }) => [name, kind, kind === 'file' && bytes])).toEqual([
      ['deeper', 'folder', false],
      ['ä "b".bin', 'file', 3_000_000],
      ['pipe', 'other', false],
    ])
    const { content } = await readGuestFile(sandbox, '/home/user/out/ä "b".bin')
    const { stdout } = await sandbox.exec('sha256sum ~/out/*.bin')
    expect(stdout).toContain(createHash('sha256').update(content).digest('hex'))
    await expect(readGuestFile(sandbox, '/home/user/out/pipe')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('the clipboard goes in and out', async () => {
    await writeClipboard(sandbox, 'Grüße — 2 lines\nand “quotes”')
    const { stdout } = await sandbox.exec('xclip -selection clipboard -o')
    expect(stdout).toBe('Grüße — 2 lines\nand “quotes”')
    await sandbox.exec('printf "from the guest" | xclip -selection clipboard -i >/dev/null 2>&1')
    expect(await readClipboard(sandbox)).toEqual({ text: 'from the guest' })
  })
})
