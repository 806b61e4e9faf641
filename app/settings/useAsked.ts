import { useCallback, useEffect, useState } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Input, MethodName, Output } from '../../main/contract/rpc.ts'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'

/** What the engine answers to a question without parts, asked again with each connection and whenever wanted. */
export function useAsked<M extends MethodName>(method: M, params: Input<M>) {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [answer, setAnswer] = useState<Output<M> | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  // The question is the same as long as its method is, though its parts are written anew each time.
  const ask = useCallback(async () => {
    try {
      setAnswer(await call(method, params))
      setError(null)
    } catch (thrown) {
      setError(GodHandError.from(thrown))
    }
  }, [method])
  useEffect(() => {
    if (connectedTimes > 0) void ask()
  }, [connectedTimes, ask])
  return { answer, setAnswer, error, ask }
}
