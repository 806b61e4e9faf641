import { describe, expect, it } from 'vitest'
import { type MachineInstance, type MachineShape, qemuArguments } from './argv.ts'

const shape: MachineShape = {
  accelerator: 'tcg',
  memoryMb: 1024,
  cpus: 2,
  start: {
    kind: 'kernel',
    kernel: '/i/vmlinuz',
    initrd: '/i/initrd',
    arguments: 'quiet',
    authorizedKey: '/k/id.pub',
  },
  screen: { width: 1280, height: 800 },
}
const instance: MachineInstance = {
  dataDir: '/q/share',
  layers: ['/base.qcow2', '/top,odd.qcow2'],
  ram: { kind: 'file', path: '/t/ram,1' },
  qmpSocket: '/s/qmp',
  vncSocket: '/s/vnc',
  serialLog: '/m/serial',
  incoming: true,
}
const after = (args: string[], flag: string) => args.flatMap((arg, index) => (args[index - 1] === flag ? [arg] : []))

describe('the command line', () => {
  it('keeps the guest off every network', () => {
    expect(after(qemuArguments(shape, instance), '-netdev')[0]).toContain('restrict=on')
  })

  it('chains the disks by name, and only the last is written to', () => {
    const [base, top] = after(qemuArguments(shape, instance), '-blockdev').map((text) => JSON.parse(text))
    expect(base).toMatchObject({ 'node-name': 'layer0', backing: null, 'read-only': true })
    expect(top).toMatchObject({ 'node-name': 'layer1', backing: 'layer0', 'read-only': false })
    expect(top.file.filename).toBe('/top,odd.qcow2')
  })

  it('escapes commas where QEMU would end a value', () => {
    expect(after(qemuArguments(shape, instance), '-object')[0]).toContain('mem-path=/t/ram,,1,share=off')
  })

  it('puts the same devices in the same slots for a boot and for a load', () => {
    const devices = (incoming: boolean, layers: string[]) =>
      after(qemuArguments(shape, { ...instance, incoming, layers }), '-device').map((text) =>
        text.replace(/drive=layer\d+/, ''),
      )
    expect(devices(true, ['/a', '/b', '/c'])).toEqual(devices(false, ['/a', '/b']))
  })

  it('gives a system of somebody else’s only devices that any system knows, and nothing to come in by', () => {
    const args = qemuArguments({ ...shape, start: { kind: 'firmware', cdrom: '/i/a,b.iso' } }, instance)
    expect(after(args, '-device').join(' ')).not.toMatch(/virtio/)
    expect(args.join(' ')).not.toMatch(/fw_cfg|-kernel|-no-reboot/)
    expect(JSON.parse(after(args, '-blockdev')[0] ?? '')).toMatchObject({
      'node-name': 'cdrom',
      'read-only': true,
      file: { filename: '/i/a,b.iso' },
    })
    expect(after(args, '-netdev')[0]).toContain('restrict=on')
  })

  it('leaves out the configuration section only where devices are saved apart from memory', () => {
    const globals = (devicesApart: boolean) => after(qemuArguments(shape, { ...instance, devicesApart }), '-global')
    expect(globals(true)).toEqual(['migration.send-configuration=off'])
    expect(globals(false)).toEqual([])
  })
})
