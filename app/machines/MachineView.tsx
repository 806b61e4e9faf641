import { Hand, HandGrab, Power } from 'lucide-react'
import { useState } from 'react'
import { ClipboardButtons } from '../desktop/ClipboardButtons.tsx'
import { LiveDesktop } from '../desktop/LiveDesktop.tsx'
import { MachinePanel } from '../desktop/MachinePanel.tsx'
import { PanelTabs } from '../desktop/PanelTabs.tsx'
import { Screen } from '../desktop/Screen.tsx'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Page } from '../parts/Page.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Link } from '../route/Link.tsx'
import { navigate } from '../route/navigation.ts'
import type { Panel } from '../route/route.ts'
import { useStore } from '../state/store.ts'
import { stageText } from '../text/stage.ts'
import { text } from '../text.ts'
import { memory } from '../time/format.ts'
import { MachineButtons } from './MachineButtons.tsx'
import { MachineChip } from './MachineChip.tsx'

const words = text.machines

export function MachineView({ machineId, panel }: { machineId: string; panel?: Panel | undefined }) {
  const machine = useStore((store) => store.machines[machineId])
  const known = useStore((store) => store.info !== null)
  const [control, setControl] = useState(false)
  useTitle(machine?.name ?? words.title)
  if (!known) return <Page title={text.common.loading}>{null}</Page>
  if (!machine || machine.state.kind === 'dead') {
    const reason = machine?.state.kind === 'dead' ? machine.state.reason : null
    return (
      <Page title={reason ? words.died : words.missing.title}>
        {reason ? <ErrorNote error={reason} /> : <EmptyState icon={Power} {...words.missing} />}
        <Link to={{ screen: 'machines' }} className="text-lapis underline underline-offset-2">
          {words.title}
        </Link>
      </Page>
    )
  }
  const started = machine.state.kind !== 'starting'
  return (
    <div className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-5 py-2.5">
        <h1 className="truncate font-semibold">{machine.name}</h1>
        <MachineChip state={machine.state} />
        <p className="min-w-0 flex-1 truncate text-sm text-muted">
          {words.facts(machine.image, memory(machine.memoryMb), machine.cpus)}
        </p>
        <Button
          size="sm"
          look={control ? 'primary' : 'plain'}
          icon={control ? HandGrab : Hand}
          aria-pressed={control}
          disabled={machine.state.kind !== 'running'}
          onClick={() => setControl(!control)}
        >
          {control ? words.handBack : words.takeControl}
        </Button>
        <ClipboardButtons machineId={machine.id} disabled={machine.state.kind !== 'running'} />
        <MachineButtons machine={machine} />
      </header>
      <PanelTabs
        first={stageText.panels.none}
        panel={panel}
        onChoose={(next) => navigate({ screen: 'machine', machineId, ...(next && { panel: next }) }, { replace: true })}
      />
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <div className="m-5 flex min-h-0 min-w-0 flex-1">
          <Screen size={machine.screen} driving={control}>
            {started && <LiveDesktop machineId={machine.id} name={machine.name} control={control} />}
          </Screen>
        </div>
        {panel && (
          <div className="min-h-0 w-[46%] min-w-85 border-l border-line max-md:h-1/2 max-md:w-full">
            <MachinePanel panel={panel} machine={machine} />
          </div>
        )}
      </div>
      <p role="status" className="h-8 px-5 text-center text-sm text-muted">
        {control && words.inControl}
      </p>
    </div>
  )
}
