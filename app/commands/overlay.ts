import { create } from 'zustand'

/** What lies over the screens: the palette, the list of shortcuts, or nothing. */
export type Overlay = 'palette' | 'shortcuts' | null

export const useOverlay = create<{ overlay: Overlay }>()(() => ({ overlay: null }))

export const show = (overlay: Overlay): void => useOverlay.setState({ overlay })
