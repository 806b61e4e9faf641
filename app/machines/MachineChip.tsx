import { Moon, Pause, Power } from 'lucide-react'
import type { MachineState } from '../../main/contract/machine.ts'
import { Chip } from '../parts/Chip.tsx'
import { text } from '../text.ts'

const looks = {
  starting: { tone: 'lapis', alive: true },
  running: { tone: 'pass', alive: true },
  paused: { tone: 'warn', icon: Pause },
  dead: { tone: 'plain', icon: Power },
} as const

export function MachineChip({ state }: { state: MachineState }) {
  if (state.kind === 'paused' && state.suspended) return <Chip icon={Moon}>{text.machines.states.suspended}</Chip>
  return <Chip {...looks[state.kind]}>{text.machines.states[state.kind]}</Chip>
}
