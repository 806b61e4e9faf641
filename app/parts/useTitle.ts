import { useEffect } from 'react'
import { text } from '../text.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === text.name ? text.name : `${title} · ${text.name}`
  }, [title])
}
