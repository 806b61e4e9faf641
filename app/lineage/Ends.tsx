import { Handle, Position } from '@xyflow/react'
import type { ReactNode } from 'react'

/** Where the lines of the tree meet a node. */
export function Ends({ children }: { children: ReactNode }) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className="time-handle" />
      {children}
      <Handle type="source" position={Position.Right} isConnectable={false} className="time-handle" />
    </>
  )
}
