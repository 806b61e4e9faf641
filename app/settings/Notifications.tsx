import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { text } from '../text.ts'
import { Card } from './Card.tsx'

const words = text.settings.appearance

const stateNow = (): NotificationPermission | 'missing' =>
  'Notification' in window ? Notification.permission : 'missing'

/** The browser asks the person; what they said is shown. */
export function Notifications() {
  const [state, setState] = useState(stateNow)
  return (
    <Card title={words.notify} detail={words.notifyDetail}>
      {state === 'default' ? (
        <Button icon={Bell} onClick={() => void Notification.requestPermission().then(setState)}>
          {words.notifyStates.default}
        </Button>
      ) : (
        <p role="status">{words.notifyStates[state]}</p>
      )}
    </Card>
  )
}
