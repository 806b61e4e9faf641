import type { BranchOption } from '../../contract/tree-act.ts'
import { example } from './example.ts'
import { EDITOR_BUTTON, TERMINAL_BUTTON } from './panel.ts'

const BOOK = '/home/user/book.txt'
const NOTE = '/home/user/note.txt'
const RECIPE = 'a pinch of salt'
const note = 'These words are in memory only. Nobody has saved them.'

const noteIsOpen = { check: 'window_active', title: 'Untitled' } as const
const bookHolds = { check: 'file_content', path: BOOK, text: RECIPE } as const

const patient = { timeoutSeconds: 90 } // several machines share the host

/** A way to make the book: a command in a terminal of its own, and tidying up as one does at the end. */
function way(plan: string, command: string): BranchOption {
  return {
    plan,
    steps: [
      {
        say: `${plan}. A terminal for it.`,
        do: [{ type: 'click', at: TERMINAL_BUTTON }],
        expect: [{ check: 'window_active', title: 'Terminal' }],
        ...patient,
      },
      { say: 'The book is made.', do: [{ type: 'type', text: `${command}\n` }], expect: [bookHolds], ...patient },
      {
        say: 'Tidy up and leave, as one does at the end.',
        do: [{ type: 'type', text: 'rm -f /tmp/*.txt; exit\n' }],
        expect: [noteIsOpen],
        ...patient,
      },
    ],
    finishTimeoutSeconds: 3,
  }
}

/**
 * Three plausible ways at once on three live machines. One fails only later, one does harm, one is right; the task goes on
 * from the memory of the winner, in which an unsaved note is still open.
 */
export const threeWays = example(
  {
    id: 'three-ways',
    title: 'Three ways, and an unsaved note',
    detail:
      'Makes a book of recipes in three machines at once. The best is kept, and a note nobody saved lives on in it.',
  },
  {
    goal: 'Make a book of three recipes: try three ways at once, keep the best, lose nothing',
    steps: [
      {
        say: 'Three recipes lie in a folder. They shall become one book. But first an editor, for a note that I do not save yet.',
        do: [
          {
            type: 'exec',
            command:
              'mkdir -p ~/recipes && cd ~/recipes && echo two eggs > cake.txt && echo an onion > pie.txt && echo a pinch of salt > soup.txt',
          },
          { type: 'click', at: EDITOR_BUTTON },
        ],
        expect: [noteIsOpen],
      },
      { say: 'It exists nowhere but in this window.', do: [{ type: 'type', text: note }] },
      {
        say: 'There are three ways to make the book, and I cannot know which is best. I try all of them, each on a machine of its own.',
        do: [
          {
            type: 'branch',
            options: [
              way(
                'Write it to the fast folder and link to it',
                'cat recipes/* > /tmp/book.txt; ln -s /tmp/book.txt book.txt',
              ),
              way('Write it, and throw the loose sheets away', 'cat recipes/* > book.txt; rm -r recipes'),
              way('Write it', 'cat recipes/* > book.txt'),
            ],
            checks: [bookHolds],
            limits: { maxSteps: 8, maxSeconds: 240 },
          },
        ],
      },
      {
        say: 'This is the winner’s machine, with all that was in its memory. The note is still open; now it may be saved.',
        do: [{ type: 'key', chord: 'ctrl+s' }],
        expect: [{ check: 'window_active', title: 'Save As' }],
      },
      {
        say: 'As note.txt.',
        do: [
          { type: 'key', chord: 'ctrl+a' },
          { type: 'type', text: 'note.txt' },
        ],
        expect: [{ check: 'screen_changed' }],
      },
      {
        say: 'And there it is.',
        do: [{ type: 'key', chord: 'Return' }],
        expect: [{ check: 'file_content', path: NOTE, text: note }],
      },
    ],
    finish: [
      bookHolds,
      { check: 'file_content', path: NOTE, text: note },
      { check: 'file_exists', path: '/home/user/recipes/soup.txt' },
    ],
  },
)
