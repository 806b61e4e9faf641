import { expect, it } from 'vitest'
import type { Command } from './command.ts'
import { findCommands } from './search.ts'

const command = (id: string, label: string, keywords = ''): Command => ({
  id,
  group: 'go',
  label,
  keywords,
  perform: () => {},
})
const commands = [
  command('time', 'Time travel', 'snapshots tree'),
  command('settings', 'Settings', 'keys models'),
  command('new', 'New task', 'goal'),
  command('theme', 'Theme of the system'),
]
const ids = (words: string) => findCommands(commands, words).map(({ id }) => id)

it('lists everything while there are no words', () => {
  expect(ids('  ')).toEqual(['time', 'settings', 'new', 'theme'])
})

it('puts what begins so before what has it somewhere', () => {
  expect(ids('t')).toEqual(['time', 'theme', 'new', 'settings'])
})

it('finds a command by other words for it', () => {
  expect(ids('models')).toEqual(['settings'])
  expect(ids('snap tr')).toEqual(['time'])
})

it('finds letters with others between them', () => {
  expect(ids('tmtr')).toEqual(['time'])
})

it('wants every word', () => {
  expect(ids('time keys')).toEqual([])
})
