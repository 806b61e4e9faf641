export const diagnosticsText = {
  fixes: {
    prepare: 'Prepare a desktop again',
    build: 'Fetch and build what is missing',
    tidy: 'Tidy up the snapshots',
  },
  fixed: {
    prepare: 'A desktop is being prepared.',
    build: 'What is missing is being brought. It takes a few minutes.',
    tidy: 'Snapshots nobody needs were removed.',
  },
  engineLog: 'Log',
  logLead: 'What the engine wrote down, newest last.',
  level: 'Show',
  levels: { debug: 'Everything', info: 'The usual', warn: 'Warnings and errors', error: 'Errors only' },
  logEmpty: 'Nothing of this kind was written.',
  logAgain: 'Read again',
  follow: 'Where it is',
  support: {
    title: 'Support bundle',
    detail:
      'A zip for somebody who helps you: checks, how tasks ended, and the end of the logs. No secrets or keys, no goals, no pictures. It is made here and goes nowhere by itself.',
    action: 'Save the bundle',
  },
  reset: {
    title: 'Factory reset',
    detail:
      'Erases every task, trace, snapshot, secret, key and setting in the data folder. What machines are made of stays. This can’t be undone.',
    action: 'Erase everything…',
    confirmTitle: 'Erase everything?',
    confirmDetail: (words: string) =>
      `Machines end at once, and nothing can bring back what is erased. To go on, write: ${words}`,
    field: 'Write it here',
    confirm: 'Erase everything',
    done: 'Everything is erased.',
  },
} as const
