/** What the QEMU bundle is made of. Any change here makes the next start build it anew. */
export const QEMU_RECIPE = {
  /** Raise when the way of assembling changes but none of the data below does. */
  revision: 1,
  suites: ['trixie', 'trixie-updates', 'trixie-security'],
  architecture: 'amd64',
  packages: ['qemu-system-x86', 'qemu-utils'],
  /** Where the packages put libraries; the first one that has a library wins. */
  libraryFolders: ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu', 'usr/lib', 'lib64'],
  loader: 'ld-linux-x86-64.so.2',
  programs: { 'qemu-system-x86_64': 'usr/bin/qemu-system-x86_64', 'qemu-img': 'usr/bin/qemu-img' },
  /** Parts of QEMU that Debian builds as loadable modules. The rest of them (GTK, SDL, Spice, USB redirection) stay out. */
  moduleFolder: 'usr/lib/x86_64-linux-gnu/qemu',
  modules: ['hw-display-virtio-gpu.so', 'hw-display-virtio-gpu-pci.so', 'hw-display-virtio-vga.so'],
  /** Loaded by name at run time, so no program names it as needed: libc wants it when a thread ends itself. */
  hiddenLibraries: ['libgcc_s.so.1'],
  firmwareFolders: ['usr/share/qemu', 'usr/share/seabios', 'usr/lib/ipxe/qemu'],
  /** For q35 with SeaBIOS and direct kernel boot, with a standard or virtio display and a virtio network card. */
  firmware: [
    'bios-256k.bin',
    'efi-virtio.rom',
    'kvmvapic.bin',
    'linuxboot.bin',
    'linuxboot_dma.bin',
    'pvh.bin',
    'vgabios-stdvga.bin',
    'vgabios-virtio.bin',
  ],
  keymapFolder: 'usr/share/qemu/keymaps',
} as const

/** The oldest QEMU that GodHand works with. */
export const OLDEST_QEMU = 10
