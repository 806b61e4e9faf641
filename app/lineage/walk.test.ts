import { expect, it } from 'vitest'
import { aSnapshot } from '../dev/samples.ts'
import { placeTree } from './tree.ts'
import { pathTo, walk } from './walk.ts'

const tree = placeTree(
  [
    aSnapshot({ id: 'root' }),
    aSnapshot({ id: 'new', parentId: 'root', createdAt: '2026-11-02T09:05:00.000Z' }),
    aSnapshot({ id: 'old', parentId: 'root', createdAt: '2026-11-02T09:04:00.000Z' }),
  ],
  [],
)
const led = (from: string, arrow: Parameters<typeof walk>[2]) => walk(tree, from, arrow)?.node.id ?? null

it('walks to the past, to the future and between ways', () => {
  expect(led('new', 'ArrowLeft')).toBe('root')
  expect(led('root', 'ArrowRight')).toBe('new')
  expect(led('new', 'ArrowDown')).toBe('old')
  expect(led('old', 'ArrowUp')).toBe('new')
  expect(led('new', 'ArrowRight')).toBeNull()
})

it('knows the way from the beginning', () => {
  expect([...pathTo(tree, 'old')]).toEqual(['old', 'root', 'origin:desktop'])
  expect(pathTo(tree, 'gone').size).toBe(0)
})
