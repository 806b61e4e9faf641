import { ArrowLeftRight, Columns2, LibraryBig } from 'lucide-react'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Link } from '../route/Link.tsx'
import { navigate } from '../route/navigation.ts'
import type { Route } from '../route/route.ts'
import { tracesText } from '../text/traces.ts'
import { CompareFacts } from './CompareFacts.tsx'
import { CompareSteps } from './CompareSteps.tsx'
import { PickOther } from './PickOther.tsx'
import { useComparison } from './useComparison.ts'

const words = tracesText.compare

type Props = Extract<Route, { screen: 'compare' }>

export function Compare(route: Props) {
  const { a, b } = route
  return b === null ? <PickOther a={a} /> : <Both {...route} b={b} />
}

/** Two traces beside each other. Where one is in it stands in the address. */
function Both({ a, b, only, row }: Props & { b: string }) {
  useTitle(words.title)
  const { compared, error } = useComparison(a, b)
  const go = (change: Pick<Props, 'only' | 'row'>) =>
    navigate({ screen: 'compare', a, b, ...change }, { replace: true })
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-400 space-y-5 px-6 py-8 max-md:px-4 max-md:py-5">
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
            {compared && <p className="mt-1 text-muted">{compared.summary.join(' ')}</p>}
          </div>
          <div className="flex flex-wrap gap-2">
            <Link
              to={{ screen: 'library' }}
              className="inline-flex h-8.5 items-center gap-2 rounded-md px-3.5 text-muted hover:bg-ink/7 hover:text-ink"
            >
              <LibraryBig size={16} aria-hidden="true" />
              {words.back}
            </Link>
            <Button icon={Columns2} onClick={() => navigate({ screen: 'compare', a, b: null })}>
              {words.another}
            </Button>
            <Button
              icon={ArrowLeftRight}
              onClick={() => navigate({ screen: 'compare', a: b, b: a, ...(only && { only }) })}
            >
              {words.swap}
            </Button>
          </div>
        </header>
        {error && <ErrorNote error={error} />}
        {!compared && !error && (
          <p role="status" className="text-muted">
            {words.loading}
          </p>
        )}
        {compared && (
          <>
            <CompareFacts compared={compared} />
            <CompareSteps
              compared={compared}
              only={only}
              opened={row ?? null}
              onShow={(next) => go(next === 'differences' ? { only: next } : {})}
              onOpen={(next) => go({ ...(only && { only }), ...(next !== null && { row: next }) })}
            />
          </>
        )}
      </div>
    </div>
  )
}
