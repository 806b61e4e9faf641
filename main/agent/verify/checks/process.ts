import { isCalled, listProcesses } from '../guest/processes.ts'
import { type Check, verdictOf } from '../probe.ts'

export const processRunning: Check<'process_running'> = async (look, assertion) => {
  const processes = (await listProcesses(look.sandbox)).filter((process) => isCalled(process, assertion.name))
  const running = processes.length > 0
  return verdictOf(
    running === assertion.running,
    running
      ? `${assertion.name} is running (process ${processes
          .map(({ pid }) => pid)
          .slice(0, 5)
          .join(', ')}).`
      : `${assertion.name} is not running.`,
    { processes: processes.slice(0, 20).map((process) => ({ ...process, command: process.command.slice(0, 300) })) },
  )
}
