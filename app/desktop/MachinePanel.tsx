import type { Machine } from '../../main/contract/machine.ts'
import type { Panel } from '../route/route.ts'
import { stageText } from '../text/stage.ts'
import { GuestFiles } from './GuestFiles.tsx'
import { GuestTerminal } from './GuestTerminal.tsx'

/** A look inside a machine, beside its screen. */
export function MachinePanel({ panel, machine }: { panel: Panel; machine: Machine | undefined }) {
  if (machine?.state.kind !== 'running')
    return <p className="p-5 text-sm text-muted">{stageText[panel].needsMachine}</p>
  return panel === 'terminal' ? (
    <GuestTerminal machineId={machine.id} name={machine.name} />
  ) : (
    <GuestFiles machineId={machine.id} name={machine.name} />
  )
}
