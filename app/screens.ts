import { lazy } from 'react'

/** What is not seen first: loaded when it is opened, or ahead of that once the first screen stands. */
const others = () => import('./other-screens.ts')
const time = () => import('./lineage/TimeTravel.tsx') // with the library that draws its graph

export const TaskView = lazy(async () => ({ default: (await others()).TaskView }))
export const MachineView = lazy(async () => ({ default: (await others()).MachineView }))
export const Library = lazy(async () => ({ default: (await others()).Library }))
export const Compare = lazy(async () => ({ default: (await others()).Compare }))
export const Machines = lazy(async () => ({ default: (await others()).Machines }))
export const Benchmarks = lazy(async () => ({ default: (await others()).Benchmarks }))
export const Settings = lazy(async () => ({ default: (await others()).Settings }))
export const Doctor = lazy(async () => ({ default: (await others()).Doctor }))
export const TimeTravel = lazy(async () => ({ default: (await time()).TimeTravel }))

/** What can't be had now is asked for again when it is opened. */
export async function loadAhead(): Promise<void> {
  await others().catch(() => {})
  await time().catch(() => {})
}
