import path from 'node:path'
import { GodHandError } from '../../contract/errors.ts'
import type { ExportJob } from '../../contract/export.ts'
import type { EngineEvent } from '../../contract/rpc.ts'
import type { ExportFormat, RedactionInput } from '../../contract/trace.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress-bar.mjs'

export type ExportOptions = {
  format: ExportFormat
  output: string
  machines?: boolean
  redactText?: string[]
  redactRegex?: string[]
  redactRegion?: string[]
}

/** Shows how far it is; Ctrl-C calls it off and leaves no file. */
export async function traceExport(taskId: string, options: ExportOptions, output: Output): Promise<number> {
  const file = path.resolve(options.output) // the engine may have been started elsewhere
  const redact = redactionOf(options)
  const bar = progressBar()
  const over = Promise.withResolvers<ExportJob>()
  const heard = new Map<string, ExportJob>()
  let id: string | undefined
  const onEvent = (event: EngineEvent) => {
    if (event.type !== 'export') return
    heard.set(event.job.id, event.job)
    if (event.job.id === id) hear(event.job)
  }
  const hear = (job: ExportJob) => {
    if (job.state !== 'working') over.resolve(job)
    else if (job.progress && !output.json) bar.report(job.progress)
  }
  const onClosed = () => over.reject(new GodHandError('engine_unreachable', 'The engine ended before the export did.'))
  return withEngine(output, { machines: false, onEvent, onClosed }, async ({ client }) => {
    const job = await client.call('export.start', {
      taskId,
      format: options.format,
      file,
      machines: options.machines ?? false,
      ...(redact && { redact }),
    })
    id = job.id
    hear(heard.get(job.id) ?? job)
    const callOff = () => void client.call('export.cancel', { exportId: job.id }).then(over.resolve, over.reject)
    process.once('SIGINT', callOff).once('SIGTERM', callOff)
    try {
      const { state, bytes, error } = await over.promise
      bar.clear()
      if (state === 'cancelled') {
        output.answer({ cancelled: true }, 'Called off. No file was left.')
        return exitCodes.stopped
      }
      if (error) throw GodHandError.fromInfo(error)
      output.answer({ file, bytes }, `${file}  ${((bytes ?? 0) / 1024 ** 2).toFixed(1)} MB`)
      return exitCodes.ok
    } finally {
      bar.clear()
      process.off('SIGINT', callOff).off('SIGTERM', callOff)
    }
  })
}

function redactionOf({ redactText = [], redactRegex = [], redactRegion = [] }: ExportOptions): RedactionInput | null {
  if (redactText.length + redactRegex.length + redactRegion.length === 0) return null
  return {
    patterns: [
      ...redactText.map((text) => ({ text })),
      ...redactRegex.map((text) => ({ text, match: 'regex' as const })),
    ],
    regions: redactRegion.map((text) => ({ region: regionOf(text) })),
  }
}

/** "x,y,width,height" in pixels of the screen. */
function regionOf(text: string) {
  const [x, y, width, height, more] = text.split(',').map(Number)
  const numbers = [x, y, width, height]
  if (more !== undefined || numbers.some((each) => each === undefined || !Number.isInteger(each) || each < 0))
    throw new GodHandError('bad_request', `“${text}” is not a region: give it as x,y,width,height.`)
  return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 }
}
