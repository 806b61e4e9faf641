import { spawn } from 'node:child_process'

/** Keeps every core of the host busy while `work` runs, as a person's own programs might. */
export async function underLoad<T>(processes: number, work: () => Promise<T>): Promise<T> {
  const burners = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }),
  )
  try {
    return await work()
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
  }
}
