import { Download } from 'lucide-react'
import { useState } from 'react'
import { ExportFormat, type RedactionInput } from '../../main/contract/trace.ts'
import { Button } from '../parts/Button.tsx'
import { Choice } from '../parts/Choice.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { useExport } from '../task/useExport.ts'
import { tracesText } from '../text/traces.ts'
import { text } from '../text.ts'

const words = tracesText.redact
const formats = ExportFormat.options.map((value) => ({ value, label: text.task.exports[value] }))

type Props = { taskId: string; redact: RedactionInput | null; broken: boolean }

/** Which file, and the making of it. `redact` is null while there is nothing to hide; `broken` is a wish that cannot be met. */
export function ExportFoot({ taskId, redact, broken }: Props) {
  const [format, setFormat] = useState<ExportFormat>('bundle')
  const { job, working, start, cancel } = useExport()
  return (
    <footer className="flex flex-wrap items-center justify-end gap-3 border-t border-line px-5 py-3">
      {working ? (
        <>
          <div className="min-w-40 flex-1 space-y-1">
            <p aria-live="polite" className="text-sm">
              {job?.progress?.step ?? text.exporting.starting}
            </p>
            <ProgressBar progress={job?.progress ?? { step: '', done: 0, total: -1 }} label={text.exporting.label} />
          </div>
          <Button onClick={cancel}>{text.common.cancel}</Button>
        </>
      ) : (
        <>
          <p className="flex-1 text-sm text-muted">{!redact && words.nothingYet}</p>
          <Choice label={words.format} value={format} options={formats} onChange={setFormat} />
          <Button
            look="primary"
            icon={Download}
            disabled={!redact || broken}
            onClick={() => redact && start({ taskId, format, redact })}
          >
            {words.export}
          </Button>
        </>
      )}
    </footer>
  )
}
