import { expect, test } from 'vitest'
import { TaskState } from '../contract/task.ts'
import { hasEnded, nextTaskState } from './task-state.ts'

const legal = new Set([
  'queued preparing',
  'queued stopped',
  'queued interrupted',
  'preparing running',
  'preparing failed',
  'preparing stopped',
  'preparing interrupted',
  'running succeeded',
  'running failed',
  'running stopped',
  'running interrupted',
  'interrupted queued',
])

const pairs = TaskState.options.flatMap((from) => TaskState.options.map((to) => ({ from, to })))

test.each(pairs)('a task may go from $from to $to only if the diagram says so', ({ from, to }) => {
  if (legal.has(`${from} ${to}`)) expect(nextTaskState(from, to)).toBe(to)
  else expect(() => nextTaskState(from, to)).toThrow(`A task that is ${from} cannot become ${to}.`)
})

test('the ended states are those in which nothing happens by itself', () => {
  expect(TaskState.options.filter(hasEnded)).toEqual(['succeeded', 'failed', 'stopped', 'interrupted'])
})
