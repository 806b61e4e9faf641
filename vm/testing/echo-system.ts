/**
 * The smallest system there is: greets, and writes every key it is given. For tests of images that are not ours, made
 * here to the last byte, so that nothing is downloaded.
 */
const GREETING = 'This is not Linux. Type: '
const ORIGIN = 0x7c00

// biome-ignore format: an instruction a line
const program = [
  0x31, 0xc0, //       xor ax, ax
  0x8e, 0xd8, //       mov ds, ax
  0xb4, 0x01, //       mov ah, 1           ; no cursor: it blinks, and no two pictures would be alike
  0xb9, 0x07, 0x26, // mov cx, 2607h
  0xcd, 0x10, //       int 10h
  0xbe, 0x23, 0x7c, // mov si, greeting
  0xac, //             next: lodsb
  0x84, 0xc0, //       test al, al
  0x74, 0x06, //       jz keys
  0xb4, 0x0e, //       mov ah, 0eh
  0xcd, 0x10, //       int 10h
  0xeb, 0xf5, //       jmp next
  0x30, 0xe4, //       keys: xor ah, ah
  0xcd, 0x16, //       int 16h
  0xb4, 0x0e, //       mov ah, 0eh
  0xcd, 0x10, //       int 10h
  0xeb, 0xf6, //       jmp keys
]

function code(): Buffer {
  if (program.length !== 0x7c23 - ORIGIN) throw new Error('the greeting is not where the program looks for it')
  return Buffer.concat([Buffer.from(program), Buffer.from(`${GREETING}\0`, 'latin1')])
}

/** As a raw disk of a megabyte that a BIOS starts from. */
export function echoDisk(): Buffer {
  const disk = Buffer.alloc(1024 ** 2)
  code().copy(disk)
  disk.writeUInt16LE(0xaa55, 510)
  return disk
}

const SECTOR = 2048

/** As a bootable CD: ISO 9660 with an El Torito catalogue, and no files. */
export function echoCdrom(): Buffer {
  const cdrom = Buffer.alloc(32 * SECTOR)
  const sector = (index: number) => cdrom.subarray(index * SECTOR, (index + 1) * SECTOR)
  const descriptor = (index: number, type: number) => {
    sector(index).writeUInt8(type, 0)
    sector(index).write('CD001\x01', 1, 'latin1')
    return sector(index)
  }
  descriptor(16, 1).write('ECHO'.padEnd(32), 40, 'latin1')
  const boot = descriptor(17, 0)
  boot.write('EL TORITO SPECIFICATION', 7, 'latin1')
  boot.writeUInt32LE(19, 71)
  descriptor(18, 255)
  const catalogue = sector(19)
  catalogue.writeUInt8(1, 0)
  catalogue.writeUInt16LE(0xaa55, 30)
  catalogue.writeUInt16LE(0x10000 - 0xaa55 - 1, 28) // the words of an entry add up to nothing
  catalogue.writeUInt8(0x88, 32)
  catalogue.writeUInt16LE(4, 38)
  catalogue.writeUInt32LE(20, 40)
  code().copy(sector(20))
  return cdrom
}
