import { Search } from 'lucide-react'
import type { TaskState } from '../../main/contract/task.ts'
import type { TraceFacets } from '../../main/contract/trace.ts'
import { Choice } from '../parts/Choice.tsx'
import { text } from '../text.ts'
import { type Filters, sinces } from './filters.ts'

const words = text.library
const states: TaskState[] = ['succeeded', 'failed', 'stopped', 'interrupted', 'running', 'queued']

type Props = { filters: Filters; facets: TraceFacets; onChange: (part: Partial<Filters>) => void }

export function LibraryFilters({ filters, facets, onChange }: Props) {
  return (
    <search className="flex flex-wrap gap-2">
      <label className="relative min-w-60 flex-1">
        <span className="sr-only">{words.search}</span>
        <Search size={16} aria-hidden="true" className="absolute top-2.5 left-3 text-muted" />
        <input
          type="search"
          value={filters.words}
          maxLength={500}
          placeholder={words.searchPlaceholder}
          onChange={(event) => onChange({ words: event.target.value })}
          className="h-9 w-full rounded-md bg-raised pr-3 pl-9 ring-1 ring-line ring-inset placeholder:text-muted"
        />
      </label>
      <Choice
        label={words.state}
        value={filters.state}
        options={[
          { value: '' as const, label: words.anyState },
          ...states.map((value) => ({ value, label: text.task.states[value] })),
        ]}
        onChange={(state) => onChange({ state })}
      />
      <Choice
        label={words.planner}
        value={filters.planner}
        options={[
          { value: '', label: words.anyPlanner },
          ...Object.entries(words.planners).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(planner) => onChange({ planner })}
      />
      {facets.tags.length > 0 && (
        <Choice
          label={words.tag}
          value={filters.tag}
          options={[
            { value: '', label: words.anyTag },
            ...facets.tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` })),
          ]}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      {facets.apps.length > 0 && (
        <Choice
          label={words.app}
          value={filters.app}
          options={[
            { value: '', label: words.anyApp },
            ...facets.apps.slice(0, 100).map(({ app, count }) => ({ value: app, label: `${app} (${count})` })),
          ]}
          onChange={(app) => onChange({ app })}
        />
      )}
      <Choice
        label={words.since}
        value={filters.since}
        options={sinces.map((value) => ({ value, label: words.sinces[value] }))}
        onChange={(since) => onChange({ since })}
      />
    </search>
  )
}
