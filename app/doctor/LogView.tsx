import { RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { LogLevel, type LogLine } from '../../main/contract/diagnostics.ts'
import { GodHandError } from '../../main/contract/errors.ts'
import { Button } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { call } from '../state/engine.ts'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'

const words = text.diagnostics
const levels = LogLevel.options.map((value) => ({ value, label: words.levels[value] }))
const colours: Record<LogLevel, string> = {
  debug: 'text-muted',
  info: 'text-muted',
  warn: 'text-warn',
  error: 'text-fail',
}

export function LogView() {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const [level, setLevel] = useState<LogLevel>('info')
  const [lines, setLines] = useState<LogLine[] | null>(null)
  const [error, setError] = useState<GodHandError | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const read = useCallback(async () => {
    try {
      setLines(await call('engine.logs', { level }))
      setError(null)
    } catch (thrown) {
      setError(GodHandError.from(thrown))
    }
  }, [level])
  useEffect(() => {
    if (connectedTimes > 0) void read()
  }, [connectedTimes, read])
  useEffect(() => {
    if (lines) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [lines])
  return (
    <section aria-labelledby="log">
      <div className="mb-2.5 flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 id="log" className="text-lg font-semibold">
            {words.engineLog}
          </h2>
          <p className="text-sm text-muted">{words.logLead}</p>
        </div>
        <div className="flex gap-2">
          <Choice label={words.level} value={level} options={levels} onChange={setLevel} />
          <Button icon={RefreshCw} onClick={read}>
            {words.logAgain}
          </Button>
        </div>
      </div>
      {error && <ErrorNote error={error} />}
      {lines && lines.length === 0 && <p className="text-muted">{words.logEmpty}</p>}
      {lines && lines.length > 0 && (
        <ol
          ref={list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
          tabIndex={0}
          aria-labelledby="log"
          className="max-h-90 overflow-y-auto rounded-lg bg-surface px-4 py-3 font-mono text-xs shadow-card ring-1 ring-line"
        >
          {lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Line({ line: { at, level, message, more } }: { line: LogLine }) {
  const rest = Object.keys(more).length > 0 ? JSON.stringify(more) : ''
  return (
    <li className="flex gap-3 py-0.5">
      <time dateTime={at} className="shrink-0 text-muted">
        {at.slice(11, 19)}
      </time>
      <span className={`w-10 shrink-0 ${colours[level]}`}>{level}</span>
      <span className="min-w-0 wrap-anywhere">
        {message} {rest && <span className="text-muted">{rest}</span>}
      </span>
    </li>
  )
}
