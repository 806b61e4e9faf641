import { text } from '../text.ts'
import { LocalServers } from './LocalServers.tsx'
import { ServiceKey } from './ServiceKey.tsx'

export function Models() {
  return (
    <>
      <p className="text-muted">{text.settings.models.lead}</p>
      <ServiceKey service="anthropic" />
      <ServiceKey service="openai" />
      <LocalServers />
    </>
  )
}
