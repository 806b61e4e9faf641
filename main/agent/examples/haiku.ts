import { example } from './example.ts'
import { EDITOR_BUTTON, TERMINAL_BUTTON } from './panel.ts'

const POEM = '/home/user/haiku.txt'
const poem = 'Copy upon write,\na page the fork never turned\nis still the first snow.\n'

/** Two programs beside each other: one writes, the other counts. */
export const haiku = example(
  {
    id: 'haiku',
    title: 'A haiku, counted',
    detail: 'Writes a haiku in the editor and has the terminal beside it count lines and words.',
  },
  {
    goal: 'Write a haiku in the editor and count its lines and words in a terminal beside it',
    steps: [
      {
        say: 'An editor on the left half of the screen.',
        do: [{ type: 'click', at: EDITOR_BUTTON }],
        expect: [{ check: 'window_active', title: 'Untitled' }],
      },
      {
        say: 'To the left with it, so that there is room for the counting.',
        do: [{ type: 'key', chord: 'super+Left' }],
        expect: [{ check: 'screen_changed' }],
      },
      { say: 'Seventeen syllables about snapshots.', do: [{ type: 'type', text: poem }] },
      {
        say: 'Kept under a name.',
        do: [{ type: 'key', chord: 'ctrl+s' }],
        expect: [{ check: 'window_active', title: 'Save As' }],
      },
      {
        say: 'haiku.txt will do.',
        do: [
          { type: 'key', chord: 'ctrl+a' },
          { type: 'type', text: 'haiku.txt' },
        ],
        expect: [{ check: 'screen_changed' }],
      },
      {
        say: 'And there it lies.',
        do: [{ type: 'key', chord: 'Return' }],
        expect: [{ check: 'file_content', path: POEM, text: 'first snow' }],
      },
      {
        say: 'Now the one who counts, on the right.',
        do: [{ type: 'click', at: TERMINAL_BUTTON }],
        expect: [{ check: 'window_active', title: 'Terminal' }],
      },
      {
        say: 'Three lines, fourteen words: let us see.',
        do: [
          { type: 'key', chord: 'super+Right' },
          { type: 'type', text: 'clear; wc -l -w haiku.txt | tee count.txt\n' },
        ],
        expect: [{ check: 'file_content', path: '/home/user/count.txt', text: 'haiku.txt' }],
      },
    ],
    finish: [
      { check: 'file_content', path: POEM, text: poem, match: 'exact' },
      { check: 'file_content', path: '/home/user/count.txt', text: '^\\s*3\\s+14\\s+haiku\\.txt', match: 'regex' },
      { check: 'window_open', title: 'haiku.txt' },
    ],
  },
)
