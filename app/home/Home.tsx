import { useEffect, useState } from 'react'
import { useTitle } from '../parts/useTitle.ts'
import { navigate } from '../route/navigation.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { isNewcomer } from '../welcome/welcomed.ts'
import { Composer } from './Composer.tsx'
import { DemoCard } from './DemoCard.tsx'
import { Examples } from './Examples.tsx'
import { LinkedGoal } from './LinkedGoal.tsx'
import { Notices } from './Notices.tsx'
import { ReadinessLine } from './ReadinessLine.tsx'
import { TaskList } from './TaskList.tsx'

export function Home({ goal }: { goal?: string | undefined }) {
  useTitle(text.name)
  const [taken, setTaken] = useState<string>()
  const forget = () => navigate({ screen: 'home' }, { replace: true })
  const take = () => {
    setTaken(goal)
    forget()
  }
  const newcomer = useStore((store) => store.info !== null && isNewcomer(store.tasks))
  useEffect(() => {
    if (newcomer && (goal ?? taken) === undefined) navigate({ screen: 'welcome' }, { replace: true })
  }, [newcomer, goal, taken])
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-220 space-y-5 px-6 pt-8 pb-14 max-md:px-4">
        <Notices />
        <header className="pt-3 pb-1">
          <h1 className="text-[2rem] leading-10 font-semibold tracking-[-0.022em]">{text.home.title}</h1>
          <p className="mt-1 text-lg text-muted">{text.home.lead}</p>
        </header>
        <div className="space-y-3">
          <Composer key={taken} goal={taken} />
          <ReadinessLine />
        </div>
        <DemoCard />
        <Examples />
        <TaskList />
      </div>
      {goal !== undefined && <LinkedGoal goal={goal} onTake={take} onIgnore={forget} />}
    </div>
  )
}
