import { Camera, GitFork, Moon, Pause, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Machine } from '../../main/contract/machine.ts'
import { Button, IconButton } from '../parts/Button.tsx'
import { Confirm } from '../parts/Confirm.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { useMachineCommands } from './useMachineCommands.ts'

const words = text.machines

type Props = { machine: Machine; onSnapshot?: () => void }

/** Offers only what the driver of this host can do. */
export function MachineButtons({ machine, onSnapshot }: Props) {
  const can = useStore((store) => store.info?.capabilities)
  const commands = useMachineCommands()
  const [asking, setAsking] = useState(false)
  const state = machine.state.kind
  const settled = state === 'running' || state === 'paused'
  const { busy } = commands
  const off = !commands.connected || busy !== null || !settled
  const snapshot = async () => {
    await commands.snapshot(machine)
    onSnapshot?.()
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {can?.pause &&
        (state === 'paused' ? (
          <Button
            size="sm"
            icon={Play}
            busy={busy === 'resume'}
            disabled={off}
            onClick={() => commands.resume(machine)}
          >
            {words.resume}
          </Button>
        ) : (
          <Button size="sm" icon={Pause} busy={busy === 'pause'} disabled={off} onClick={() => commands.pause(machine)}>
            {words.pause}
          </Button>
        ))}
      {(can?.ramSnapshot || can?.diskSnapshot) && (
        <Button size="sm" icon={Camera} busy={busy === 'snapshot'} disabled={off} onClick={snapshot}>
          {words.snapshot}
        </Button>
      )}
      {can?.fork && (
        <Button size="sm" icon={GitFork} busy={busy === 'fork'} disabled={off} onClick={() => commands.fork(machine)}>
          {words.fork}
        </Button>
      )}
      {can?.ramSnapshot && state === 'running' && (
        <IconButton
          size="sm"
          icon={Moon}
          label={words.suspend}
          busy={busy === 'suspend'}
          disabled={off}
          onClick={() => commands.suspend(machine)}
        />
      )}
      <IconButton
        size="sm"
        look="danger"
        icon={Trash2}
        label={`${words.destroy} ${machine.name}`}
        busy={busy === 'destroy'}
        disabled={!commands.connected || busy !== null}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <Confirm
          title={words.destroyTitle(machine.name)}
          detail={words.destroyDetail}
          action={words.destroy}
          onConfirm={() => commands.destroy(machine)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
