import { useStore as useFlow } from '@xyflow/react'

/** Seen from afar, words and pictures are noise: shapes remain. */
export const useFar = () => useFlow(({ transform }) => transform[2] < 0.42)
