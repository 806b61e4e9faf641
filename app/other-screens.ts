/** Everything a person may open next, in one piece: small, and there at once when the first screen is. */
export { Benchmarks } from './benchmarks/Benchmarks.tsx'
export { Compare } from './compare/Compare.tsx'
export { Doctor } from './doctor/Doctor.tsx'
export { Library } from './library/Library.tsx'
export { Machines } from './machines/Machines.tsx'
export { MachineView } from './machines/MachineView.tsx'
export { Settings } from './settings/Settings.tsx'
export { TaskView } from './task/TaskView.tsx'
