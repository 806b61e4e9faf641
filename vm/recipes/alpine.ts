import { debian } from './debian.ts'
import type { Recipe, Variant } from './recipe.ts'

/**
 * The same guest made of Alpine's packages. Unproven: its fetching, checking and resolving are tested against a
 * repository made for the purpose; no image has been built from it and booted.
 */
export type AlpineRecipe = Omit<Recipe, 'distribution' | 'suites' | 'neverUnpack' | 'alwaysUnpack'> & {
  distribution: 'alpine'
  /** A release of Alpine, as its mirrors name it. */
  branch: string
  repositories: string[]
  /** Where the guest's own files expect things that Alpine keeps elsewhere: path → target. */
  links: Record<string, string>
}

const minimal: AlpineRecipe = {
  distribution: 'alpine',
  branch: 'v3.22',
  repositories: ['main', 'community'],
  packages: [
    'alpine-base',
    'bash',
    'busybox-static',
    'coreutils',
    'findutils',
    'iproute2-minimal',
    'procps-ng',
    'setpriv',
    'shadow',
    'sudo',
    'e2fsprogs',
    'kmod',
    'openssh-server',
    'openssh-keygen',
    'openssh-sftp-server',
    'ca-certificates-bundle',
    'curl',
    'nano',
    'less',
    'python3',
    // The screen
    'xorg-server',
    'xf86-input-evdev',
    'xkeyboard-config',
    'xkbcomp',
    'setxkbmap',
    'xrandr',
    'xprop',
    'xwininfo',
    'xdotool',
    'wmctrl',
    'xclip',
    // The desktop
    'openbox',
    'tint2',
    'hsetroot',
    'xterm',
    'l3afpad',
    'pcmanfm',
    'librsvg',
    'adwaita-icon-theme',
    'font-inter',
    'font-dejavu',
    'font-droid-nonlatin',
  ],
  kernel: 'linux-virt',
  modules: {
    initramfs: ['virtio_blk', 'ext4'],
    boot: ['virtio-gpu', 'virtio_input', 'evdev', 'qemu_fw_cfg', 'virtio_net', 'virtio-rng', 'uinput'],
    available: ['overlay', 'loop'],
  },
  commandLine: debian.minimal.commandLine,
  busybox: { package: 'busybox-static', file: 'bin/busybox.static' },
  services: [
    { name: 'sshd', command: '/usr/lib/godhand/sshd' },
    { name: 'desktop', command: '/usr/lib/godhand/desktop' },
  ],
  links: {
    'usr/lib/xorg/Xorg': '../../libexec/Xorg',
    'usr/bin/busybox': '../../bin/busybox.static',
  },
  strip: [
    // Hardware rendering has no hardware here.
    'usr/lib/libLLVM*',
    'usr/lib/libgallium*',
    'usr/lib/{dri,gbm,xorg/modules/dri}',
    'usr/lib/xorg/modules/libglamoregl.so',
    'usr/lib/xorg/modules/extensions/libglx.so',
    'usr/share/{doc,man,info,gtk-doc,help,i18n,bash-completion,zsh,fish,vim}',
    'usr/share/locale/*',
    'usr/lib/python3*/{idlelib,test,ensurepip,turtledemo,pydoc_data}',
    'usr/share/gtk-3.0/emoji',
    'etc/ssh/ssh_host_*',
    'etc/{passwd,group,shadow}-',
    'var/cache/*',
    'var/log/*',
    'boot/*',
    'tmp/*',
    'run/*',
  ],
  diskBytes: 8 * 1024 ** 3,
  epoch: Date.UTC(2025, 0, 1) / 1000,
}

const desktop: AlpineRecipe = {
  ...minimal,
  packages: [...minimal.packages, 'firefox-esr', 'font-liberation'],
}

export const alpine: Record<Variant, AlpineRecipe> = { desktop, minimal }
