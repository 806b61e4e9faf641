import { Script } from '../../contract/task.ts'
import { EDITOR_BUTTON, TERMINAL_BUTTON } from '../examples/panel.ts'

const LETTER = '/home/user/letter.txt'
const STAMP = '/home/user/letter.sha256'

const letter = `Dear newcomer,

this desktop did not exist a moment ago.
It was made for one task, and it is yours to break:
snapshot it, fork it, roll it back, throw it away.

Whatever I do here, you can watch, stop, or take over.

Yours,
GodHand
`

/** A window opens in a second, or in half a minute where the host is busy: a first impression is worth the wait. */
const patient = { timeoutSeconds: 60 }

/** What a newcomer sees first: no key, no network, a real desktop, and a proof at the end. */
export const demo: Script = Script.parse({
  goal: 'Write a letter in the editor, save it, and seal it in the terminal',
  steps: [
    {
      ...patient,
      say: 'Hello! This desktop was made just now, for this one task. Let me open the text editor.',
      do: [{ type: 'click', at: EDITOR_BUTTON }],
      expect: [{ check: 'window_active', title: 'Untitled' }],
    },
    {
      ...patient,
      say: 'A blank page. I have something to say to you.',
      do: [{ type: 'type', text: letter }],
      expect: [{ check: 'screen_changed' }],
    },
    {
      ...patient,
      say: 'Saved is saved: Ctrl+S, and a name for it.',
      do: [{ type: 'key', chord: 'ctrl+s' }],
      expect: [{ check: 'window_active', title: 'Save As' }],
    },
    {
      ...patient,
      say: 'It shall be called letter.txt, in the home folder.',
      do: [
        { type: 'key', chord: 'ctrl+a' },
        { type: 'type', text: 'letter.txt' },
      ],
      expect: [{ check: 'screen_changed' }],
    },
    {
      ...patient,
      say: 'And there it lies.',
      do: [{ type: 'key', chord: 'Return' }],
      expect: [{ check: 'file_content', path: LETTER, text: 'this desktop did not exist a moment ago' }],
    },
    {
      ...patient,
      say: 'Now a terminal, to seal the letter with its fingerprint.',
      do: [{ type: 'click', at: TERMINAL_BUTTON }],
      expect: [{ check: 'window_active', title: 'Terminal' }],
    },
    {
      ...patient,
      say: 'The fingerprint goes into a file of its own, so that anyone can check the letter later.',
      do: [{ type: 'type', text: `sha256sum letter.txt | tee letter.sha256\n` }],
      expect: [{ check: 'file_exists', path: STAMP }],
    },
    {
      ...patient,
      say: 'Let me read it back to you.',
      do: [{ type: 'type', text: 'clear; cat letter.txt; sha256sum -c letter.sha256\n' }],
      expect: [{ check: 'screen_changed' }],
    },
  ],
  finishTimeoutSeconds: 60,
  finish: [
    { check: 'file_content', path: LETTER, text: letter, match: 'exact' },
    {
      check: 'command',
      argv: ['sh', '-c', 'cd /home/user && sha256sum -c letter.sha256'],
      output: { text: 'letter.txt: OK' },
    },
  ],
})
