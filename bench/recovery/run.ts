import fs from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { GodHandError } from '../../main/contract/errors.ts'
import { silentLog } from '../../main/log.ts'
import { openDefaultDriver } from '../../main/orchestrator/default-driver.ts'
import { openEngine } from '../../main/orchestrator/engine.ts'
import { currentPaths, pathsIn } from '../../main/paths.ts'
import { flakyDriver, seeded } from './flaky-driver.ts'
import { type Mode, type Run, runOnce } from './measure.ts'
import { figuresOf, printed, type Report } from './report.ts'

const HELP = `node bench/recovery/run.ts [options]
What automatic recovery is worth, on real machines: the same flaky task with it and without it.
  --json     the figures as JSON on stdout
  --runs N   of each kind; 20 unless said otherwise
  --seed N   other luck; 7 unless said otherwise
`
const BREAKS = 0.4

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '20' },
      seed: { type: 'string', default: '7' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(HELP)
  const [runs, seed] = [Number(values.runs), Number(values.seed)]
  if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed))
    throw new GodHandError('bad_request', '--runs takes a number from 1 up, --seed any whole number.')
  const measured: Record<Mode, Run[]> = { without: [], with: [] }
  for (const mode of ['without', 'with'] as const)
    await inLab(seed, async (engine) => {
      for (let n = 1; n <= runs; n++) {
        const run = await runOnce(engine, mode)
        measured[mode].push(run)
        const back = run.rollbacks > 0 ? `, put back ${run.rollbacks} times` : ''
        process.stderr.write(
          `${mode} recovery, run ${n}: ${run.succeeded ? 'succeeded' : 'failed'}${back} (${run.seconds.toFixed(1)} s)\n`,
        )
      }
    })
  const report: Report = {
    seed,
    breaks: BREAKS,
    without: figuresOf(measured.without),
    with: figuresOf(measured.with),
  }
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${printed(report)}\n`)
}

/** An engine with a data folder of its own; each kind of run begins with the same luck. */
async function inLab(seed: number, work: (engine: Awaited<ReturnType<typeof openEngine>>) => Promise<void>) {
  const { home, assets } = currentPaths()
  await fs.mkdir(home, { recursive: true })
  const ownHome = await fs.mkdtemp(path.join(home, 'bench-'))
  const paths = pathsIn(ownHome, assets)
  const driver = flakyDriver(await openDefaultDriver(paths), seeded(seed))
  await driver.prepare('desktop', () => {})
  const engine = await openEngine({ paths, log: silentLog, driver })
  try {
    await work(engine)
  } finally {
    await engine.close()
    await fs.rm(ownHome, { recursive: true, force: true })
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
