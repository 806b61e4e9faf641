import { example } from './example.ts'
import { TERMINAL_BUTTON } from './panel.ts'

const draw =
  'BEGIN { for (y = 0; y < 24; y++) { line = ""; for (x = 0; x < 72; x++) { h = 12 + 6 * sin(x / 6) + 3 * sin(x / 3 + y / 4); line = line (y > h ? "~" : (y > h - 1.2 ? "^" : (((x * 7 + y * 13) % 61 == 0) ? "*" : " "))) } print line } }'

/** A picture nobody drew: the sea at night, one line of arithmetic. */
export const waves = example(
  {
    id: 'waves',
    title: 'The sea at night',
    detail: 'A terminal over the whole screen, and a sea with stars drawn in it by a line of arithmetic.',
  },
  {
    goal: 'Draw the sea at night in the terminal and keep the picture',
    steps: [
      {
        say: 'A dark canvas.',
        do: [{ type: 'click', at: TERMINAL_BUTTON }],
        expect: [{ check: 'window_active', title: 'Terminal' }],
      },
      {
        say: 'As large as it gets.',
        do: [{ type: 'key', chord: 'super+Up' }],
        expect: [{ check: 'screen_changed' }],
      },
      {
        say: 'The recipe for a sea: two waves, and a star now and then.',
        do: [{ type: 'write_file', path: '/home/user/sea.awk', text: `${draw}\n` }],
        expect: [{ check: 'file_exists', path: '/home/user/sea.awk' }],
      },
      {
        say: 'Let there be water.',
        do: [{ type: 'type', text: 'clear; awk -f sea.awk | tee sea.txt\n' }],
        expect: [{ check: 'file_content', path: '/home/user/sea.txt', text: '~~~~~~~~' }],
      },
    ],
    finish: [
      {
        check: 'command',
        argv: ['awk', 'END { print NR }', '/home/user/sea.txt'],
        output: { text: '24' },
      },
      { check: 'file_content', path: '/home/user/sea.txt', text: '*' },
      { check: 'file_content', path: '/home/user/sea.txt', text: '^^' },
    ],
  },
)
