import { useEffect, useState } from 'react'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

const known: Record<string, string> = text.home.images

/** What machines can be made from here: our own, and what the person brought. */
export function useImages(chosen: string): { value: string; label: string }[] {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    if (connectedTimes === 0) return
    call('image.list', {}).then(
      (images) => setNames(images.map(({ name }) => name)),
      () => {}, // the engine says which there are when one is missing
    )
  }, [connectedTimes])
  return [...new Set([...Object.keys(known), ...names, chosen])].map((value) => ({
    value,
    label: known[value] ?? value,
  }))
}
