import { SendHorizontal } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { Task } from '../../main/contract/task.ts'
import { Button } from '../parts/Button.tsx'
import { useTaskCommand } from './useTaskCommand.ts'

type Props = {
  label: string
  placeholder: string
  button: string
  onSend: (words: string) => Promise<Task>
  onSent: () => void
}

/** One line of words for the agent. They stay in the field until they have arrived. */
export function WordsForm({ label, placeholder, button, onSend, onSent }: Props) {
  const [words, setWords] = useState('')
  const { send, busy, connected } = useTaskCommand()
  const id = useId()
  const said = words.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!said || busy || !connected) return
    if (!(await send(() => onSend(said)))) return
    setWords('')
    onSent()
  }
  return (
    <form onSubmit={submit} className="flex gap-2">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        placeholder={placeholder}
        maxLength={20_000}
        autoComplete="off"
        className="h-8.5 min-w-0 flex-1 rounded-md bg-raised px-3 text-ink ring-1 ring-edge ring-inset placeholder:text-muted"
      />
      <Button type="submit" icon={SendHorizontal} busy={busy} disabled={!said || !connected}>
        {button}
      </Button>
    </form>
  )
}
