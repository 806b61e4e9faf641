import { Fragment } from 'react'
import { keysOf } from '../commands/keys.ts'
import { text } from '../text.ts'

/** A shortcut, drawn as the keys to press. */
export function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-muted">
      {keysOf(shortcut).map((keys, index) => (
        <Fragment key={keys.join('+')}>
          {index > 0 && <span>{text.commands.help.and}</span>}
          {keys.map((key) => (
            <kbd
              key={key}
              className="grid h-5 min-w-5 place-items-center rounded-sm bg-ink/7 px-1.5 font-sans text-[11px] font-medium text-ink ring-1 ring-line ring-inset"
            >
              {key}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
