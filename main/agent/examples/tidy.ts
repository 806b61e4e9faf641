import { example } from './example.ts'
import { FILES_BUTTON, TERMINAL_BUTTON } from './panel.ts'

const ROOM = '/home/user/Untidy'
const mess = ['trip-1.jpg', 'trip-2.jpg', 'cat.jpg', 'rent.txt', 'ideas.txt', 'song.ogg', 'alarm.ogg']

/** A folder everybody has, put in order by kind, with a look before and after. */
export const tidy = example(
  {
    id: 'tidy',
    title: 'The untidy folder',
    detail: 'A folder full of this and that is sorted into one for each kind, and nothing gets lost.',
  },
  {
    goal: 'Sort the files of the folder Untidy into one folder for each kind, and lose none',
    steps: [
      {
        say: 'First somebody has to make a mess. Seven files, three kinds, one folder.',
        do: [{ type: 'exec', command: `mkdir -p ${ROOM} && cd ${ROOM} && touch ${mess.join(' ')}` }],
        expect: [{ check: 'file_exists', path: `${ROOM}/cat.jpg` }],
      },
      {
        say: 'Let us look at it. It is as bad as it sounds.',
        do: [{ type: 'click', at: FILES_BUTTON }],
        expect: [{ check: 'window_active', title: 'user' }],
      },
      {
        say: 'Into the folder, by its address.',
        do: [
          { type: 'key', chord: 'ctrl+l' },
          { type: 'key', chord: 'ctrl+a' },
          { type: 'type', text: `${ROOM}\n` },
        ],
        expect: [{ check: 'window_active', title: 'Untidy' }],
      },
      {
        say: 'A terminal beside it, for the tidying.',
        do: [
          { type: 'key', chord: 'super+Left' },
          { type: 'click', at: TERMINAL_BUTTON },
        ],
        expect: [{ check: 'window_active', title: 'Terminal' }],
      },
      {
        say: 'Each file goes into the folder of its kind. Watch the window on the left.',
        do: [
          { type: 'key', chord: 'super+Right' },
          {
            type: 'type',
            text: `clear; cd ~/Untidy; for f in *.*; do mkdir -p "\${f##*.}"; mv -v "$f" "\${f##*.}/"; done\n`,
          },
        ],
        expect: [
          { check: 'file_exists', path: `${ROOM}/jpg/cat.jpg` },
          { check: 'file_exists', path: `${ROOM}/cat.jpg`, exists: false },
        ],
      },
    ],
    finish: [
      {
        check: 'command',
        argv: ['sh', '-c', `cd ${ROOM} && find . -type f | sort | tr '\\n' ' '`],
        output: {
          text: './jpg/cat.jpg ./jpg/trip-1.jpg ./jpg/trip-2.jpg ./ogg/alarm.ogg ./ogg/song.ogg ./txt/ideas.txt ./txt/rent.txt',
        },
      },
      { check: 'window_open', title: 'Untidy' },
    ],
  },
)
