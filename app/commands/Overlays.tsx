import { useOverlay } from './overlay.ts'
import { Palette } from './Palette.tsx'
import { ShortcutsHelp } from './ShortcutsHelp.tsx'
import { useShortcuts } from './useShortcuts.ts'

/** The palette and the list of shortcuts, over whatever screen is open. */
export function Overlays() {
  useShortcuts()
  const overlay = useOverlay((store) => store.overlay)
  if (overlay === 'palette') return <Palette />
  if (overlay === 'shortcuts') return <ShortcutsHelp />
  return null
}
