import { createHash } from 'node:crypto'
import path from 'node:path'
import sharp from 'sharp'
import { openBundle } from '../bundle/bundle-reader.ts'
import { chainLine, nextLink, splitLine } from '../bundle/chain.ts'
import { exportBundle } from '../export/export-trace.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'
import { emptyHouse, paintedFrame, record } from './recorded.ts'
import { sampleBranch } from './samples.ts'

/** A sound bundle's files, to be spoiled one at a time and sealed again as an attacker would. */
const sound = new Map<string, Buffer>()

/** Inside a test, because the house it is made in ends with the test. */
export async function prepareSound(): Promise<void> {
  if (sound.size > 0) return
  const house = await emptyHouse()
  const task = await record(house)
  const file = path.join(house.folder, 'sound.ghtrace')
  await exportBundle(house.store, house.frames, task.id, file)
  const bundle = await openBundle(file)
  for (const name of bundle.names) sound.set(name, await bundle.read(name))
  bundle.close()
}

type Files = Map<string, Buffer>
const text = (files: Files, name: string) => files.get(name)?.toString() ?? ''
export const frameNames = () => [...sound.keys()].filter((name) => name.startsWith('frames/'))

/** The files changed, with sums that fit again; then the entries changed, then sealed. */
export function bundleOf(
  change: (files: Files) => void,
  entries: (list: RawEntry[]) => RawEntry[] = (list) => list,
): Buffer {
  const files = new Map(sound)
  files.delete('SHA256SUMS')
  change(files)
  const sums = [...files].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
  if (!files.has('SHA256SUMS')) files.set('SHA256SUMS', Buffer.from(sums.join('')))
  return rawZip(entries([...files].map(([name, content]) => ({ name, content, deflate: !name.startsWith('frames/') }))))
}

function editJson(files: Files, name: string, edit: (value: { task: object }) => object): void {
  files.set(name, Buffer.from(JSON.stringify(edit(JSON.parse(text(files, name))))))
}

/** Steps changed, and the chain forged to fit. */
function forgeSteps(files: Files, edit: (stepJson: string, index: number) => string): void {
  const manifest = JSON.parse(text(files, 'manifest.json'))
  let link = manifest.steps.seed
  const lines = text(files, 'steps.jsonl').trimEnd().split('\n')
  const forged = lines.map((line, index) => {
    const json = edit(splitLine(line)?.stepJson ?? '', index)
    link = nextLink(link, json)
    return chainLine(link, json)
  })
  manifest.steps.head = link
  files.set('steps.jsonl', Buffer.from(forged.join('')))
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
}

function replaceFrame(files: Files, png: Buffer): void {
  const name = frameNames()[0] ?? ''
  const manifest = JSON.parse(text(files, 'manifest.json'))
  manifest.frames.bytes += png.length - (files.get(name)?.length ?? 0)
  files.set(name, png)
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
}

const rename = (from: string, to: string) => (list: RawEntry[]) =>
  list.map((entry) => (entry.name === from ? { ...entry, name: to } : entry))

async function gigapixel(): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  return png
}

/** No bytes but the end records of a zip of that many files: a reader must not believe it and make room. */
function zipClaiming(entries: number): Buffer {
  const large = Buffer.alloc(56 + 20)
  large.write('504b0606', 'hex')
  large.writeBigUInt64LE(44n, 4)
  large.writeBigUInt64LE(BigInt(entries), 24)
  large.writeBigUInt64LE(BigInt(entries), 32)
  large.write('504b0607', 56, 'hex')
  large.writeUInt32LE(1, 72)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  for (const at of [8, 10]) end.writeUInt16LE(0xffff, at)
  for (const at of [12, 16]) end.writeUInt32LE(0xffffffff, at)
  end.writeUInt16LE(79, 20)
  const all = Buffer.concat([large, end])
  return Buffer.concat([all, Buffer.from(`ghtrace sha256 ${createHash('sha256').update(all).digest('hex')}`)])
}

export const script = '<img src=x onerror=alert(1)>'

export const hostile: [string, string, () => Buffer | Promise<Buffer>][] = [
  ['a path that climbs out', 'name', () => bundleOf(() => {}, rename('lineage.json', '../../evil.json'))],
  ['an absolute path', 'name', () => bundleOf(() => {}, rename('lineage.json', '/etc/evil'))],
  ['a path with backslashes', 'name', () => bundleOf(() => {}, rename('lineage.json', '..\\evil.json'))],
  ['a file no bundle has', 'name', () => bundleOf((files) => files.set('run-me.sh', Buffer.from('rm -rf /')))],
  [
    'a symbolic link',
    'name',
    () =>
      bundleOf(
        () => {},
        (list) => list.map((entry) => (entry.name === 'lineage.json' ? { ...entry, mode: 0o120777 } : entry)),
      ),
  ],
  [
    'a file that is there twice',
    'name',
    () =>
      bundleOf(
        () => {},
        (list) => [...list, ...list.slice(-1)],
      ),
  ],
  [
    'two names for one file',
    'layout',
    () =>
      bundleOf(
        () => {},
        (list) =>
          list.map((entry) => (entry.name === 'lineage.json' ? { ...entry, localName: 'evil.json!!!' } : entry)),
      ),
  ],
  [
    'bytes hidden between files',
    'layout',
    () =>
      bundleOf(
        () => {},
        (list) => list.map((entry, n) => (n === 1 ? { ...entry, gapBefore: Buffer.from('hidden') } : entry)),
      ),
  ],
  ['a zip bomb', 'limit', () => bundleOf((files) => files.set('lineage.json', Buffer.alloc(60_000_000, 32)))],
  [
    'a size that lies',
    'layout',
    () =>
      bundleOf(
        () => {},
        (list) => list.map((entry) => (entry.name === 'steps.jsonl' ? { ...entry, announcedBytes: 10 } : entry)),
      ),
  ],
  [
    'a picture of a gigapixel',
    'frame',
    async () => {
      const png = await gigapixel()
      return bundleOf((files) => replaceFrame(files, png))
    },
  ],
  [
    'an SVG that calls itself a PNG',
    'frame',
    () =>
      bundleOf((files) =>
        replaceFrame(
          files,
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
        ),
      ),
  ],
  [
    'a picture under the name of another',
    'hash',
    async () => {
      const { png } = await paintedFrame(99)
      return bundleOf((files) => replaceFrame(files, png))
    },
  ],
  [
    'a picture cut off',
    'frame',
    () =>
      bundleOf((files) => replaceFrame(files, (files.get(frameNames()[0] ?? '') ?? Buffer.alloc(0)).subarray(0, 120))),
  ],
  ['a picture left out', 'missing', () => bundleOf((files) => files.delete(frameNames()[0] ?? ''))],
  ['broken JSON', 'json', () => bundleOf((files) => files.set('manifest.json', Buffer.from('{"format":')))],
  [
    'text that is not UTF-8',
    'json',
    () => bundleOf((files) => files.set('lineage.json', Buffer.from([0xff, 0xfe, 0x7b]))),
  ],
  [
    'JSON nested a million deep',
    'limit',
    () => bundleOf((files) => files.set('lineage.json', Buffer.from('['.repeat(1_000_000)))),
  ],
  [
    'evidence nested ten thousand deep',
    'limit',
    () =>
      bundleOf((files) =>
        forgeSteps(files, (json) =>
          json.replace('"evidence":{', `"evidence":{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`),
        ),
      ),
  ],
  [
    'a wrong sum',
    'hash',
    () =>
      bundleOf((files) =>
        files.set(
          'SHA256SUMS',
          Buffer.from(text(sound, 'SHA256SUMS').replace(/^[0-9a-f]{64}(?= {2}steps)/m, 'a'.repeat(64))),
        ),
      ),
  ],
  [
    'a step changed without the chain',
    'chain',
    () =>
      bundleOf((files) =>
        files.set('steps.jsonl', Buffer.from(text(files, 'steps.jsonl').replace('ctrl+s', 'ctrl+q'))),
      ),
  ],
  [
    'a step taken out',
    'chain',
    () =>
      bundleOf((files) =>
        files.set('steps.jsonl', Buffer.from(text(files, 'steps.jsonl').split('\n').toSpliced(1, 1).join('\n'))),
      ),
  ],
  [
    'steps of another goal',
    'chain',
    () =>
      bundleOf((files) =>
        editJson(files, 'manifest.json', (manifest) => ({
          ...manifest,
          task: { ...manifest.task, goal: 'Something else' },
        })),
      ),
  ],
  [
    'a version of the future',
    'version',
    () => bundleOf((files) => editJson(files, 'manifest.json', (manifest) => ({ ...manifest, version: 2 }))),
  ],
  [
    'a script in the name of the image',
    'shape',
    () =>
      bundleOf((files) =>
        editJson(files, 'manifest.json', (manifest) => ({
          ...manifest,
          task: { ...manifest.task, image: script },
        })),
      ),
  ],
  [
    'a script in a tag',
    'shape',
    () => bundleOf((files) => editJson(files, 'manifest.json', (manifest) => ({ ...manifest, tags: [script] }))),
  ],
  [
    'a script in place of a picture’s name',
    'shape',
    () =>
      bundleOf((files) => forgeSteps(files, (json) => json.replace(/"before":"[0-9a-f]+"/, `"before":"${script}"`))),
  ],
  [
    'a script in a time',
    'shape',
    () =>
      bundleOf((files) => forgeSteps(files, (json) => json.replace(/"startedAt":"[^"]+"/, `"startedAt":"${script}"`))),
  ],
  [
    'an id that is a path',
    'shape',
    () =>
      bundleOf((files) =>
        editJson(files, 'manifest.json', (manifest) => ({
          ...manifest,
          task: { ...manifest.task, id: '../../x' },
        })),
      ),
  ],
  [
    'an action nobody knows',
    'shape',
    () => bundleOf((files) => forgeSteps(files, (json) => json.replace('"type":"click"', '"type":"format_disk"'))),
  ],
  [
    'no seal',
    'seal',
    () =>
      rawZip(
        [...sound].map(([name, content]) => ({ name, content })),
        { sealed: false },
      ),
  ],
  ['bytes after the end', 'seal', () => Buffer.concat([bundleOf(() => {}), Buffer.from('more')])],
  ['something that is no zip at all', 'seal', () => Buffer.from('GIF89a'.repeat(100))],
  [
    'two branches of one name',
    'shape',
    () =>
      bundleOf((files) =>
        editJson(files, 'lineage.json', (lineage) => {
          const { task } = JSON.parse(text(files, 'manifest.json'))
          const branch = sampleBranch(task.id, { id: 'branch_1' })
          return { ...lineage, branches: [branch, { ...branch, parentId: 'branch_1' }] }
        }),
      ),
  ],
  [
    'steps in another order, chained anew',
    'chain',
    () => bundleOf((files) => forgeSteps(files, (json, index) => json.replace(/"index":\d+/, `"index":${2 - index}`))),
  ],
  [
    'a step of another trace, chained anew',
    'chain',
    () => bundleOf((files) => forgeSteps(files, (json) => json.replace(/"taskId":"[^"]+"/, '"taskId":"task_other"'))),
  ],
  ['more files than a bundle can have', 'limit', () => zipClaiming(1_000_000)],
  ['an empty file', 'seal', () => Buffer.alloc(0)],
]
