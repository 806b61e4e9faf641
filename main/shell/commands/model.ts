import { GodHandError } from '../../contract/errors.ts'
import type { ModelChoice, ModelService } from '../../contract/model.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress-bar.mjs'

export type ModelOptions = { provider?: 'anthropic' | 'openai'; server?: string; format?: string }

export async function modelServers(output: Output): Promise<number> {
  const servers = await withEngine(output, { machines: false }, ({ client }) => client.call('model.servers', {}))
  const lines = servers.map(({ name, url, models }) => `${name} at ${url}: ${models.join(', ') || 'no models'}`)
  output.answer(servers, lines.join('\n') || 'None answers on the usual ports.')
  return exitCodes.ok
}

export async function modelList(options: ModelOptions, output: Output): Promise<number> {
  const service = serviceOf(options)
  const models = await withEngine(output, { machines: false }, ({ client }) => client.call('model.list', service))
  const lines = models.map(
    ({ id, usual, format }) => `${id}${usual ? '  (the usual one)' : ''}${format ? `  ${format}` : ''}`,
  )
  output.answer(models, lines.join('\n') || 'There are none.')
  return exitCodes.ok
}

export async function modelTest(model: string | undefined, options: ModelOptions, output: Output): Promise<number> {
  const choice = choiceOf(model, options)
  const test = await withEngine(output, { machines: false }, ({ client }) => client.call('model.test', choice))
  output.answer(test, `${test.model} answered “${test.said}” after ${(test.tookMs / 1000).toFixed(1)} s.`)
  return exitCodes.ok
}

/** Ends with 1 when the model cannot be trusted to point. */
export async function modelCalibrate(model: string, options: ModelOptions, output: Output): Promise<number> {
  const { server: baseUrl = '', format } = options
  const bar = progressBar()
  const found = await withEngine(
    output,
    {
      machines: false,
      onEvent: (event) => {
        if (event.type === 'calibration' && event.model === model && !output.json) bar.report(event.progress)
      },
    },
    ({ client }) =>
      client.call('model.calibrate', { kind: 'local', baseUrl, model, ...(format === undefined ? {} : { format }) }),
  ).finally(() => bar.clear())
  output.answer(found, found.verdict)
  return found.blind ? exitCodes.failed : exitCodes.ok
}

export async function modelCalibrations(output: Output): Promise<number> {
  const all = await withEngine(output, { machines: false }, ({ client }) => client.call('model.calibrations', {}))
  const lines = all.map(({ model, server, verdict, at }) => `${model} at ${server}, ${at.slice(0, 10)}: ${verdict}`)
  output.answer(all, lines.join('\n') || 'None yet: npx godhand model calibrate <model> --server <url>')
  return exitCodes.ok
}

function serviceOf({ provider = 'anthropic', server }: ModelOptions): ModelService {
  return server === undefined ? { kind: provider } : { kind: 'local', baseUrl: server }
}

function choiceOf(model: string | undefined, options: ModelOptions): ModelChoice {
  const service = serviceOf(options)
  if (service.kind !== 'local') return { ...service, ...(model === undefined ? {} : { model }) }
  if (model === undefined)
    throw new GodHandError('bad_request', 'A local server needs the name of the model.', {
      hint: `See which it has: npx godhand model list --server ${service.baseUrl}`,
    })
  return { ...service, model }
}
