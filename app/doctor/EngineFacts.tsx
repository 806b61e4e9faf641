import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { exactMoment } from '../time/format.ts'

const words = text.doctor

export function EngineFacts() {
  const info = useStore((store) => store.info)
  if (!info) return null
  const { facts } = words
  const rows: [string, string][] = [
    [facts.version, info.version],
    [facts.home, info.home],
    [facts.driver, info.capabilities.driver],
    [facts.accelerator, info.capabilities.accelerator ?? facts.none],
    [facts.pid, String(info.pid)],
    [facts.startedAt, exactMoment(info.startedAt)],
  ]
  return (
    <section aria-labelledby="engine">
      <h2 id="engine" className="mb-2.5 text-lg font-semibold">
        {words.engine}
      </h2>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 rounded-lg bg-surface px-4 py-3 text-sm shadow-card ring-1 ring-line">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
