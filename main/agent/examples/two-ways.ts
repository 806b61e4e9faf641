import { example } from './example.ts'

const NOTES = '/home/user/notes'
const count = `ls ${NOTES} | wc -l`

/** The choice nobody should have to make: both ways are gone at once, and the evidence decides. */
export const twoWays = example(
  {
    id: 'two-ways',
    title: 'Two ways at once',
    detail: 'Makes room on a disk in two machines at the same time. One way loses notes; the other is kept.',
  },
  {
    goal: 'Make room by packing the old notes, without losing a single one',
    steps: [
      {
        say: 'Twenty notes, and a disk that wants room.',
        do: [
          {
            type: 'exec',
            command: `mkdir -p ${NOTES} && cd ${NOTES} && for i in $(seq 1 20); do yes "note $i" | head -c 20000 > note-$i.txt; done; cat note-*.txt | sha256sum > ../sum`,
          },
        ],
        expect: [{ check: 'command', argv: ['sh', '-c', count], output: { text: '20' } }],
      },
      {
        say: 'There are two ways to make room. I try both, each in a copy of this machine, and look what became of the notes.',
        do: [
          {
            type: 'branch',
            options: [
              {
                plan: 'Delete the older half',
                steps: [
                  {
                    say: 'The first ten are old. Away with them.',
                    do: [{ type: 'exec', command: `cd ${NOTES} && rm $(ls -v | head -10)` }],
                  },
                ],
                finish: [{ check: 'command', argv: ['sh', '-c', `test $(du -sk ${NOTES} | cut -f1) -lt 300`] }],
              },
              {
                plan: 'Pack every note',
                steps: [
                  {
                    say: 'Each note is packed where it lies.',
                    do: [{ type: 'exec', command: `gzip ${NOTES}/*.txt` }],
                  },
                ],
                finish: [{ check: 'command', argv: ['sh', '-c', `test $(du -sk ${NOTES} | cut -f1) -lt 300`] }],
              },
            ],
            checks: [
              {
                check: 'command',
                argv: [
                  'sh',
                  '-c',
                  `cd ${NOTES} && cat note-*.txt 2>/dev/null | sha256sum | cmp - ../sum || zcat note-*.gz | sha256sum | cmp - ../sum`,
                ],
              },
            ],
          },
        ],
      },
    ],
    finish: [
      { check: 'command', argv: ['sh', '-c', count], output: { text: '20' } },
      { check: 'command', argv: ['sh', '-c', `zcat ${NOTES}/note-*.gz | sha256sum | cmp - /home/user/sum`] },
      { check: 'command', argv: ['sh', '-c', `test $(du -sk ${NOTES} | cut -f1) -lt 300`] },
    ],
  },
)
