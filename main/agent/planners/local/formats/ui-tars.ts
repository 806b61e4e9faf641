import { systemPrompt } from '../../conversation/instructions.ts'
import type { Named } from '../actions.ts'
import { type Format, splitThinking } from './format.ts'

/** UI-TARS 1.5: `Thought: …` and `Action: click(start_box='(x,y)')`, in pixels of a picture whose sides are multiples of 28. */
export const uiTars: Format = {
  id: 'ui-tars-1.5',
  label: 'UI-TARS 1.5',
  models: /ui-?tars/i,
  view: { multipleOf: 28, pixels: 1280 * 28 * 28 },
  space: 'pixels',
  calls: 'text',
  prompt: (instructions) =>
    `${systemPrompt(instructions, 'You are given a task and your action history, with screenshots. You perform the next action to complete the task.')}

## Output Format
Thought: ...
Action: ...

## Action Space
click(start_box='(x1,y1)')
left_double(start_box='(x1,y1)')
right_single(start_box='(x1,y1)')
drag(start_box='(x1,y1)', end_box='(x2,y2)')
hotkey(key='ctrl c')
type(content='xxx') # Use escape characters \\', \\", and \\n in content. To submit, put \\n at the end of content.
scroll(start_box='(x1,y1)', direction='down or up or right or left')
wait() # Sleep for some seconds and take a screenshot to check for any changes.
exec(command='xxx') # Run a shell command in the guest and read its output.
finished(content='xxx') # Use escape characters \\', \\", and \\n in content.
call_user() # When the task cannot be done without the person's help.

## Note
- Write a small plan and finally summarize your next action (with its target element) in one sentence in the Thought part.`,
  where: (what) => `Click ${what}. Answer with exactly one line: Action: click(start_box='(x1,y1)')`,
  read: ({ text, reasoning }) => {
    const { thinking, rest } = splitThinking(text)
    const at = rest.search(/\bAction\s*:/i)
    const body = at === -1 ? rest : rest.slice(at).replace(/^Action\s*:/i, '')
    const said = (at === -1 ? '' : rest.slice(0, at)).replace(/^[\s\S]*?(Thought|Reflection|Action_Summary)\s*:/i, '')
    const actions = callsIn(body)
    const thought = [reasoning, thinking, said.trim() || (actions.length === 0 ? rest : '')].filter(Boolean).join('\n')
    return {
      thought: thought.trim(),
      actions,
      problem:
        actions.length > 0
          ? null
          : "There is no action in the answer. Write one like: Action: click(start_box='(x1,y1)')",
    }
  },
}

const names =
  'click left_single left_double left_click double_click right_single right_click middle_click hover drag select hotkey press type scroll wait exec finished call_user'

/** `name(key='value', …)`, one or several, with the quotes and the last bracket possibly missing. */
function callsIn(body: string): Named[] {
  const found: Named[] = []
  const call = new RegExp(`\\b(${names.replaceAll(' ', '|')})\\s*\\(`, 'gi')
  for (let match = call.exec(body); match; match = call.exec(body)) {
    const { args, end } = readArguments(body, call.lastIndex)
    found.push({ name: match[1] ?? '', args })
    call.lastIndex = end
  }
  return found
}

function readArguments(text: string, start: number): { args: Record<string, unknown>; end: number } {
  const args: Record<string, unknown> = {}
  let at = start
  while (at < text.length) {
    const key = /^[\s,]*(?:([a-z_]\w*)\s*=\s*)?/i.exec(text.slice(at))
    at += key?.[0].length ?? 0
    if (at >= text.length || text[at] === ')') break
    const value = readValue(text, at)
    args[key?.[1] ?? 'point'] = value.text
    if (value.end === at) break
    at = value.end
  }
  return { args, end: Math.min(text.length, at + 1) }
}

function readValue(text: string, start: number): { text: string; end: number } {
  const quote = text[start]
  if (quote !== "'" && quote !== '"') {
    const bare = /^(\([^)]*\)|\[[^\]]*\]|<point>.*?<\/point>|[^,)\n]+)/.exec(text.slice(start))?.[0] ?? ''
    return { text: bare.trim(), end: start + bare.length }
  }
  let out = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\') {
      const next = text[++at] ?? ''
      out += next === 'n' ? '\n' : next === 't' ? '\t' : next
    } else if (char === quote && endsHere(text, at + 1)) return { text: out, end: at + 1 }
    else out += char
  }
  return { text: out.replace(/\)\s*$/, ''), end: text.length } // the quote was never closed
}

/** A quote inside the text is often not escaped; the one that ends it stands before a comma or the last bracket. */
function endsHere(text: string, at: number): boolean {
  return /^\s*(\)|,\s*[a-z_]+\s*=|$)/i.test(text.slice(at, at + 40))
}
