import { Command, type LucideIcon, Moon, Sun, SunMoon } from 'lucide-react'
import { type Place, places } from '../commands/go.ts'
import { keyText } from '../commands/keys.ts'
import { show } from '../commands/overlay.ts'
import { IconButton } from '../parts/Button.tsx'
import { Logo } from '../parts/Logo.tsx'
import { Link } from '../route/Link.tsx'
import type { Route } from '../route/route.ts'
import { useStore } from '../state/store.ts'
import { chooseTheme, type Theme, useTheme } from '../state/theme.ts'
import { liveMachines } from '../state/world.ts'
import { text } from '../text.ts'

const themeIcons: Record<Theme, LucideIcon> = { system: SunMoon, light: Sun, dark: Moon }
const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
/** Short enough for the bar; the rest of the app calls them by their full names. */
const names: Record<Place['to']['screen'], string | undefined> = {
  home: text.nav.home,
  time: text.nav.time,
  library: text.nav.library,
  machines: text.nav.machines,
  benchmarks: text.nav.benchmarks,
  settings: text.nav.settings,
  doctor: text.nav.doctor,
  task: undefined,
  machine: undefined,
  compare: undefined,
  welcome: undefined,
  unknown: undefined,
}
const atTheEnd = (place: Place) => place.to.screen === 'settings' || place.to.screen === 'doctor'

export function Nav({ route }: { route: Route }) {
  const running = useStore((store) => liveMachines(store.machines).length)
  const link = (place: Place) => (
    <PlaceLink
      key={place.id}
      place={place}
      here={place.screens.includes(route.screen)}
      count={place.to.screen === 'machines' ? running : 0}
    />
  )
  return (
    <nav
      aria-label={text.nav.label}
      className="flex w-19 shrink-0 flex-col items-center gap-1 overflow-y-auto border-r border-line bg-surface py-3 max-sm:w-full max-sm:flex-row max-sm:justify-around max-sm:border-t max-sm:border-r-0 max-sm:py-1"
    >
      <Link
        to={{ screen: 'home' }}
        className="mb-4 grid w-15 justify-items-center gap-1 rounded-md pt-1 text-xs font-semibold tracking-tight max-sm:hidden"
      >
        <Logo size={34} />
        {text.name}
      </Link>
      {places.filter((place) => !atTheEnd(place)).map(link)}
      <div className="flex-1 max-sm:hidden" />
      {places.filter(atTheEnd).map(link)}
      <div className="flex max-sm:hidden">
        <IconButton
          icon={Command}
          label={text.commands.palette.open(keyText('mod+k'))}
          onClick={() => show('palette')}
        />
        <ThemeButton />
      </div>
    </nav>
  )
}

function PlaceLink({ place, here, count }: { place: Place; here: boolean; count: number }) {
  const { icon: Icon, to, label, shortcut } = place
  return (
    <Link
      to={to}
      aria-current={here ? 'page' : undefined}
      title={shortcut && `${label} (${keyText(shortcut)})`}
      className={`relative grid w-15 shrink-0 justify-items-center gap-0.5 rounded-md py-2 text-xs transition-colors ${here ? 'bg-ink/8 font-medium text-ink' : 'text-muted hover:bg-ink/5 hover:text-ink'}`}
    >
      <Icon size={19} strokeWidth={here ? 2.1 : 1.8} aria-hidden="true" />
      {names[to.screen] ?? label}
      {count > 0 && (
        <span
          role="img"
          aria-label={text.nav.running(count)}
          className="absolute top-1 right-2 grid h-4 min-w-4 place-items-center rounded-full bg-lapis px-1 text-[11px] leading-none font-semibold text-paper"
        >
          {count}
        </span>
      )}
    </Link>
  )
}

function ThemeButton() {
  const theme = useTheme((store) => store.theme)
  return (
    <IconButton icon={themeIcons[theme]} label={text.nav.theme(theme)} onClick={() => chooseTheme(nextTheme[theme])} />
  )
}
