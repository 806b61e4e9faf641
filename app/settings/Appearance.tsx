import { Segmented } from '../parts/Segmented.tsx'
import { chooseTheme, type Theme, useTheme } from '../state/theme.ts'
import { text } from '../text.ts'
import { Notifications } from './Notifications.tsx'

const words = text.settings.appearance
const themes = (['system', 'light', 'dark'] as const satisfies readonly Theme[]).map((value) => ({
  value,
  label: words.themes[value],
}))

export function Appearance() {
  const theme = useTheme((store) => store.theme)
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      <Segmented label={words.theme} value={theme} options={themes} onChange={chooseTheme} />
      <Notifications />
    </>
  )
}
