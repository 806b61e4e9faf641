import dgram from 'node:dgram'
import fs from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EgressAttempt } from '../../contract/egress.ts'
import type { QemuDriver } from '../qemu/driver.ts'
import { openTestDriver, snapshotFolder, type TestDriver } from '../qemu/testing.ts'
import type { Sandbox } from '../sandbox.ts'
import { fetchFile, sendFile } from '../transfer.ts'
import { type AttachedEgress, attachEgress } from './attach.ts'
import { type Egress, openEgress } from './proxy.ts'

const IMAGE = process.env.GODHAND_TEST_IMAGE ?? 'desktop'
let test: TestDriver
let machine: Awaited<ReturnType<QemuDriver['create']>>
let website: http.Server
let datagrams: dgram.Socket
let port: number
/** What arrived at the host, whoever sent it. */
const arrived: string[] = []
const attempts: EgressAttempt[] = []
let egress: Egress
let attached: AttachedEgress

beforeAll(async () => {
  website = http.createServer((request, response) => {
    arrived.push(`http ${request.headers.host}${request.url}`)
    response.end(`you asked for ${request.url}`)
  })
  website.on('connection', () => arrived.push('tcp'))
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  port = (website.address() as AddressInfo).port
  datagrams = dgram.createSocket('udp4', () => arrived.push('udp'))
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve))

  test = await openTestDriver()
  machine = await test.driver.create({ id: 'egress', image: IMAGE })
  egress = openEgress({
    allow: [`allowed.test:${port}`, `127.0.0.1:${port}`],
    onAttempt: (attempt) => attempts.push(attempt),
    resolve: async () => ['127.0.0.1'],
  })
})

afterAll(async () => {
  await test?.close()
  website?.close()
  datagrams?.close()
})

/** Says for each target whether a connection was made (`open`), and for UDP whether anything came back. */
const PROBE = `
import socket, sys
for word in sys.argv[1:]:
    kind, host, port = word.split(',')
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    s = socket.socket(family, socket.SOCK_STREAM if kind == 'tcp' else socket.SOCK_DGRAM)
    s.settimeout(2)
    try:
        s.connect((host, int(port)))
        if kind == 'udp':
            s.send(b'\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x09localhost\\x00\\x00\\x01\\x00\\x01')
            s.recv(512)
        print(word, 'open')
    except OSError:
        print(word, 'closed')
    s.close()
`

async function probe(sandbox: Sandbox, targets: string[]): Promise<string[]> {
  const { stdout } = await sandbox.execFile(['python3', '-c', PROBE, ...targets], { timeoutMs: 60_000 })
  return stdout.trim().split('\n')
}

it('cannot reach the host, the gateway, a name server or another network when no network is asked for', async () => {
  const targets = [
    `tcp,10.0.2.2,${port}`, // what leads to the host's loopback where networking is not restricted
    `tcp,fec0::2,${port}`,
    `udp,10.0.2.2,${port}`,
    'tcp,10.0.2.2,22',
    'udp,10.0.2.3,53',
    'tcp,10.0.2.3,53',
    'tcp,192.168.1.1,80',
    'tcp,172.16.0.1,80',
  ]
  expect(await probe(machine, targets)).toEqual(targets.map((target) => `${target} closed`))
  expect(await probe(machine, ['tcp,127.0.0.1,22'])).toEqual(['tcp,127.0.0.1,22 open']) // the probe can tell
  expect(arrived).toEqual([])
})

it('reaches what is on the allowlist through the proxy, and nothing else', async () => {
  attached = await attachEgress(machine, egress)
  const page = await machine.exec(`curl -sS --max-time 20 http://allowed.test:${port}/page`)
  expect(page).toMatchObject({ exitCode: 0, stdout: 'you asked for /page' })
  const tunnel = await machine.exec(`curl -sS --max-time 20 --proxytunnel http://allowed.test:${port}/tunnel`)
  expect(tunnel).toMatchObject({ exitCode: 0, stdout: 'you asked for /tunnel' })
  arrived.length = 0

  const refused = await machine.exec(`curl -sS --max-time 20 -w '%{http_code}' http://other.test:${port}/`)
  expect(refused.stdout).toContain('not on the allowlist')
  expect(refused.stdout).toContain('403')
  const direct = `tcp,10.0.2.2,${port}`
  expect(await probe(machine, [direct])).toEqual([`${direct} closed`])
  expect(arrived).toEqual([])
  expect(attempts.find(({ outcome }) => outcome === 'refused')).toMatchObject({ host: 'other.test', port })
})

it('serves many connections at once', async () => {
  const many = 'for i in 1 2 3 4 5 6 7 8; do curl -sS --max-time 30 http://allowed.test:PORT/$i & done; wait'
  const { stdout } = await machine.exec(many.replace('PORT', `${port}`))
  for (let i = 1; i <= 8; i++) expect(stdout).toContain(`you asked for /${i}`)
})

it('gives a restored machine no way out until it gets its own', async () => {
  const fromSnapshot = await snapshotFolder(test.paths, 'egress-snapshot')
  await machine.snapshot(fromSnapshot)
  const child = await test.driver.create({ id: 'egress-child', image: IMAGE, fromSnapshot })
  arrived.length = 0
  const alone = await child.exec(`curl -sS --max-time 5 http://allowed.test:${port}/alone`)
  expect(alone.exitCode).not.toBe(0)
  expect(arrived).toEqual([])

  const own: EgressAttempt[] = []
  const childEgress = openEgress({
    allow: [`allowed.test:${port}`, `127.0.0.1:${port}`],
    onAttempt: (attempt) => own.push(attempt),
    resolve: async () => ['127.0.0.1'],
  })
  await attachEgress(child, childEgress)
  expect(await child.exec(`curl -sS --max-time 20 http://allowed.test:${port}/child`)).toMatchObject({
    stdout: 'you asked for /child',
  })
  expect(own[0]).toMatchObject({ outcome: 'open', host: 'allowed.test' })
  await child.destroy()
  expect(await machine.exec(`curl -sS --max-time 20 http://allowed.test:${port}/parent`)).toMatchObject({
    stdout: 'you asked for /parent',
  })
})

it('reaches nothing any more once its way out is closed', async () => {
  await attached.close()
  arrived.length = 0
  const { exitCode } = await machine.exec(`curl -sS --max-time 5 http://allowed.test:${port}/`)
  expect(exitCode).not.toBe(0)
  expect(arrived).toEqual([])
})

it('carries files in and out byte for byte, and not above the limit', async () => {
  const folder = await fs.mkdtemp(path.join(test.paths.home, 'transfer-'))
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
  await fs.writeFile(path.join(folder, 'in.bin'), content)
  await sendFile(machine, path.join(folder, 'in.bin'), "/home/user/it's here/out.bin")
  const { file } = await fetchFile(machine, "/home/user/it's here/out.bin", folder)
  expect((await fs.readFile(file)).equals(content)).toBe(true)
  await expect(fetchFile(machine, "/home/user/it's here/out.bin", folder, 99_999)).rejects.toThrow('limit')
})
