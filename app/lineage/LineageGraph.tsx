import { Background, Controls, type Edge, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { text } from '../text.ts'
import { Chosen } from './chosen.ts'
import { type AnyNode, type End, nodeTypes } from './TimeNodes.tsx'
import { nodeSize, type Placed } from './tree.ts'
import { useUnit } from './useUnit.ts'
import { isArrow, pathTo, walk } from './walk.ts'

type Props = {
  placed: readonly Placed[]
  titleOf: (id: string) => string
  endOf: (id: string) => End
  chosen: string | null
  against: string | null
  onChoose: (snapshotId: string) => void
}

export function LineageGraph(props: Props) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  )
}

function Graph({ placed, titleOf, endOf, chosen, against, onChoose }: Props) {
  const unit = useUnit()
  const nodes = useMemo(() => placed.map((one) => nodeOf(one, unit, titleOf, endOf)), [placed, unit, titleOf, endOf])
  const path = useMemo(() => pathTo(placed, chosen), [placed, chosen])
  const edges = useMemo(() => placed.flatMap((one) => edgeOf(one, path)), [placed, path])
  const context = useMemo(() => ({ id: chosen, against, choose: onChoose }), [chosen, against, onChoose])
  const { setCenter, getZoom } = useReactFlow()
  const frame = useRef<HTMLDivElement>(null)
  const start = useMemo(() => startOf(placed, chosen), [placed, chosen])

  const goTo = (to: Placed) => {
    const id = to.node.id
    const { x, y } = middleOf(to, unit)
    void setCenter(x, y, { zoom: getZoom(), duration: 180 })
    if (to.node.kind === 'moment' || to.node.kind === 'way') onChoose(id)
    // It may not have been in sight, and what is not in sight is not drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => focusOn(frame.current, id)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isArrow(event.key) || !(event.target instanceof HTMLElement)) return
    const from = event.target.dataset.moment
    const to = from === undefined ? null : walk(placed, from, event.key)
    if (!to) return
    event.preventDefault()
    touch()
    goTo(to)
  }
  // All of it, where that can be read; else the moment a link leads to, or the newest, with the past left of it. It goes
  // with the tree as that grows, until the person looks around or chooses for themselves.
  const untouched = useRef<'new' | 'placed' | null>('new')
  useEffect(() => {
    if (untouched.current === null || !start || !frame.current) return
    const motion = untouched.current === 'new' ? {} : { duration: 240 }
    untouched.current = 'placed'
    const room = frame.current.getBoundingClientRect()
    const whole = boundsOf(placed, unit)
    const fits = Math.min(room.width / whole.width, room.height / whole.height) * (1 - padding)
    if (fits >= legible) {
      const zoom = Math.min(fits, largest)
      return void setCenter(whole.x + whole.width / 2, whole.y + whole.height / 2, { zoom, ...motion })
    }
    const { x, y } = middleOf(start, unit)
    const seen = { width: room.width / usual, height: room.height / usual }
    const right = x + (nodeSize.width * unit) / 2 - seen.width / 5
    const across = within(whole.x, whole.width, seen.width, right)
    const inSight = boundsOf(
      placed.filter((one) => Math.abs(middleOf(one, unit).x - across) < seen.width / 2),
      unit,
    )
    const down = within(inSight.y, inSight.height, seen.height, y)
    void setCenter(across, down, { zoom: usual, ...motion })
  }, [placed, unit, start, setCenter])
  const touch = () => {
    untouched.current = null
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys walk between the buttons inside
    <div ref={frame} className="size-full" onKeyDown={onKeyDown} onPointerDown={touch} onWheel={touch}>
      <Chosen.Provider value={context}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.22}
          maxZoom={1.6}
          aria-label={text.lineage.title}
        >
          <Background gap={32} size={1.4} color="var(--color-line)" />
          <Controls showInteractive={false} position="bottom-left" />
        </ReactFlow>
      </Chosen.Provider>
    </div>
  )
}

/** Seen smaller than this, names can't be read. */
const legible = 0.6
const usual = 0.75
const largest = 1.1
const padding = 0.12

const middleOf = ({ x, y }: Placed, unit: number) => ({
  x: (x + nodeSize.width / 2) * unit,
  y: (y + nodeSize.height / 2) * unit,
})

function boundsOf(placed: readonly Placed[], unit: number) {
  const [xs, ys] = [placed.map(({ x }) => x), placed.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return {
    x: x * unit,
    y: y * unit,
    width: (Math.max(...xs) + nodeSize.width - x) * unit,
    height: (Math.max(...ys) + nodeSize.height - y) * unit,
  }
}

/** The middle to look at so that no more emptiness is seen than there must be. */
function within(from: number, size: number, seen: number, wanted: number): number {
  const margin = (seen * padding) / 2
  const [least, most] = [from - margin + seen / 2, from + size + margin - seen / 2]
  return least > most ? from + size / 2 : Math.min(most, Math.max(least, wanted))
}

function focusOn(frame: HTMLElement | null, id: string): void {
  const found = frame?.querySelector(`[data-moment="${CSS.escape(id)}"]`)
  if (found instanceof HTMLElement) found.focus({ preventScroll: true })
}

function startOf(placed: readonly Placed[], chosen: string | null): Placed | undefined {
  const wanted = placed.find(({ node }) => node.id === chosen)
  if (wanted) return wanted
  const moments = placed.flatMap((one) =>
    one.node.kind === 'moment' ? [{ one, at: one.node.snapshot.createdAt }] : [],
  )
  return (
    moments.reduce<(typeof moments)[number] | undefined>((a, b) => (a && a.at > b.at ? a : b), undefined)?.one ??
    placed[0]
  )
}

/** Sizes and ends of lines are given, so that a node need not be drawn to be measured. */
function nodeOf({ node, x, y }: Placed, unit: number, titleOf: Props['titleOf'], endOf: Props['endOf']): AnyNode {
  const [width, height] = [nodeSize.width * unit, nodeSize.height * unit]
  const middle = { y: height / 2, width: 1, height: 1 }
  const handles = [
    { type: 'target' as const, position: Position.Left, x: 0, ...middle },
    { type: 'source' as const, position: Position.Right, x: width, ...middle },
  ]
  const place = { id: node.id, position: { x: x * unit, y: y * unit }, width, height, handles }
  switch (node.kind) {
    case 'origin':
      return { ...place, type: 'origin', data: { image: node.image } }
    case 'living':
      return { ...place, type: 'living', data: { machine: node.machine } }
    case 'way':
      return { ...place, type: 'way', data: { branch: node.branch } }
    case 'moment':
      return {
        ...place,
        type: 'moment',
        data: { snapshot: node.snapshot, title: titleOf(node.id), end: endOf(node.id) },
      }
  }
}

function edgeOf({ node, parentId }: Placed, path: ReadonlySet<string>): Edge[] {
  if (parentId === null) return []
  const way = path.has(node.id)
  return [
    {
      id: node.id,
      source: parentId,
      target: node.id,
      className: way ? 'time-way' : node.kind === 'way' && !node.branch.won ? 'time-cut' : 'time-line',
      zIndex: way ? 1 : 0,
    },
  ]
}
