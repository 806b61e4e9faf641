/** What a guest is made of, as data. The builder knows no package, module or path by name. */
export type Recipe = {
  distribution: 'debian'
  suites: string[]
  /** Installed with what they depend on, recommendations left out. */
  packages: string[]
  /** The package that brings the kernel; only its image and the modules below are taken from it. */
  kernel: string
  modules: Modules
  /** What the kernel is started with; the root and the rest are the initramfs's business. */
  commandLine: string[]
  /** A static busybox: the initramfs is made of it and nothing else. */
  busybox: { package: string; file: string }
  /** Run and kept running by init, in this order. Commands are files of the guest tree. */
  services: Service[]
  /** Never unpacked, now or when packages are added in the guest: dpkg's path-exclude and path-include. */
  neverUnpack: string[]
  alwaysUnpack: string[]
  /** Removed once the packages are set up: shell patterns relative to the root. */
  strip: string[]
  /** The size the guest sees; the file holds only what is used. */
  diskBytes: number
  /** Seconds since 1970 that every file of the image carries, so that two builds give the same bytes. */
  epoch: number
}

/** What a module depends on comes along by itself. */
export type Modules = {
  /** Loaded by the initramfs, enough to mount the root. */
  initramfs: string[]
  /** Loaded at boot in this order: no device manager runs in the guest. */
  boot: string[]
  /** There for whoever asks for them. */
  available: string[]
}

export type Service = { name: string; command: string }

/** `desktop` has a browser, `minimal` does not. */
export type Variant = 'desktop' | 'minimal'
