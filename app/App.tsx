import { SearchX } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { Overlays } from './commands/Overlays.tsx'
import { Home } from './home/Home.tsx'
import { EmptyState } from './parts/EmptyState.tsx'
import { Page } from './parts/Page.tsx'
import { Toasts } from './parts/Toasts.tsx'
import { Link } from './route/Link.tsx'
import { useRoute } from './route/navigation.ts'
import type { Route } from './route/route.ts'
import {
  Benchmarks,
  Compare,
  Doctor,
  Library,
  loadAhead,
  Machines,
  MachineView,
  Settings,
  TaskView,
  TimeTravel,
} from './screens.ts'
import { ConnectionBanner } from './shell/ConnectionBanner.tsx'
import { Nav } from './shell/Nav.tsx'
import { text } from './text.ts'
import { Welcome } from './welcome/Welcome.tsx'

export function App() {
  const route = useRoute()
  const content = useRef<HTMLElement>(null)
  // When what had the focus went with the old screen, the keyboard starts at the new one, not at the top of the page.
  useEffect(() => {
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true })
  }, [route.screen])
  useEffect(() => void loadAhead(), [])
  return (
    <div className="flex h-full max-sm:flex-col-reverse">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-3 py-2 text-paper focus:translate-y-0"
      >
        {text.common.skipToContent}
      </a>
      <Nav route={route} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <main ref={content} id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <Suspense>
            <Screen route={route} />
          </Suspense>
        </main>
      </div>
      <Toasts />
      <Overlays />
    </div>
  )
}

function Screen({ route }: { route: Route }) {
  switch (route.screen) {
    case 'home':
      return <Home goal={route.goal} />
    case 'welcome':
      return <Welcome />
    case 'task':
      return <TaskView key={route.taskId} taskId={route.taskId} openStep={route.step} panel={route.panel} />
    case 'time':
      return <TimeTravel taskId={route.taskId} snapshotId={route.snapshotId} against={route.against} />
    case 'library':
      return <Library filters={route.filters} />
    case 'compare':
      return <Compare {...route} />
    case 'machines':
      return <Machines />
    case 'machine':
      return <MachineView key={route.machineId} machineId={route.machineId} panel={route.panel} />
    case 'benchmarks':
      return <Benchmarks runId={route.run} />
    case 'settings':
      return <Settings section={route.section} />
    case 'doctor':
      return <Doctor />
    case 'unknown':
      return (
        <Page title={text.notFound.title}>
          <EmptyState icon={SearchX} title={text.notFound.title} detail={text.notFound.detail(route.path)}>
            <Link to={{ screen: 'home' }} className="text-lapis underline underline-offset-2">
              {text.common.backHome}
            </Link>
          </EmptyState>
        </Page>
      )
  }
}
