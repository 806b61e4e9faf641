import { FileDown, Hammer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { text } from '../text.ts'
import { ImageRow } from './ImageRow.tsx'
import { ImportImage } from './ImportImage.tsx'
import { RecipeImage } from './RecipeImage.tsx'
import { useImages } from './useImages.ts'

const words = text.images

/** What machines are made from. */
export function Images({ now, inUse }: { now: number; inUse: ReadonlySet<string> }) {
  const { images, work, connected, build, bring, remove } = useImages()
  const [asking, setAsking] = useState<'import' | 'recipe' | null>(null)
  const close = () => setAsking(null)
  const newest = new Set(
    images?.map(({ name }, index) => (images.findIndex((each) => each.name === name) === index ? index : -1)),
  )
  return (
    <section aria-labelledby="images">
      <div className="mb-2.5 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="images" className="text-lg font-semibold">
            {words.title}
          </h2>
          <p className="text-sm text-muted">{words.lead}</p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          <Button size="sm" icon={Hammer} disabled={!connected} onClick={() => setAsking('recipe')}>
            {words.build}
          </Button>
          <Button size="sm" icon={FileDown} disabled={!connected} onClick={() => setAsking('import')}>
            {words.import}
          </Button>
        </div>
      </div>
      <ul className="divide-y divide-line overflow-hidden rounded-lg bg-surface shadow-card ring-1 ring-line">
        {work.map((each) => (
          <li key={each.id} className="space-y-1.5 px-4 py-3">
            <p className="flex justify-between gap-4">
              <span className="font-medium">{words.working(each.what, each.name)}</span>
              {each.state === 'running' && <span className="text-sm text-muted">{each.progress.step}</span>}
            </p>
            {each.error ? <ErrorNote error={each.error} /> : <ProgressBar progress={each.progress} label={each.name} />}
          </li>
        ))}
        {images === null ? (
          <li className="px-4 py-3 text-muted">{text.common.loading}</li>
        ) : images.length === 0 && work.length === 0 ? (
          <li className="px-4 py-3 text-muted">{words.none}</li>
        ) : (
          images.map((image, index) => (
            <ImageRow
              key={image.id}
              image={image}
              now={now}
              current={newest.has(index)}
              inUse={newest.has(index) && inUse.has(image.name)}
              onRemove={() => remove(image)}
            />
          ))
        )}
      </ul>
      {asking === 'import' && <ImportImage onImport={bring} onClose={close} />}
      {asking === 'recipe' && <RecipeImage onBuild={build} onClose={close} />}
    </section>
  )
}
