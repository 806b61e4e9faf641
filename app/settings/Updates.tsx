import { Prose } from '../parts/Prose.tsx'
import { useStore } from '../state/store.ts'
import { text } from '../text.ts'
import { Card } from './Card.tsx'

const words = text.settings.updates

export function Updates() {
  const version = useStore((store) => store.info?.version)
  return (
    <>
      <p className="text-muted">{words.lead}</p>
      <Card>
        {version && <p className="font-medium">{words.version(version)}</p>}
        <p>
          <Prose>{words.how}</Prose>
        </p>
      </Card>
    </>
  )
}
