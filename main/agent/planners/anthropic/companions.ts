import { z } from 'zod'
import type { Meaning } from '../conversation/call.ts'
import { insertAfterLine, replaceOnce } from '../conversation/edits.ts'
import { wrongInput } from '../conversation/own-tools.ts'

/** Anthropic's bash and text editor tools, at work in the guest. */

export const BASH = 'bash'
export const EDITOR = 'str_replace_based_edit_tool'

const COMMAND_SECONDS = 120

const Bash = z.object({ command: z.string().max(100_000).nullish(), restart: z.boolean().nullish() })

export function readBashCall(input: unknown): Meaning {
  const parsed = Bash.safeParse(input)
  if (!parsed.success) return wrongInput(BASH, parsed.error)
  if (parsed.data.restart)
    return { kind: 'say', text: 'Every command gets a fresh shell: there is nothing to restart.' }
  const command = parsed.data.command
  if (!command) return { kind: 'wrong', problem: 'bash needs a command.' }
  return { kind: 'act', act: { type: 'exec', command, timeoutSeconds: COMMAND_SECONDS } }
}

const path = z.string().min(1).max(4096)
const Edit = z.discriminatedUnion('command', [
  z.object({ command: z.literal('view'), path, view_range: z.tuple([z.number().int(), z.number().int()]).nullish() }),
  z.object({ command: z.literal('create'), path, file_text: z.string().max(10_000_000).default('') }),
  z.object({ command: z.literal('str_replace'), path, old_str: z.string(), new_str: z.string().default('') }),
  z.object({ command: z.literal('insert'), path, insert_line: z.number().int(), insert_text: z.string() }),
])

export function readEditorCall(input: unknown): Meaning {
  const parsed = Edit.safeParse(input)
  if (!parsed.success) return wrongInput(EDITOR, parsed.error)
  const edit = parsed.data
  switch (edit.command) {
    case 'view':
      return { kind: 'view', path: edit.path, ...(edit.view_range ? { lines: edit.view_range } : {}) }
    case 'create':
      return { kind: 'act', act: { type: 'write_file', path: edit.path, text: edit.file_text } }
    case 'str_replace':
      return { kind: 'edit', path: edit.path, change: replaceOnce(edit.old_str, edit.new_str) }
    case 'insert':
      return { kind: 'edit', path: edit.path, change: insertAfterLine(edit.insert_line, edit.insert_text) }
  }
}
