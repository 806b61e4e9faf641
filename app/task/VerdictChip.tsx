import { Check, Minus, X } from 'lucide-react'
import type { Step } from '../../main/contract/task.ts'
import { Chip } from '../parts/Chip.tsx'
import { text } from '../text.ts'

const looks = {
  pass: { tone: 'pass', icon: Check },
  fail: { tone: 'fail', icon: X },
  unchecked: { tone: 'plain', icon: Minus },
} as const

export function VerdictChip({ verdict }: { verdict: Step['verdict'] }) {
  return <Chip {...looks[verdict]}>{text.task.verdicts[verdict]}</Chip>
}
