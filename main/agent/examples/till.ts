import { example } from './example.ts'
import { TERMINAL_BUTTON } from './panel.ts'

const SALES = '/home/user/sales.csv'
const sales = 'day,item,price\nmon,tea,3.50\nmon,cake,4.25\ntue,tea,3.50\ntue,tea,3.50\nwed,cake,4.25\nwed,jam,6.00\n'

/** Numbers that can be added up by anyone, and are checked against a sum made another way. */
export const till = example(
  {
    id: 'till',
    title: 'The tea shop’s till',
    detail: 'Adds up a small shop’s sales by item, writes the bill, and checks the sum by another road.',
  },
  {
    goal: 'Add up the sales of the tea shop by item and write the total into bill.txt',
    steps: [
      {
        say: 'The week’s sales, as the shop keeps them.',
        do: [{ type: 'write_file', path: SALES, text: sales }],
        expect: [{ check: 'file_content', path: SALES, text: 'jam,6.00' }],
      },
      {
        say: 'Into the terminal, where sums are cheap.',
        do: [{ type: 'click', at: TERMINAL_BUTTON }],
        expect: [{ check: 'window_active', title: 'Terminal' }],
      },
      {
        say: 'A look at the ledger before anything is added up.',
        do: [{ type: 'type', text: 'clear; cat sales.csv\n' }],
        expect: [{ check: 'screen_changed' }],
      },
      {
        say: 'Tea, cake and jam, each with its sum; the total at the end.',
        do: [
          {
            type: 'type',
            text: `tail -n +2 sales.csv | awk -F, '{s[$2]+=$3; t+=$3} END {for (i in s) printf "%-6s%7.2f\\n", i, s[i] | "sort"; close("sort"); printf "%-6s%7.2f\\n", "total", t}' | tee bill.txt\n`,
          },
        ],
        expect: [{ check: 'file_content', path: '/home/user/bill.txt', text: 'total' }],
      },
    ],
    finish: [
      { check: 'file_content', path: '/home/user/bill.txt', text: 'total\\s+25\\.00', match: 'regex' },
      { check: 'file_content', path: '/home/user/bill.txt', text: 'tea\\s+10\\.50', match: 'regex' },
      {
        check: 'command',
        argv: [
          'sh',
          '-c',
          `cut -d, -f3 ${SALES} | tail -n +2 | paste -sd+ | sed 's/\\.//g' | xargs -I{} sh -c 'echo $(({}))'`,
        ],
        output: { text: '2500' },
      },
    ],
  },
)
