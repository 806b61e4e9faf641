import type { ComponentType } from 'react'
import { useTitle } from '../parts/useTitle.ts'
import { Link } from '../route/Link.tsx'
import { type SettingsSection, settingsSections } from '../route/route.ts'
import { text } from '../text.ts'
import { Appearance } from './Appearance.tsx'
import { Approvals } from './Approvals.tsx'
import { DayBudgets } from './DayBudgets.tsx'
import { MachineSizes } from './MachineSizes.tsx'
import { Models } from './Models.tsx'
import { Network } from './Network.tsx'
import { SecretList } from './SecretList.tsx'
import { Storage } from './Storage.tsx'
import { Updates } from './Updates.tsx'

const words = text.settings
const pages: Record<SettingsSection, ComponentType> = {
  models: Models,
  machine: MachineSizes,
  network: Network,
  storage: Storage,
  approvals: Approvals,
  secrets: SecretList,
  budget: DayBudgets,
  appearance: Appearance,
  updates: Updates,
}

export function Settings({ section }: { section: SettingsSection }) {
  const Section = pages[section]
  useTitle(`${words.title}: ${words.sections[section]}`)
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-260 grid-cols-[12rem_minmax(0,1fr)] gap-x-10 px-6 py-8 max-md:grid-cols-1 max-md:gap-y-5 max-md:px-4">
        <div>
          <h1 className="mb-4 text-2xl font-semibold tracking-tight">{words.title}</h1>
          <nav aria-label={words.list}>
            <ul className="grid gap-0.5 max-md:flex max-md:flex-wrap">
              {settingsSections.map((name) => (
                <li key={name}>
                  <Link
                    to={{ screen: 'settings', section: name }}
                    aria-current={name === section ? 'page' : undefined}
                    className={`block rounded-md px-3 py-1.5 transition-colors ${name === section ? 'bg-ink/8 font-medium' : 'text-muted hover:bg-ink/5 hover:text-ink'}`}
                  >
                    {words.sections[name]}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <section aria-labelledby="section" className="min-w-0 space-y-5 pt-1">
          <h2 id="section" className="text-xl font-semibold tracking-tight">
            {words.sections[section]}
          </h2>
          <Section />
        </section>
      </div>
    </div>
  )
}
