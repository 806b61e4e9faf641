/**
 * Key names as people and models write them → the machine's key codes (QEMU's qcodes). Names are looked up in lower case
 * without `_`, `-` and spaces, so that Page_Down, PageDown and page down are one.
 */

const named: Record<string, string> = {
  ret: 'return enter newline linefeed',
  esc: 'escape',
  spc: 'space spacebar',
  tab: 'isolefttab',
  backspace: 'bksp back',
  delete: 'del',
  insert: 'ins',
  home: '',
  end: '',
  pgup: 'pageup prior',
  pgdn: 'pagedown next',
  left: 'leftarrow arrowleft',
  right: 'rightarrow arrowright',
  up: 'uparrow arrowup',
  down: 'downarrow arrowdown',
  caps_lock: 'caps',
  num_lock: 'numlk',
  scroll_lock: 'scrlk',
  print: 'printscreen prtsc prtscr prtscn sysreq',
  pause: 'break',
  menu: 'contextmenu apps application',
  help: '',
  undo: '',
  again: 'redo',
  copy: 'xf86copy',
  paste: 'xf86paste',
  cut: 'xf86cut',
  find: 'xf86search',
  open: 'xf86open',
  kp_enter: '',
  kp_add: 'kpplus numpadadd',
  kp_subtract: 'kpminus numpadsubtract',
  kp_multiply: 'kpasterisk numpadmultiply',
  kp_divide: 'kpslash numpaddivide',
  kp_decimal: 'kpdot kpdelete numpaddecimal',
  kp_equals: 'kpequal',
  audiomute: 'xf86audiomute mute volumemute',
  volumeup: 'xf86audioraisevolume audiovolumeup',
  volumedown: 'xf86audiolowervolume audiovolumedown',
  audioplay: 'xf86audioplay xf86audiopause mediaplaypause playpause',
  audiostop: 'xf86audiostop mediastop',
  audionext: 'xf86audionext mediatracknext nexttrack',
  audioprev: 'xf86audioprev mediatrackprevious prevtrack',
  mail: 'xf86mail',
  calculator: 'xf86calculator',
  computer: 'xf86mycomputer xf86explorer',
  ac_home: 'xf86homepage browserhome',
  ac_back: 'xf86back browserback',
  ac_forward: 'xf86forward browserforward',
  ac_refresh: 'xf86refresh xf86reload browserrefresh',
  ac_bookmarks: 'xf86favorites',
  power: 'xf86poweroff',
  sleep: 'xf86sleep',
  wake: 'xf86wakeup',
  // Modifiers.
  ctrl: 'control ctrll controll lctrl leftctrl controlleft leftcontrol',
  ctrl_r: 'controlr rctrl rightctrl controlright rightcontrol',
  shift: 'shiftl lshift leftshift shiftleft',
  shift_r: 'rshift rightshift shiftright',
  alt: 'altl lalt leftalt altleft option opt',
  alt_r: 'ralt rightalt altright altgr altgraph isolevel3shift',
  meta_l: 'super superl win windows winl lwin meta metaleft cmd command os leftmeta hyper',
  meta_r: 'superr winr rwin metaright rightmeta',
  compose: 'multikey',
}

/** X11's names of the characters on the keyboard, for chords like ctrl+plus. */
const symbols: Record<string, string> = {
  exclam: '!',
  at: '@',
  numbersign: '#',
  hash: '#',
  dollar: '$',
  percent: '%',
  asciicircum: '^',
  caret: '^',
  ampersand: '&',
  asterisk: '*',
  star: '*',
  parenleft: '(',
  parenright: ')',
  minus: '-',
  hyphen: '-',
  dash: '-',
  underscore: '_',
  equal: '=',
  equals: '=',
  plus: '+',
  bracketleft: '[',
  bracketright: ']',
  braceleft: '{',
  braceright: '}',
  backslash: '\\',
  bar: '|',
  pipe: '|',
  semicolon: ';',
  colon: ':',
  apostrophe: "'",
  quoteright: "'",
  quote: "'",
  singlequote: "'",
  quotedbl: '"',
  doublequote: '"',
  grave: '`',
  quoteleft: '`',
  backtick: '`',
  backquote: '`',
  asciitilde: '~',
  tilde: '~',
  comma: ',',
  less: '<',
  period: '.',
  dot: '.',
  greater: '>',
  slash: '/',
  question: '?',
}

const codes = new Map<string, string>()
for (const [code, aliases] of Object.entries(named)) {
  codes.set(plain(code), code)
  for (const alias of aliases.split(' ')) if (alias) codes.set(alias, code)
}
for (let n = 1; n <= 24; n++) codes.set(`f${n}`, `f${n}`)
for (let n = 0; n <= 9; n++) for (const name of [`kp${n}`, `numpad${n}`]) codes.set(name, `kp_${n}`)
codes.set('kpinsert', 'kp_0')

export function plain(name: string): string {
  return name.toLowerCase().replace(/[_\- ]/g, '')
}

/** The code of a key that has a name of its own, or undefined. */
export function namedKey(name: string): string | undefined {
  return codes.get(plain(name))
}

/** The character an X11 symbol name stands for, or undefined. */
export function namedSymbol(name: string): string | undefined {
  return symbols[plain(name)]
}

const modifiers = new Set(['ctrl', 'ctrl_r', 'shift', 'shift_r', 'alt', 'alt_r', 'meta_l', 'meta_r'])

export function isModifier(code: string): boolean {
  return modifiers.has(code)
}
