import { useState } from 'react'
import type { Machine } from '../../main/contract/machine.ts'
import type { Input } from '../../main/contract/rpc.ts'
import { navigate } from '../route/navigation.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { applyEvent } from '../state/world.ts'
import { text } from '../text.ts'
import { duration } from '../time/format.ts'

const words = text.machines
export type Command = 'create' | 'suspend' | 'pause' | 'resume' | 'snapshot' | 'fork' | 'destroy' | 'restore'

const know = (machine: Machine) => change((world) => applyEvent(world, { type: 'machine', machine }))

/** What can be done with machines, one thing at a time; `busy` names the one under way. */
export function useMachineCommands() {
  const [busy, setBusy] = useState<Command | null>(null)
  const connected = useStore((store) => store.connection === 'open')
  const during = async (command: Command, work: () => Promise<void>) => {
    setBusy(command)
    try {
      await work()
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(null)
    }
  }
  const make = (wish: Input<'vm.create'>) =>
    during('create', async () => {
      const machine = await call('vm.create', wish)
      know(machine)
      toast(words.created(machine.name, duration(machine.startedInMs)))
      navigate({ screen: 'machine', machineId: machine.id })
    })
  return {
    busy,
    connected,
    create: () => make({}),
    createFrom: (image: string) => make({ image }),
    suspend: ({ id }: Machine) => during('suspend', async () => know(await call('vm.suspend', { machineId: id }))),
    pause: ({ id }: Machine) => during('pause', async () => know(await call('vm.pause', { machineId: id }))),
    resume: ({ id }: Machine) => during('resume', async () => know(await call('vm.resume', { machineId: id }))),
    snapshot: ({ id }: Machine) =>
      during('snapshot', async () => {
        const snapshot = await call('vm.snapshot', { machineId: id })
        toast(words.snapshotTaken(duration(snapshot.pauseMs)))
      }),
    fork: ({ id }: Machine) =>
      during('fork', async () => {
        for (const machine of await call('vm.fork', { machineId: id, count: 1 })) {
          know(machine)
          toast(words.forked(machine.name))
        }
      }),
    restore: (snapshotId: string) =>
      during('restore', async () => {
        const machine = await call('vm.restore', { snapshotId })
        know(machine)
        toast(words.restored(machine.name))
        navigate({ screen: 'machine', machineId: machine.id })
      }),
    destroy: (machine: Machine) =>
      during('destroy', async () => {
        await call('vm.destroy', { machineId: machine.id })
        know({ ...machine, state: { kind: 'dead', reason: null } })
        toast(words.destroyed(machine.name))
      }),
  }
}
