import { example } from './example.ts'
import { TERMINAL_BUTTON } from './panel.ts'

const FOLDER = '/home/user/parcel'

/** Goes wrong on purpose, and goes back: what a checkpoint is for. */
export const parcel = example(
  {
    id: 'parcel',
    title: 'The dropped parcel',
    detail: 'Keeps the machine, breaks something that cannot be mended, and goes back to before it broke.',
  },
  {
    goal: 'Pack a parcel, lose it by accident, and get it back by going back in time',
    steps: [
      {
        say: 'A parcel with three things in it, and its contents on a list.',
        do: [
          {
            type: 'exec',
            command: `mkdir -p ${FOLDER} && cd ${FOLDER} && echo tea > one && echo books > two && echo socks > three && sha256sum one two three > list`,
          },
        ],
        expect: [{ check: 'file_exists', path: `${FOLDER}/list` }],
      },
      {
        say: 'On the screen, so that you can see what will be lost.',
        do: [{ type: 'click', at: TERMINAL_BUTTON }],
        expect: [{ check: 'window_active', title: 'Terminal' }],
      },
      { say: 'There it is.', do: [{ type: 'type', text: 'clear; cd parcel; ls; sha256sum -c list\n' }] },
      {
        say: 'I keep the whole machine as it is now: memory, disk, open windows.',
        do: [{ type: 'checkpoint', label: 'packed' }],
      },
      {
        say: 'And now, oh dear.',
        do: [{ type: 'type', text: 'clear; rm -v one two three list\n' }],
        expect: [{ check: 'file_exists', path: `${FOLDER}/list`, exists: false }],
      },
      {
        say: 'No undelete in the world. But I own the machine: back to when it was packed.',
        do: [{ type: 'rollback', to: 'packed', why: 'The parcel was lost.' }],
        expect: [{ check: 'file_exists', path: `${FOLDER}/list` }],
      },
      {
        say: 'As if nothing had happened, the terminal and all.',
        do: [{ type: 'type', text: 'sha256sum -c list && echo All there. > found\n' }],
        expect: [{ check: 'file_exists', path: `${FOLDER}/found` }],
      },
    ],
    finish: [
      {
        check: 'command',
        argv: ['sh', '-c', `cd ${FOLDER} && sha256sum -c list`],
        output: { text: 'three: OK' },
      },
      { check: 'file_content', path: `${FOLDER}/found`, text: 'All there.' },
    ],
  },
)
