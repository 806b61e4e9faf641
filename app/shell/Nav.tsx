import {
  History,
  LibraryBig,
  ListChecks,
  type LucideIcon,
  Monitor,
  Moon,
  Stethoscope,
  Sun,
  SunMoon,
} from 'lucide-react'
import { Logo } from '../parts/Logo.tsx'
import { Link } from '../route/Link.tsx'
import type { Route } from '../route/route.ts'
import { useStore } from '../state/store.ts'
import { chooseTheme, type Theme, useTheme } from '../state/theme.ts'
import { liveMachines } from '../state/world.ts'
import { text } from '../text.ts'

type Place = { to: Route; icon: LucideIcon; label: string; screens: readonly Route['screen'][] }

const places: Place[] = [
  { to: { screen: 'home' }, icon: ListChecks, label: text.nav.home, screens: ['home', 'task'] },
  {
    to: { screen: 'time', taskId: null, snapshotId: null },
    icon: History,
    label: text.nav.time,
    screens: ['time'],
  },
  { to: { screen: 'library' }, icon: LibraryBig, label: text.nav.library, screens: ['library'] },
  { to: { screen: 'machines' }, icon: Monitor, label: text.nav.machines, screens: ['machines', 'machine'] },
  { to: { screen: 'doctor' }, icon: Stethoscope, label: text.nav.doctor, screens: ['doctor'] },
]

const themeIcons: Record<Theme, LucideIcon> = { system: SunMoon, light: Sun, dark: Moon }
const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

export function Nav({ route }: { route: Route }) {
  const running = useStore((store) => liveMachines(store.machines).length)
  return (
    <nav
      aria-label={text.nav.label}
      className="flex w-19 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-3 max-sm:w-full max-sm:flex-row max-sm:justify-around max-sm:border-t max-sm:border-r-0 max-sm:py-1"
    >
      <Link
        to={{ screen: 'home' }}
        className="mb-4 grid w-15 justify-items-center gap-1 rounded-md pt-1 text-[13px] leading-4 font-semibold tracking-tight max-sm:hidden"
      >
        <Logo size={34} />
        {text.name}
      </Link>
      {places.map(({ to, icon: Icon, label, screens }) => {
        const here = screens.includes(route.screen)
        const counted = to.screen === 'machines' && running > 0
        return (
          <Link
            key={label}
            to={to}
            aria-current={here ? 'page' : undefined}
            className={`relative grid w-15 justify-items-center gap-0.5 rounded-md py-2 text-xs transition-colors ${here ? 'bg-ink/8 font-medium text-ink' : 'text-muted hover:bg-ink/5 hover:text-ink'}`}
          >
            <Icon size={19} strokeWidth={here ? 2.1 : 1.8} aria-hidden="true" />
            {label}
            {counted && (
              <span
                role="img"
                aria-label={text.nav.running(running)}
                className="absolute top-1 right-2 grid h-4 min-w-4 place-items-center rounded-full bg-lapis px-1 text-[11px] leading-none font-semibold text-paper"
              >
                {running}
              </span>
            )}
          </Link>
        )
      })}
      <div className="flex-1 max-sm:hidden" />
      <ThemeButton />
    </nav>
  )
}

function ThemeButton() {
  const theme = useTheme((store) => store.theme)
  const Icon = themeIcons[theme]
  return (
    <button
      type="button"
      onClick={() => chooseTheme(nextTheme[theme])}
      aria-label={text.nav.theme(theme)}
      title={text.nav.theme(theme)}
      className="grid size-10 place-items-center rounded-md text-muted transition-colors hover:bg-ink/6 hover:text-ink"
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  )
}
