import { useTitle } from '../parts/useTitle.ts'
import { text } from '../text.ts'
import { Composer } from './Composer.tsx'
import { DemoCard } from './DemoCard.tsx'
import { Notices } from './Notices.tsx'
import { ReadinessLine } from './ReadinessLine.tsx'
import { TaskList } from './TaskList.tsx'

export function Home() {
  useTitle(text.name)
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-220 space-y-5 px-6 pt-8 pb-14 max-md:px-4">
        <Notices />
        <header className="pt-3 pb-1">
          <h1 className="text-[2rem] leading-10 font-semibold tracking-[-0.022em]">{text.home.title}</h1>
          <p className="mt-1 text-lg text-muted">{text.home.lead}</p>
        </header>
        <div className="space-y-3">
          <Composer />
          <ReadinessLine />
        </div>
        <DemoCard />
        <TaskList />
      </div>
    </div>
  )
}
