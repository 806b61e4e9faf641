import type { RedactionPreview } from '../../main/contract/export.ts'
import { tracesText } from '../text/traces.ts'

const words = tracesText.redact

/** The first words that will read otherwise, as they are now and as they will stand in the file. */
export function TextChanges({ preview: { texts, changed } }: { preview: RedactionPreview }) {
  return (
    <section aria-label={words.texts} className="space-y-2">
      <p role="status" className="text-sm">
        {words.changed(changed)}
      </p>
      {texts.length > 0 && (
        <table className="w-full table-fixed border-collapse text-left text-sm">
          <colgroup>
            <col className="w-20" />
            <col />
            <col />
          </colgroup>
          <thead>
            <tr className="text-xs text-muted">
              <th scope="col">
                <span className="sr-only">{tracesText.storage.what}</span>
              </th>
              <th scope="col" className="py-1 pr-3 font-normal">
                {words.before}
              </th>
              <th scope="col" className="py-1 font-normal">
                {words.after}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-y border-line">
            {texts.map(({ where, before, after }, index) => (
              <tr key={index} className="align-top">
                <th scope="row" className="py-1.5 pr-3 font-normal text-muted">
                  {words.where(where)}
                </th>
                <td className="py-1.5 pr-3 whitespace-pre-wrap wrap-anywhere text-muted">{before}</td>
                <td className="py-1.5 whitespace-pre-wrap wrap-anywhere">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changed > texts.length && <p className="text-sm text-muted">{words.moreTexts(changed - texts.length)}</p>}
    </section>
  )
}
