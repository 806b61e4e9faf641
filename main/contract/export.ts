import { z } from 'zod'
import { Region } from './action.ts'
import { ErrorInfo } from './errors.ts'
import { Progress } from './progress.ts'
import { ExportFormat, Redaction } from './trace.ts'

/** Making a file of a trace: long enough to be watched and called off. */
export const ExportWish = z.object({
  taskId: z.string(),
  format: ExportFormat.default('bundle'),
  redact: Redaction.optional(),
  /** In a bundle: the machines that were kept, so that its steps can be booted elsewhere. They hold all that was in them. */
  machines: z.boolean().default(false),
})
export type ExportWish = z.infer<typeof ExportWish>

/** working ──► done | failed | cancelled */
export const ExportJob = z.object({
  id: z.string(),
  taskId: z.string(),
  format: ExportFormat,
  name: z.string(), // of the file
  state: z.enum(['working', 'done', 'failed', 'cancelled']),
  progress: Progress.nullable(),
  file: z.string().nullable(), // where it was written to; null: it is fetched from /exports/<id>
  bytes: z.number().int().nullable(), // once it is done
  error: ErrorInfo.nullable(),
})
export type ExportJob = z.infer<typeof ExportJob>

/** What a redaction does to one picture and to the words of a trace, before anything leaves the house. */
export const RedactionPreview = z.object({
  png: z.string(), // base64: the very picture an export would hold
  covered: z.array(Region), // regions, and where patterns were read on the screen
  texts: z.array(z.object({ where: z.string(), before: z.string(), after: z.string() })), // the first that change
  changed: z.number().int(), // how many texts change in all
})
export type RedactionPreview = z.infer<typeof RedactionPreview>
