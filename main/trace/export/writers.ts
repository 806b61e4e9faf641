import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportFormat } from '../../contract/trace.ts'
import { type BundleOptions, writeBundle } from '../bundle/export-bundle.ts'
import { htmlReport } from '../report/page.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { conversationOf } from './conversation.ts'
import { csvOf } from './csv.ts'
import { gifOf } from './gif.ts'
import { openaiMessages } from './openai-messages.ts'
import { writeOsworld } from './osworld.ts'
import type { TraceSource } from './source.ts'
import { writeWebm } from './webm.ts'

export type WriteOptions = BundleOptions

/** What a format is called on disk and on the wire, and how it is written. Adding one is one file and one entry here. */
export type Writer = {
  extension: string
  mediaType: string
  write(source: TraceSource, to: Writable, options: WriteOptions): Promise<unknown>
}

const from =
  (chunks: (source: TraceSource, options: WriteOptions) => AsyncIterable<string | Buffer>): Writer['write'] =>
  (source, to, options) =>
    pipeline(Readable.from(chunks(source, options), { objectMode: false }), to, {
      ...(options.signal && { signal: options.signal }),
    })

export const writers: Record<ExportFormat, Writer> = {
  bundle: { extension: 'ghtrace', mediaType: 'application/vnd.godhand.trace+zip', write: writeBundle },
  html: { extension: 'html', mediaType: 'text/html; charset=utf-8', write: from(htmlReport) },
  webm: { extension: 'webm', mediaType: 'video/webm', write: writeWebm },
  gif: { extension: 'gif', mediaType: 'image/gif', write: from(gifOf) },
  osworld: { extension: 'osworld.zip', mediaType: 'application/zip', write: writeOsworld },
  anthropic: {
    extension: 'anthropic.jsonl',
    mediaType: 'application/jsonl',
    write: from((source, { onProgress }) => conversationOf(source, anthropicMessages, onProgress)),
  },
  openai: {
    extension: 'openai.jsonl',
    mediaType: 'application/jsonl',
    write: from((source, { onProgress }) => conversationOf(source, openaiMessages, onProgress)),
  },
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8', write: from(csvOf) },
}
