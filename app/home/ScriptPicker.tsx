import { FileJson } from 'lucide-react'
import { useRef } from 'react'
import { GodHandError } from '../../main/contract/errors.ts'
import { Button } from '../parts/Button.tsx'
import { text } from '../text.ts'
import { type Draft, parseScript } from './draft.ts'

const words = text.home.script

type Props = {
  chosen: Draft['script']
  onChoose: (script: Draft['script']) => void
  onError: (error: GodHandError) => void
}

export function ScriptPicker({ chosen, onChoose, onError }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    try {
      onChoose({ name: file.name, script: parseScript(await file.text()) })
    } catch (thrown) {
      const { message } = GodHandError.from(thrown)
      onError(new GodHandError('bad_request', words.unreadable(file.name), { hint: message, cause: thrown }))
    }
  }
  return (
    <div className="flex items-center gap-3 px-3 pb-3 text-sm text-muted">
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={words.choose}
        className="hidden"
        onChange={(event) => {
          void read(event.target.files?.[0])
          event.target.value = '' // so that the same file, mended, can be chosen again
        }}
      />
      <Button size="sm" icon={FileJson} onClick={() => input.current?.click()}>
        {chosen ? words.change : words.choose}
      </Button>
      <p className="min-w-0 truncate">{chosen ? words.chosen(chosen.name, chosen.script.steps.length) : words.none}</p>
    </div>
  )
}
