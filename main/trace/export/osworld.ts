import type { Writable } from 'node:stream'
import type { Step, Task } from '../../contract/task.ts'
import { writeZip } from '../bundle/zip-writer.ts'
import { pythonAction } from './python-action.ts'
import { stepsOfTheLine, type TraceSource } from './source.ts'
import type { WriteOptions } from './writers.ts'

/**
 * The folder OSWorld leaves of a run, as a zip: traj.jsonl with a line a step, result.txt with the score, and the
 * screenshots the lines name, each taken after its step. step_0 is the screen at the start.
 */
export async function writeOsworld(
  source: TraceSource,
  to: Writable,
  { onProgress, signal }: WriteOptions = {},
): Promise<void> {
  const { task } = source
  const score = task.state === 'succeeded' ? 1 : 0
  await writeZip(
    to,
    async (zip) => {
      for await (const step of stepsOfTheLine(source)) {
        onProgress?.({ step: 'Packing pictures', done: step.index, total: task.stepCount })
        const first = step.index === 0 && step.before ? await source.frame(step.before) : null
        if (first) await zip.add(`step_0_${stamp(step.startedAt)}.png`, first)
        const png = step.after && (await source.frame(step.after))
        if (png) await zip.add(screenshotName(step), png)
      }
      const lines = async function* () {
        for await (const step of stepsOfTheLine(source)) yield `${JSON.stringify(osworldLine(step, task))}\n`
      }
      await zip.addText('traj.jsonl', lines())
      await zip.add('result.txt', Buffer.from(`${score.toFixed(1)}\n`))
    },
    { signal },
  )
}

export function osworldLine(step: Step, task: Task) {
  const done = step.index === task.stepCount - 1
  const code = step.actions.map(({ act }) => pythonAction(act)).filter((line) => line !== null)
  const ending = task.state === 'succeeded' ? 'DONE' : 'FAIL'
  return {
    step_num: step.index + 1,
    action_timestamp: stamp(step.startedAt),
    action: code.length > 0 ? code.join('\n') : done ? ending : 'WAIT',
    response: step.thought,
    reward: done && task.state === 'succeeded' ? 1 : 0,
    done,
    info: {
      verdict: step.verdict,
      checks: step.checks.map(({ verdict }) => ({ pass: verdict.pass, summary: verdict.summary })),
      ...(done && { [task.state === 'succeeded' ? 'done' : 'fail']: true }),
    },
    screenshot_file: screenshotName(step),
  }
}

function screenshotName(step: Step): string {
  return `step_${step.index + 1}_${stamp(step.startedAt)}.png`
}

/** 20260131@154501123000: strftime's %Y%m%d@%H%M%S%f, in UTC. */
function stamp(time: string): string {
  const digits = new Date(time).toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}@${digits.slice(8, 14)}${digits.slice(14, 17)}000`
}
