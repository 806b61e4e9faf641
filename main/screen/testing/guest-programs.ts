import { setTimeout as sleep } from 'node:timers/promises'
import type { Region } from '../../contract/action.ts'
import { GodHandError } from '../../contract/errors.ts'
import type { RawFrame, Sandbox } from '../../sandbox/sandbox.ts'
import { diffFrames } from '../diff.ts'
import { performAction } from '../input.ts'

/** For machine tests: programs of the guest's desktop, started and waited for. */

/** Where the browser's own bars end, in a maximised window. */
const addressBottom = 115

/** In the browser that runs, by its address field; where none runs, by starting one. */
export async function openPage(sandbox: Sandbox, address: string): Promise<void> {
  const windows = await sandbox.execFile([
    'xdotool',
    'search',
    '--onlyvisible',
    '--class',
    'firefox',
    'windowactivate',
    '--sync',
  ])
  if (windows.exitCode !== 0) return start(sandbox, ['firefox-esr', address])
  await performAction(sandbox, { type: 'key', chord: 'Escape', repeat: 1 })
  const before = await atRest(sandbox)
  await performAction(sandbox, { type: 'key', chord: 'ctrl+l', repeat: 1 })
  // The browser asks the page about the keys first: what is typed before the field shows its focus goes to the page.
  const shown = (now: RawFrame) => diffFrames(before, now).boxes.some(({ y }) => y < addressBottom)
  await waitFor(20_000, async () => (shown(await sandbox.capture()) ? true : null)).catch(() => null)
  await performAction(sandbox, { type: 'type', text: `${address}\n` })
}

/** Writes each POST's body to /tmp/reports/<path>. A child a connection: browsers open some and say nothing on them. */
const listener = `use IO::Socket::INET; mkdir '/tmp/reports'; my $s=IO::Socket::INET->new(LocalAddr=>'127.0.0.1',LocalPort=>8377,Listen=>5,ReuseAddr=>1) or exit;$SIG{CHLD}='IGNORE';
while(my $c=$s->accept){next if fork;my($n,$p)=(0,'');while(my $l=<$c>){$p=$1 if $l=~m{^POST /([\\w.-]+)};$n=$1 if $l=~/^content-length: (\\d+)/i;last if $l=~/^\\r?\\n$/}
my $b='';read($c,$b,$n) if $n;if($p){open(my $f,'>',"/tmp/reports/.$p");print $f $b;close $f;rename "/tmp/reports/.$p","/tmp/reports/$p"}
print $c "HTTP/1.1 204 No Content\\r\\nAccess-Control-Allow-Origin: *\\r\\nConnection: close\\r\\n\\r\\n";close $c;exit}`

export async function startListener(sandbox: Sandbox): Promise<void> {
  await start(sandbox, ['perl', '-e', listener])
}

/** What a page has sent to the listener under this name. */
export async function report(sandbox: Sandbox, name: string, limitMs: number): Promise<unknown> {
  const sent = await waitFor(limitMs, () =>
    sandbox.readFile(`/tmp/reports/${name}`).catch((error: unknown) => {
      if (GodHandError.from(error).code === 'not_found') return null
      throw error
    }),
  )
  return JSON.parse(sent.toString('utf8'))
}

/** Starts a program of the desktop and leaves it running. */
export async function start(sandbox: Sandbox, argv: string[]): Promise<void> {
  await sandbox.execFile(['sh', '-c', 'setsid "$@" >/dev/null 2>&1 </dev/null &', 'sh', ...argv])
}

/** The area a window's program draws in, its frame left out. */
export async function windowArea(sandbox: Sandbox, title: string): Promise<Region> {
  return waitFor(60_000, async () => {
    const { stdout } = await sandbox.execFile(['xwininfo', '-name', title])
    const field = (name: string) => Number(new RegExp(`${name}:\\s+(-?\\d+)`).exec(stdout)?.[1])
    const area = {
      x: field('Absolute upper-left X'),
      y: field('Absolute upper-left Y'),
      width: field('Width'),
      height: field('Height'),
    }
    return area.width > 0 && area.y > 0 ? area : null
  })
}

/** The screen once it has stood still for a second. */
export async function atRest(sandbox: Sandbox, limitMs = 60_000): Promise<RawFrame> {
  let last = await sandbox.capture()
  let since = performance.now()
  return waitFor(limitMs, async () => {
    const now = await sandbox.capture()
    if (diffFrames(last, now).boxes.length > 0) since = performance.now()
    last = now
    return performance.now() - since > 1000 ? now : null
  })
}

export async function waitFor<T>(limitMs: number, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > deadline) throw new GodHandError('timeout', 'What the test waits for did not come.')
    await sleep(150)
  }
}
