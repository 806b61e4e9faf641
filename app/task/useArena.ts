import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Branch } from '../../main/contract/branching.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { isOver, withBranches } from '../state/world.ts'
import { decisionOfStep, decisionsOf, isJudged } from './decisions.ts'

/** How long the judge's word stays before the winner takes the stage. */
const encoreMs = 7000
const none: readonly Branch[] = []

/** Which ways are on show: those being tried now, those just judged for a moment, or some the person asked to see again. */
export function useArena(task: Task | undefined) {
  const taskId = task?.id ?? ''
  const branches = useStore((store) => store.branches[taskId]) ?? none
  const connectedTimes = useStore((store) => store.connectedTimes)
  const over = !task || isOver(task)
  const [asked, setAsked] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null) // a decision the person does not want to watch
  useEffect(() => {
    if (connectedTimes === 0 || !taskId) return
    call('lineage.get', { taskId }).then(
      (lineage) => change((world) => withBranches(world, taskId, lineage.branches)),
      () => {}, // the task's own page says what is wrong
    )
  }, [taskId, connectedTimes])

  const decisions = useMemo(() => decisionsOf(branches), [branches])
  const latest = decisions.at(-1)
  const encore = useEncore(latest && isJudged(latest.branches) && !over ? latest.id : null)
  const running = latest && !over && latest.id !== left && (!isJudged(latest.branches) || encore === latest.id)
  const chosen = decisions.find(({ id }) => id === asked) ?? (running ? latest : undefined)
  const see = useCallback((step: Step) => setAsked(decisionOfStep(decisions, step)?.id ?? null), [decisions])
  const close = useCallback(() => {
    setAsked(null)
    setLeft(latest?.id ?? null)
  }, [latest?.id])
  return { shown: chosen ? chosen.branches : null, see, close }
}

/** The decision that was judged while the person looked on, for as long as it may stay. */
function useEncore(judged: string | null): string | null {
  const [seen, setSeen] = useState<string | null>(judged)
  const [shown, setShown] = useState<string | null>(null)
  useEffect(() => {
    if (judged === null || judged === seen) return
    setSeen(judged)
    setShown(judged)
  }, [judged, seen])
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), encoreMs)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
