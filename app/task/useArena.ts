import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Branch } from '../../main/contract/branching.ts'
import type { Step, Task } from '../../main/contract/task.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { isOver, withBranches } from '../state/world.ts'
import { decisionOfStep, decisionsOf, isJudged } from './decisions.ts'

/** How long the judge's word stays before the winner takes the stage. */
const encoreMs = 9000
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
  const judged = latest !== undefined && isJudged(latest.branches)
  const encore = useEncore(latest?.id ?? null, judged)
  const running = latest && latest.id !== left && (judged ? encore === latest.id : !over)
  const chosen = decisions.find(({ id }) => id === asked) ?? (running ? latest : undefined)
  const see = useCallback((step: Step) => setAsked(decisionOfStep(decisions, step)?.id ?? null), [decisions])
  const close = useCallback(() => {
    setAsked(null)
    setLeft(latest?.id ?? null)
  }, [latest?.id])
  return { shown: chosen ? chosen.branches : null, asked: asked !== null && chosen?.id === asked, see, close }
}

/** The decision that was judged while the person looked on, for as long as it may stay. */
function useEncore(latest: string | null, judged: boolean): string | null {
  const watched = useRef<string | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  useEffect(() => {
    if (!judged) watched.current = latest
    else if (latest !== null && watched.current === latest) setShown(latest)
  }, [latest, judged])
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), encoreMs)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
