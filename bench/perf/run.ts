import fs from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { GodHandError } from '../../main/contract/errors.ts'
import { Lab } from './lab.ts'
import { measureBaseline } from './measure-baseline.ts'
import { measureColdBoot } from './measure-boot.ts'
import { measureForks } from './measure-forks.ts'
import { measureFresh } from './measure-fresh.ts'
import { measureHands } from './measure-hands.ts'
import { measureReading } from './measure-reading.ts'
import { measureSnapshots } from './measure-snapshots.ts'
import { measureStart } from './measure-start.ts'
import { page } from './page.ts'
import { plot } from './plot.ts'
import { makeReport, surroundings } from './report.ts'
import { Samples } from './samples.ts'
import { printedTable } from './table.ts'

const PARTS = {
  start: measureStart,
  boot: measureColdBoot,
  baseline: measureBaseline,
  fresh: measureFresh,
  hands: measureHands,
  reading: measureReading,
  snapshots: measureSnapshots,
  forks: measureForks,
}
type Part = keyof typeof PARTS
const isPart = (name: string): name is Part => name in PARTS

const HELP = `node bench/perf/run.ts [options]
  --json           the report as JSON on stdout
  --quick          two repeats instead of seven, to see that it works
  --repeats N      that many
  --only a,b       of: ${Object.keys(PARTS).join(', ')}
  --image NAME     desktop unless said otherwise
  --docs FOLDER    where perf.svg and performance.md go (docs/ after a full run, nowhere after a partial or quick one)
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      only: { type: 'string' },
      image: { type: 'string', default: 'desktop' },
      docs: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(HELP)
  const names = values.only?.split(',') ?? Object.keys(PARTS)
  const parts = names.filter(isPart)
  if (parts.length !== names.length)
    throw new GodHandError('bad_request', `--only takes some of: ${Object.keys(PARTS).join(', ')}`)
  const repeats = Number(values.repeats ?? (values.quick ? 2 : 7))
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new GodHandError('bad_request', '--repeats takes a number from 1 up.')

  const samples = new Samples()
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const lab = await Lab.open({ image: values.image, samples, repeats, onProgress: say })
  try {
    const around = await surroundings(lab, repeats < 5)
    if (around.host.loadBefore > around.host.cpus / 2)
      say(
        `Note: this host is busy (load ${around.host.loadBefore.toFixed(1)}); figures will be worse than they could be.`,
      )
    for (const part of parts) await PARTS[part](lab)
    const report = makeReport(samples, around)
    const whole = repeats >= 5 && values.only === undefined
    const docs = values.docs ?? (whole ? path.resolve(import.meta.dirname, '../../docs') : null)
    if (docs !== null) {
      await fs.mkdir(docs, { recursive: true })
      await fs.writeFile(path.join(docs, 'perf.svg'), plot(report))
      await fs.writeFile(path.join(docs, 'performance.md'), page(report))
    }
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${printedTable(report)}\n`)
  } finally {
    await lab.close()
  }
}

try {
  await main()
  process.exit(0) // page-copying threads may still be around
} catch (error) {
  const { message, hint } = GodHandError.from(error)
  process.stderr.write(`${message}\n${hint ? `${hint}\n` : ''}`)
  process.exit(1)
}
