import type { Accelerator } from '../../contract/machine.ts'

/** Everything that shapes the machine itself. Two machines with the same shape can load each other's state. */
export type MachineShape = {
  accelerator: Accelerator
  memoryMb: number
  cpus: number
  start: MachineStart
  screen: { width: number; height: number }
}

/** By our own kernel, with the devices it knows; or by firmware, with those that any system knows. */
export type MachineStart =
  | {
      kind: 'kernel'
      kernel: string
      initrd: string
      arguments: string
      authorizedKey: string // public key file, handed to the guest by fw_cfg
    }
  | { kind: 'firmware'; cdrom: string | null }

/** What differs from one machine to the next of the same shape. */
export type MachineInstance = {
  dataDir: string // firmware
  layers: string[] // qcow2 files, the base first; the last one is written to
  ram: RamSource
  qmpSocket: string
  vncSocket: string
  serialLog: string
  incoming: boolean // waits for saved state instead of booting
  devicesApart?: boolean // the state of the devices is saved on its own, without the memory
}

export const NETDEV = 'net'
/** The same in every machine: each is alone on its wire. */
export const NETWORK_CARD = '52:54:00:67:68:01'

/** `file`: mapped copy on write, so that clones share it. `anonymous`: plain memory, filled by an incoming migration. */
export type RamSource = { kind: 'file'; path: string } | { kind: 'anonymous' }

/** The command line, as a pure function: the same shape gives the same devices in the same slots. */
export function qemuArguments(shape: MachineShape, instance: MachineInstance): string[] {
  return [
    ...['-nodefaults', '-no-user-config', '-L', instance.dataDir],
    ...['-machine', 'q35,memory-backend=ram,smm=off,vmport=off,hpet=off,graphics=on,mem-merge=off'],
    ...['-accel', acceleratorOption(shape.accelerator)],
    ...['-cpu', cpuModel(shape.accelerator)],
    ...['-smp', String(shape.cpus), '-m', `${shape.memoryMb}M`],
    ...['-object', ramObject(shape.memoryMb, instance.ram)],
    ...startOptions(shape.start),
    ...instance.layers.flatMap((file, index) => ['-blockdev', layerNode(file, index, instance.layers.length - 1)]),
    ...['-device', diskDevice(shape.start, layerName(instance.layers.length - 1))],
    ...['-netdev', `user,id=${NETDEV},restrict=on,hostfwd=tcp:127.0.0.1:0-10.0.2.15:22`],
    ...otherDevices(shape).flatMap((device) => ['-device', device]),
    ...['-chardev', `file,id=serial,path=${comma(instance.serialLog)}`, '-serial', 'chardev:serial'],
    ...[
      '-chardev',
      `socket,id=qmp,path=${comma(instance.qmpSocket)},server=on,wait=off`,
      '-mon',
      'chardev=qmp,mode=control',
    ],
    ...['-display', 'none', '-vga', 'none', '-vnc', `unix:${comma(instance.vncSocket)}`],
    ...['-rtc', 'base=utc,clock=host'],
    ...(shape.start.kind === 'kernel' ? ['-no-reboot'] : []), // an installer starts anew from what it has installed
    ...(process.platform === 'linux' ? ['-sandbox', SECCOMP] : []),
    // The device state saved on its own has no configuration section, so none may be asked for. A whole migration needs
    // it: without, QEMU 10 aborts.
    ...(instance.devicesApart ? ['-global', 'migration.send-configuration=off'] : []),
    ...(instance.incoming ? ['-incoming', 'defer'] : []),
  ]
}

function startOptions(start: MachineStart): string[] {
  if (start.kind === 'kernel')
    return [
      ...['-kernel', start.kernel, '-initrd', start.initrd, '-append', start.arguments],
      ...['-fw_cfg', `name=opt/godhand/authorized_key,file=${comma(start.authorizedKey)}`],
    ]
  if (start.cdrom === null) return []
  const file = { driver: 'file', filename: start.cdrom, 'read-only': true }
  return ['-blockdev', JSON.stringify({ driver: 'raw', 'node-name': 'cdrom', 'read-only': true, file })]
}

function diskDevice({ kind }: MachineStart, layer: string): string {
  const device = kind === 'kernel' ? 'virtio-blk-pci' : 'ide-hd'
  return `${device},id=disk,drive=${layer},${kind === 'kernel' ? '' : 'bus=ide.0,'}bootindex=1`
}

function otherDevices({ start, screen }: MachineShape): string[] {
  const size = `xres=${screen.width},yres=${screen.height}`
  if (start.kind === 'kernel')
    return [
      `virtio-net-pci,netdev=${NETDEV},romfile=,mac=${NETWORK_CARD}`,
      `virtio-gpu-pci,id=gpu,${size}`,
      ...['virtio-keyboard-pci', 'virtio-tablet-pci', 'virtio-rng-pci', 'vmgenid,guid=auto'],
    ]
  return [
    ...(start.cdrom === null ? [] : ['ide-cd,drive=cdrom,bus=ide.1,bootindex=2']),
    `e1000,netdev=${NETDEV},romfile=,mac=${NETWORK_CARD}`,
    `VGA,id=gpu,${size}`,
    // The keyboard is the machine's own; nothing of the host's USB is behind this one.
    ...['qemu-xhci,id=usb', 'usb-tablet,bus=usb.0', 'vmgenid,guid=auto'],
  ]
}

const SECCOMP = 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'

export const layerName = (index: number) => `layer${index}`

/** A qcow2 layer as a block node. The chain is given here and not read from the files, so a store can be moved. */
export function layerBlockdev(file: string, name: string, backing: string | null, writable: boolean) {
  return {
    driver: 'qcow2',
    'node-name': name,
    'read-only': !writable,
    backing,
    discard: 'unmap',
    file: { driver: 'file', filename: file, 'read-only': !writable },
  }
}

function layerNode(file: string, index: number, top: number): string {
  return JSON.stringify(layerBlockdev(file, layerName(index), index === 0 ? null : layerName(index - 1), index === top))
}

function ramObject(memoryMb: number, ram: RamSource): string {
  return ram.kind === 'file'
    ? `memory-backend-file,id=ram,size=${memoryMb}M,mem-path=${comma(ram.path)},share=off,readonly=on,rom=off,merge=off,dump=off`
    : `memory-backend-ram,id=ram,size=${memoryMb}M,merge=off,dump=off`
}

function acceleratorOption(accelerator: Accelerator): string {
  return accelerator === 'tcg' ? 'tcg,thread=multi,tb-size=256' : accelerator
}

/** A named model where state must be loadable again on this host; `max` is what TCG itself can do, so it is fixed too. */
function cpuModel(accelerator: Accelerator): string {
  return accelerator === 'tcg' ? 'max' : 'host,-invtsc'
}

/** QEMU's option syntax doubles a comma that is part of a value. */
const comma = (value: string) => value.replaceAll(',', ',,')
