import { Duplex } from 'node:stream'
import { GodHandError } from '../../contract/errors.ts'
import type { EngineEvent, Input, MethodName, Output } from '../../contract/rpc.ts'
import type { Engine } from '../../engine.ts'

type Handlers = { [M in MethodName]?: (input: Input<M>) => Promise<Output<M>> | Output<M> }

export const FRAME = 'ab'.repeat(32)
export const PNG = Buffer.from('not really a picture')

/** An engine without machines, for tests of the doors: it answers what it was told to, and tells what tests make it tell. */
export type FakeEngine = Engine & {
  tell(event: EngineEvent): void
  listeners(): number
  closed: number
  isBusy: boolean
}

export function fakeEngine(handlers: Handlers = {}): FakeEngine {
  const listeners = new Set<(event: EngineEvent) => void>()
  const answers: Handlers = {
    'engine.info': () => ({
      version: '0.0.0',
      pid: process.pid,
      home: '/nowhere',
      startedAt: new Date(0).toISOString(),
      readiness: { kind: 'ready', image: 'desktop', accelerator: 'tcg' },
      capabilities: {
        driver: 'fake',
        accelerator: null,
        exec: true,
        ramSnapshot: true,
        diskSnapshot: true,
        fork: true,
        pause: true,
        liveView: true,
        unproven: [],
      },
      notices: [],
    }),
    'vm.list': () => [],
    'task.list': () => [],
    'vm.destroy': ({ machineId }) => {
      throw new GodHandError('not_found', `There is no machine ${machineId}.`, { hint: 'See `npx godhand vm list`.' })
    },
    ...handlers,
  }
  return {
    closed: 0,
    isBusy: false,
    async call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
      const answer = answers[method]
      if (!answer) throw new GodHandError('unsupported', `The fake engine has no ${method}.`)
      return await answer(input)
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (event) => {
      for (const listener of listeners) listener(event)
    },
    listeners: () => listeners.size,
    download: (taskId, format) => {
      if (taskId !== 'task_1') throw new GodHandError('not_found', `There is no task ${taskId}.`)
      return { name: `a.${format}`, mediaType: 'text/plain', writeTo: async (stream) => void stream.end('trace') }
    },
    exported: (id) => {
      throw new GodHandError('not_found', `There is no export ${id}.`)
    },
    framePng: async (hash) => (hash === FRAME ? PNG : null),
    async openVnc(machineId) {
      if (machineId !== 'echo') throw new GodHandError('not_found', `There is no machine ${machineId}.`)
      return echo()
    },
    async openTerminal(machineId) {
      if (machineId !== 'echo') throw new GodHandError('not_found', `There is no machine ${machineId}.`)
      const stream = echo()
      return { stream, resize: ({ columns, rows }) => void stream.push(`${columns}x${rows}`) }
    },
    async guestFile(machineId, path) {
      if (machineId !== 'echo') throw new GodHandError('not_found', `There is no machine ${machineId}.`)
      return { name: path.split('/').at(-1) ?? '', content: Buffer.from('<script>from the guest</script>') }
    },
    busy() {
      return this.isBusy
    },
    async close() {
      this.closed += 1
    },
  }
}

/** Gives back every byte it gets. */
function echo(): Duplex {
  return new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      this.push(bytes)
      done()
    },
    final(done) {
      this.push(null)
      done()
    },
  })
}
