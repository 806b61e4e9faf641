import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ActionInput } from '../../contract/action.ts'
import type { Machine, MachineUse, Snapshot } from '../../contract/machine.ts'
import type { Input } from '../../contract/rpc.ts'
import { withEngine } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { shellQuote } from '../shell-quote.ts'
import { localTime, milliseconds, table } from '../table.ts'

export async function vmCreate(wish: Input<'vm.create'>, output: Output): Promise<number> {
  const machine = await withEngine(output, { machines: true }, ({ client }) => client.call('vm.create', wish))
  output.answer(machine, `${machine.id}  ready in ${milliseconds(machine.startedInMs)}`)
  return exitCodes.ok
}

export async function vmList(output: Output): Promise<number> {
  const { machines, use } = await withEngine(output, { machines: false }, async ({ client }) => ({
    machines: await client.call('vm.list', {}),
    use: await client.call('vm.usage', {}),
  }))
  const none = 'No machines. Make one with: npx godhand vm create'
  output.answer(machines, machines.length === 0 ? none : machinesText(machines, use))
  return exitCodes.ok
}

/** Ends with the command's own exit code, so that scripts can go on as if it ran here. */
export async function vmExec(
  machineId: string,
  argv: string[],
  timeoutSeconds: number | undefined,
  output: Output,
): Promise<number> {
  const result = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.exec', {
      machineId,
      command: shellQuote(argv),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    }),
  )
  if (output.json) output.answer(result, '')
  else {
    process.stdout.write(result.stdout)
    process.stderr.write(result.stderr)
    if (result.truncated) output.note('(the output was longer than is kept; its end is missing)')
  }
  return result.exitCode ?? exitCodes.noExitCode
}

export async function vmScreenshot(machineId: string, file: string | undefined, output: Output): Promise<number> {
  const { shot, png } = await withEngine(output, { machines: false }, async ({ client, engine }) => {
    const shot = await client.call('vm.screenshot', { machineId })
    return { shot, png: await engine.framePng(shot.frame) }
  })
  const target = path.resolve(file ?? `${machineId}.png`)
  await writeFile(target, png)
  output.answer({ ...shot, file: target, bytes: png.length }, `${target}  ${shot.width}×${shot.height}`)
  return exitCodes.ok
}

export async function vmAct(machineId: string, action: ActionInput, output: Output): Promise<number> {
  const result = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.act', { machineId, action }),
  )
  output.answer({ ok: true, ...result }, result.text ?? '')
  return exitCodes.ok
}

export async function vmSetState(
  method: 'vm.pause' | 'vm.resume' | 'vm.suspend',
  machineId: string,
  output: Output,
): Promise<number> {
  const machine = await withEngine(output, { machines: false }, ({ client }) => client.call(method, { machineId }))
  output.answer(machine, `${machine.id} is ${stateText(machine)}`)
  return exitCodes.ok
}

const MB = 1024 ** 2

export async function vmSend(
  machineId: string,
  file: string,
  guestPath: string,
  limitMb: number | undefined,
  output: Output,
): Promise<number> {
  const limit = limitMb === undefined ? {} : { limitBytes: limitMb * MB }
  const sent = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.send', { machineId, file: path.resolve(file), guestPath, ...limit }),
  )
  output.answer(sent, `${sent.file}  ${sent.bytes} bytes`)
  return exitCodes.ok
}

export async function vmFetch(
  machineId: string,
  guestPath: string,
  folder: string,
  limitMb: number | undefined,
  output: Output,
): Promise<number> {
  const limit = limitMb === undefined ? {} : { limitBytes: limitMb * MB }
  const fetched = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.fetch', { machineId, guestPath, folder: path.resolve(folder), ...limit }),
  )
  output.answer(fetched, `${fetched.file}  ${fetched.bytes} bytes`)
  return exitCodes.ok
}

export async function vmSnapshot(machineId: string, label: string | undefined, output: Output): Promise<number> {
  const snapshot = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.snapshot', { machineId, ...(label === undefined ? {} : { label }) }),
  )
  output.answer(snapshot, snapshotText(snapshot))
  return exitCodes.ok
}

export async function vmFork(machineId: string, count: number, output: Output): Promise<number> {
  const machines = await withEngine(output, { machines: false }, ({ client }) =>
    client.call('vm.fork', { machineId, count }),
  )
  output.answer(machines, machinesText(machines))
  return exitCodes.ok
}

export async function vmRestore(snapshotId: string, output: Output): Promise<number> {
  const machine = await withEngine(output, { machines: true }, ({ client }) =>
    client.call('vm.restore', { snapshotId }),
  )
  output.answer(machine, `${machine.id}  ready in ${milliseconds(machine.startedInMs)}`)
  return exitCodes.ok
}

export async function vmDestroy(machineIds: string[], output: Output): Promise<number> {
  await withEngine(output, { machines: false }, async ({ client }) => {
    for (const machineId of machineIds) await client.call('vm.destroy', { machineId })
  })
  output.answer({ destroyed: machineIds }, machineIds.map((id) => `${id} is gone`).join('\n'))
  return exitCodes.ok
}

function machinesText(machines: Machine[], use: MachineUse[] = []): string {
  const taken = (bytes: number | null | undefined) => (bytes ? `${Math.round(bytes / MB)} MB` : '')
  const of = (id: string) => use.find(({ machineId }) => machineId === id)
  return table(
    ['MACHINE', 'STATE', 'IMAGE', 'MEMORY', 'ITS OWN', 'DISK', 'STARTED IN', 'CREATED', 'TASK'],
    machines.map((machine) => [
      machine.id,
      stateText(machine),
      machine.image,
      `${machine.memoryMb} MB`,
      taken(of(machine.id)?.memoryBytes),
      taken(of(machine.id)?.diskBytes),
      milliseconds(machine.startedInMs),
      localTime(machine.createdAt),
      machine.taskId ?? '',
    ]),
  )
}

function stateText({ state }: Machine): string {
  return state.kind === 'paused' && state.suspended ? 'suspended' : state.kind
}

function snapshotText(snapshot: Snapshot): string {
  const megabytes = ((snapshot.diskBytes + snapshot.ramBytes) / 1024 / 1024).toFixed(1)
  return `${snapshot.id}  ${megabytes} MB, the guest stood still for ${milliseconds(snapshot.pauseMs)}`
}
