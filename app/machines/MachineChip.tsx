import { Pause, Power } from 'lucide-react'
import type { MachineState } from '../../main/contract/machine.ts'
import { Chip } from '../parts/Chip.tsx'
import { text } from '../text.ts'

const looks = {
  starting: { tone: 'lapis', alive: true },
  running: { tone: 'pass', alive: true },
  paused: { tone: 'warn', icon: Pause },
  dead: { tone: 'plain', icon: Power },
} as const

export function MachineChip({ kind }: { kind: MachineState['kind'] }) {
  return <Chip {...looks[kind]}>{text.machines.states[kind]}</Chip>
}
