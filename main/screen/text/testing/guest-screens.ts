import { z } from 'zod'
import { Region } from '../../../contract/action.ts'
import type { RawFrame, Sandbox } from '../../../sandbox/sandbox.ts'
import { touch } from '../../boxes.ts'
import { diffFrames } from '../../diff.ts'
import { performAction } from '../../input.ts'
import { atRest, openPage, report, start, startListener, waitFor, windowArea } from '../../testing/guest-programs.ts'
import { inkWithin } from '../ink.ts'

/**
 * Real desktop screens, drawn by the guest's own programs, with what stands on them known by another road: the browser
 * says where it put each word, a terminal's letters stand in a grid. Boxes are then drawn tight around the ink.
 */
export type KnownScreen = { name: string; frame: RawFrame; words: { text: string; box: Region }[] }

const sentences = [
  'The quick brown fox jumps over the lazy dog while 42 penguins watch from the iceberg.',
  'Settings are stored in /home/user/.config/app/settings.json and can be reset at any time.',
  'Invoice 2024-0917 was paid on 3 October by bank transfer, reference GH-88213.',
  'Please choose a folder with at least 2.5 GB of free space before you continue.',
  'Error: connection to server localhost:8080 was refused (code 111).',
]

const terminalLines = [
  'user@desktop:~$ ls -la Documents',
  'total 36',
  'drwxr-xr-x 4 user user 4096 Nov 18 07:01 .',
  'drwxr-xr-x 9 user user 4096 Nov 18 06:58 ..',
  '-rw-r--r-- 1 user user 1204 Nov 17 22:14 budget-2025.csv',
  '-rw-r--r-- 1 user user 8831 Nov 16 10:03 meeting_notes.md',
  '-rwxr-xr-x 1 user user  512 Nov 12 18:40 backup.sh',
  'user@desktop:~$ git status',
  'On branch main',
  'Your branch is up to date with origin/main.',
  'Changes not staged for commit:',
  '        modified:   src/server/index.ts',
  '        deleted:    docs/old-guide.md',
  'no changes added to commit',
  'user@desktop:~$ python3 -c "print(6 * 7)"',
  '42',
  'user@desktop:~$ df -h /',
  'Filesystem      Size  Used Avail Use% Mounted on',
  '/dev/vda1       7.8G  2.1G  5.3G  29% /',
  'user@desktop:~$ systemctl restart nginx',
  'Failed to connect to bus: No such file or directory',
]

export async function knownTerminal(sandbox: Sandbox, name: string, colours: string[]): Promise<KnownScreen> {
  const columns = 80
  await sandbox.writeFile('/tmp/lines.txt', Buffer.from(terminalLines.join('\n')))
  const title = `known-${name}`
  const shown = `printf "\\033[?25l"; cat /tmp/lines.txt; touch /tmp/${title}; exec sleep 600`
  const before = await sandbox.capture()
  await start(sandbox, [
    'xterm',
    '-T',
    title,
    '-b',
    '0',
    '+sb',
    '-geometry',
    `${columns}x24+60+40`,
    ...colours,
    '-e',
    'sh',
    '-c',
    shown,
  ])
  const area = await windowArea(sandbox, title)
  // A window is there before its program has drawn anything.
  await waitFor(120_000, async () => {
    const { boxes } = diffFrames(before, await sandbox.capture())
    return boxes.some((box) => touch(box, area)) ? boxes : null
  })
  await waitFor(120_000, () => sandbox.readFile(`/tmp/${title}`).catch(() => null))
  const frame = await atRest(sandbox)
  // Only now: the window manager moves a window when it draws its frame around it.
  const window = await windowArea(sandbox, title)
  const cell = { width: window.width / columns, height: window.height / 24 }
  const words = terminalLines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x: Math.round(window.x + match.index * cell.width),
        y: Math.round(window.y + row * cell.height),
        width: Math.round(match[0].length * cell.width),
        height: Math.round(cell.height),
      },
    })),
  )
  await sandbox.execFile(['xdotool', 'search', '--name', `^${title}$`, 'windowkill'])
  return { name, frame, words: tight(frame, words) }
}

const Reported = z.array(z.object({ text: z.string(), box: Region }))

/** What one page shows in turn, by the key that is pressed. */
const pages = {
  light: { key: '1', body: article() },
  dark: { key: '2', body: article() },
  dialog: { key: '3', body: dialog() },
}
export type PageName = keyof typeof pages

/**
 * A page in the browser that shows one screen after the other, and says each time where its words stand. Opening a page takes
 * many seconds under emulation, drawing it anew does not.
 */
export async function openKnownPages(sandbox: Sandbox): Promise<(name: PageName) => Promise<KnownScreen>> {
  await sandbox.writeFile('/tmp/known.html', Buffer.from(pageText()))
  await startListener(sandbox)
  // A browser that has just woken may swallow the address: then it is typed once more.
  const opened = async (limitMs: number) => {
    await openPage(sandbox, 'file:///tmp/known.html')
    await report(sandbox, 'known-ready', limitMs)
  }
  await opened(60_000).catch(() => opened(240_000))
  return async (name) => {
    await performAction(sandbox, { type: 'key', chord: pages[name].key, repeat: 1 })
    const reported = await report(sandbox, `known-${name}`, 60_000)
    const frame = await atRest(sandbox)
    return { name, frame, words: tight(frame, Reported.parse(reported)) }
  }
}

function pageText(): string {
  const shown = Object.fromEntries(Object.entries(pages).map(([name, { key, body }]) => [key, { name, body }]))
  return `<!doctype html><meta charset="utf-8"><title>Known words</title>
    <style>body{background:#fff;color:#1c1e21;font:16px Inter,sans-serif;margin:24px 40px;width:1100px}
    .dark{background:#1b1d23;color:#d7dae0}button,.card{font:inherit;padding:8px 16px;
    border-radius:6px;border:0;background:#2463eb;color:#fff;margin-right:12px}.card{background:#0f766e;display:inline-block;margin:8px 12px 8px 0}
    small{font-size:12px}dialog{border:0;border-radius:10px;padding:24px;width:420px;box-shadow:0 8px 40px #0006}
    dialog::backdrop{background:#0008}dialog h2{font-size:18px;margin:0 0 12px}</style><body>
    <script>const pages=${JSON.stringify(shown)}
    const say=(name,what)=>fetch('http://127.0.0.1:8377/known-'+name,{method:'POST',mode:'no-cors',body:JSON.stringify(what)})
    const drawn=()=>new Promise(done=>requestAnimationFrame(()=>requestAnimationFrame(done)))
    function words(){const out=[],walk=document.createTreeWalker(document.body,NodeFilter.SHOW_TEXT)
    while(walk.nextNode()){const node=walk.currentNode
    for(const m of node.data.matchAll(/\\S+/g)){const r=document.createRange();r.setStart(node,m.index);r.setEnd(node,m.index+m[0].length)
    const b=r.getBoundingClientRect();if(b.width&&b.bottom<innerHeight&&r.getClientRects().length===1)
    out.push({text:m[0],box:{x:Math.round(b.x+mozInnerScreenX),y:Math.round(b.y+mozInnerScreenY),width:Math.max(1,Math.round(b.width)),height:Math.max(1,Math.round(b.height))}})}}
    return out}
    addEventListener('keydown',async({key})=>{const page=pages[key];if(!page)return
    document.body.className=page.name;document.body.innerHTML=page.body;document.querySelector('dialog')?.showModal()
    await document.fonts.ready;await drawn();say(page.name,words())})
    addEventListener('load',async()=>{await drawn();say('ready',true)})</script>`
}

function article(): string {
  const cards = ['Inbox 17', 'Calendar', 'Contacts', 'Archive'].map((text) => `<span class="card">${text}</span>`)
  return `<h1>Quarterly report</h1><p>${sentences.join(' ')}</p><h2>What happens next</h2>
    <ul>${sentences.map((text) => `<li>${text}</li>`).join('')}</ul><div>${cards.join('')}</div>
    <p><button>Save changes</button><button>Cancel</button><a href="#x">Forgot your password?</a></p>
    <p><small>${sentences.slice(0, 3).join(' ')}</small></p><p style="font-family:monospace;font-size:14px">${sentences[4]}</p>`
}

/** A dialog over a page that stands back. */
function dialog(): string {
  return `<dialog><h2>Delete this folder?</h2><p>The folder Reports 2024 and the 38 files in it will be removed. This cannot be
  undone.</p><p><label><input type="checkbox"> Do not ask me again</label></p>
  <p><button>Delete folder</button><button style="background:#e5e7eb;color:#111">Keep it</button></p></dialog>`
}

function tight(frame: RawFrame, words: KnownScreen['words']): KnownScreen['words'] {
  return words.map(({ text, box }) => ({ text, box: inkWithin(frame, box) ?? box }))
}
