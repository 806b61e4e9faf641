import { expect, test } from 'vitest'
import { excerpt } from './search-excerpt.ts'
import { searchQuery } from './search-query.ts'

const found = (query: string, ...texts: string[]) => excerpt(texts, searchQuery(query)?.terms ?? [])
const filler = (n: number) => Array.from({ length: n }, (_, at) => `w${at}`).join(' ')

test('what was looked for is marked as it is written, whatever its case and accents, also half typed', () => {
  expect(found('grosse', 'Eine Große, eine Größe')).not.toContain('«')
  expect(found('große', 'Eine GROßE, eine Größe.')).toBe('Eine «GROßE», eine «Größe».')
  expect(found('poem ed', 'Edit the poem in the editor')).toBe('«Edit» the «poem» in the «editor»')
  expect(found('"the poem"', 'the Poem, a poem')).toBe('«the Poem», a poem')
})

test('of a long text the part is shown where most of it stands, of several texts the one that has most', () => {
  const text = `frog ${filler(40)} frog and pond ${filler(40)}`
  expect(found('frog pond', text)).toBe('…w37 w38 w39 «frog» and «pond» w0 w1 w2 w3 w4 w5 w6 w7…')
  expect(found('frog pond', 'a frog', 'a frog in a pond')).toBe('a «frog» in a «pond»')
  expect(found('frog', 'nothing', 'a frog', 'another frog')).toBe('a «frog»')
  expect(found('w79', filler(80))).toBe('…w66 w67 w68 w69 w70 w71 w72 w73 w74 w75 w76 w77 w78 «w79»')
})

test('a full screen of one word does not take long, and nothing to show is shown as nothing', () => {
  const start = performance.now()
  expect(found('frog', 'frog '.repeat(4000))).toContain('«frog»')
  expect(performance.now() - start).toBeLessThan(500)
  expect(found('frog', '')).toBe('')
})
