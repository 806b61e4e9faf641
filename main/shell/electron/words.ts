/** Every word the window's own parts say: menus, the tray and dialogs. The page has its own catalogue. */

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
const short = (goal: string) => (goal.length > 48 ? `${goal.slice(0, 47).trimEnd()}…` : goal)

export const words = {
  name: 'GodHand',
  cannotStart: 'GodHand can’t start',
  leftBehind: 'GodHand could not leave in order',
  menu: {
    file: 'File',
    newTask: 'New task',
    openTrace: 'Open a trace…',
    quit: 'Quit GodHand',
    edit: 'Edit',
    view: 'View',
    go: 'Go',
    places: { tasks: 'Tasks', time: 'Time', library: 'Library', machines: 'Machines', settings: 'Settings' },
    window: 'Window',
    help: 'Help',
    diagnostics: 'Diagnostics',
    logs: 'Show the logs',
    updates: 'About updates…',
    suspend: 'Pause idle machines in the background',
  },
  tray: {
    open: 'Open GodHand',
    idle: 'Nothing is running',
    stop: (goal: string) => `Stop “${short(goal)}”`,
    stopAll: 'Stop all tasks',
    needsYou: (n: number) => count(n, 'task needs you', 'tasks need you'),
    working: (n: number) => count(n, 'task working', 'tasks working'),
    machines: (n: number) => count(n, 'machine running', 'machines running'),
  },
  quit: {
    title: (tasks: number, machines: number) =>
      tasks > 0
        ? `${count(tasks, 'task is', 'tasks are')} still working.`
        : `${count(machines, 'machine is', 'machines are')} still running.`,
    detail:
      'Quitting stops the tasks and ends the machines. Traces and snapshots stay; what is only in a machine’s memory is lost.',
    quit: 'Quit',
    background: 'Keep working in the background',
    cancel: 'Cancel',
  },
  trace: { title: 'This trace can’t be opened', filter: 'GodHand traces' },
  link: { title: 'This link can’t be followed', unknown: 'GodHand does not know what it asks for.' },
  updates: {
    title: (version: string) => `GodHand ${version}`,
    detail: 'This build does not look for updates, and it sends nothing anywhere. Install a newer version over it.',
  },
  noKeyring: 'This desktop has no keyring that could lock things away (libsecret or KWallet).',
}
