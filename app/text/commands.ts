import type { Group } from '../commands/command.ts'

const groups: Record<Group, string> = {
  here: 'Here',
  go: 'Go to',
  do: 'Do',
  look: 'Appearance',
  help: 'Help',
}

/** The names of commands, and the words of the palette that shows them. */
export const commandsText = {
  palette: {
    title: 'Commands',
    open: (keys: string) => `Commands (${keys})`,
    search: 'Search for a command or a task',
    placeholder: 'What do you want to do?',
    tasks: 'Tasks',
    none: 'Nothing fits these words.',
    hint: '↑ ↓ to choose, Enter to do, Escape to close',
  },
  help: { title: 'Keyboard shortcuts', and: 'then' },
  groups,
  home: { label: 'Tasks', keywords: 'start home new list' },
  time: { label: 'Time travel', keywords: 'snapshots tree history moments lineage' },
  library: { label: 'Library', keywords: 'traces past search export import' },
  machines: { label: 'Machines', keywords: 'desktops virtual vm images memory' },
  benchmarks: { label: 'Benchmarks', keywords: 'score performance charts tasks' },
  settings: { label: 'Settings', keywords: 'preferences keys models options' },
  doctor: { label: 'Diagnostics', keywords: 'checks doctor logs support problem reset' },
  pause: { label: 'Pause this task', keywords: 'wait hold' },
  resume: { label: 'Let this task go on', keywords: 'resume continue' },
  takeOver: { label: 'Take over', keywords: 'mouse keyboard drive control' },
  handBack: { label: 'Hand back', keywords: 'control agent' },
  checkpoint: { label: 'Keep the machine as it is now', keywords: 'checkpoint snapshot save' },
  checkpointKept: 'Kept. You can come back to this moment in time travel.',
  stop: { label: 'Stop this task', keywords: 'end cancel abort' },
  timeOfTask: { label: 'Time travel in this task', keywords: 'history tree snapshots' },
  newTask: { label: 'New task', keywords: 'goal run compose write' },
  demo: { label: 'Play the demo', keywords: 'show example try' },
  newMachine: { label: 'New desktop', keywords: 'machine create vm sandbox' },
  light: { label: 'Light theme', keywords: 'appearance bright day colour' },
  dark: { label: 'Dark theme', keywords: 'appearance night colour' },
  system: { label: 'Theme of the system', keywords: 'appearance automatic colour' },
  palettes: { label: 'All commands', keywords: 'palette search' },
  shortcuts: { label: 'Keyboard shortcuts', keywords: 'keys help' },
  welcome: { label: 'Show the welcome again', keywords: 'first run setup start' },
  reconnect: { label: 'Connect to the engine now', keywords: 'retry reconnect' },
} as const
