import { Background, Controls, type Edge, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { text } from '../text.ts'
import { Chosen } from './chosen.ts'
import { type AnyNode, type End, nodeTypes } from './TimeNodes.tsx'
import { nodeSize, type Placed } from './tree.ts'
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
  const nodes = useMemo(() => placed.map((one) => nodeOf(one, titleOf, endOf)), [placed, titleOf, endOf])
  const path = useMemo(() => pathTo(placed, chosen), [placed, chosen])
  const edges = useMemo(() => placed.flatMap((one) => edgeOf(one, path)), [placed, path])
  const context = useMemo(() => ({ id: chosen, against, choose: onChoose }), [chosen, against, onChoose])
  const { setCenter, getZoom } = useReactFlow()
  const frame = useRef<HTMLDivElement>(null)
  const start = useMemo(() => startOf(placed, chosen), [placed, chosen])

  const goTo = (to: Placed) => {
    const id = to.node.id
    void setCenter(to.x + nodeSize.width / 2, to.y + nodeSize.height / 2, { zoom: getZoom(), duration: 180 })
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
    goTo(to)
  }
  // A link to a moment opens with that moment in the middle; later choices are in sight already.
  const shownOnce = useRef(false)
  useEffect(() => {
    if (shownOnce.current || !start || !frame.current) return
    shownOnce.current = true
    const { width } = frame.current.getBoundingClientRect()
    const zoom = 0.85
    // Left of the middle lies the past, which is what one looks for first.
    void setCenter(start.x + nodeSize.width - width / zoom / 5, start.y + nodeSize.height / 2, { zoom })
  }, [start, setCenter])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys walk between the buttons inside
    <div ref={frame} className="size-full" onKeyDown={onKeyDown}>
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
const middle = { y: nodeSize.height / 2, width: 1, height: 1 }
const handles = [
  { type: 'target' as const, position: Position.Left, x: 0, ...middle },
  { type: 'source' as const, position: Position.Right, x: nodeSize.width, ...middle },
]

function nodeOf({ node, x, y }: Placed, titleOf: Props['titleOf'], endOf: Props['endOf']): AnyNode {
  const place = { id: node.id, position: { x, y }, ...nodeSize, handles }
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
