// Plain JavaScript, because the bootstrap shows it on Node 20 before anything is installed.

const REDRAW_MS = 100
const LINE_EVERY_MS = 10_000
const WIDTH = 24

/** 7 s, 1:05, 1:02:09 */
export function duration(ms) {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const two = (number) => String(number).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

function share(progress) {
  return progress.total > 0 ? Math.min(1, Math.max(0, progress.done / progress.total)) : null
}

/** One line that fits the terminal: step, bar, how far, how long, and the item at hand where there is room. */
export function barLine(progress, elapsedMs, columns) {
  const part = share(progress)
  let bar
  if (part === null) {
    const at = Math.floor(elapsedMs / 150) % (WIDTH - 3)
    bar = `${'░'.repeat(at)}███${'░'.repeat(WIDTH - 3 - at)}`
  } else {
    const filled = Math.floor(part * WIDTH)
    bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  }
  const percent = part === null ? '    ' : `${String(Math.floor(part * 100)).padStart(3)}%`
  const line = `${progress.step.padEnd(28)} ${bar} ${percent}  ${duration(elapsedMs)}${progress.detail ? `  ${progress.detail}` : ''}`
  return line.length >= columns ? `${line.slice(0, Math.max(0, columns - 2))}…` : line
}

/** On a terminal one line that moves; on a pipe a line for each step, and one now and then for a long one. */
export function progressBar(stream = process.stderr, now = Date.now) {
  let current = null
  let stepBegan = 0
  let lastShown = 0
  let timer

  const draw = () => {
    lastShown = now()
    stream.write(`\r\x1b[2K${barLine(current, now() - stepBegan, stream.columns || 80)}`)
  }

  const finishStep = () => {
    if (!current) return
    const took = now() - stepBegan
    if (stream.isTTY) stream.write(`\r\x1b[2K${took >= 500 ? `✓ ${current.step} (${duration(took)})\n` : ''}`)
    else if (took >= LINE_EVERY_MS) stream.write(`  done in ${duration(took)}\n`)
    current = null
  }

  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    report(progress) {
      const isNew = current?.step !== progress.step
      if (isNew) {
        finishStep()
        stepBegan = now()
        lastShown = now()
      }
      current = progress
      if (stream.isTTY) {
        if (isNew || now() - lastShown >= REDRAW_MS) draw()
        timer ??= setInterval(() => current && draw(), 500).unref()
      } else if (isNew) {
        stream.write(`${progress.step} …\n`)
      } else if (now() - lastShown >= LINE_EVERY_MS) {
        lastShown = now()
        const part = share(progress)
        const far = part === null ? '' : ` ${Math.floor(part * 100)}%`
        stream.write(
          `  ${progress.step}:${far} after ${duration(now() - stepBegan)}${progress.detail ? ` (${progress.detail})` : ''}\n`,
        )
      }
    },
    done() {
      stop()
      finishStep()
    },
    clear() {
      stop()
      if (current && stream.isTTY) stream.write('\r\x1b[2K')
      current = null
    },
  }
}
