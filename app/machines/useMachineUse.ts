import { useEffect, useState } from 'react'
import type { MachineUse } from '../../main/contract/machine.ts'
import { call } from '../state/engine.ts'

/** What each machine takes, by its id: looked at anew with the clock, and when machines come and go. */
export function useMachineUse(machines: number, now: number): Readonly<Record<string, MachineUse>> {
  const [use, setUse] = useState<Record<string, MachineUse>>({})
  // The clock is what says that it is time to look again
  useEffect(() => {
    if (machines === 0) return
    call('vm.usage', {}).then(
      (list) => setUse(Object.fromEntries(list.map((each) => [each.machineId, each]))),
      () => {}, // the cards are complete without it
    )
  }, [machines, now])
  return use
}
