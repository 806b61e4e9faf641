import type RFB from '@novnc/novnc'
import { useEffect, useRef, useState } from 'react'
import { frameUrl, socketUrl } from '../state/engine.ts'
import { text } from '../text.ts'

type Props = {
  machineId: string
  name: string
  control?: boolean
  lastSeen?: string | null // a frame to show while the live screen is not there
}
type Shown = 'connecting' | 'live' | 'lost'

const firstRetryMs = 300
const longestRetryMs = 4000

/** The screen of a machine as it is now. Fills its parent, which has the shape of the screen; looks on unless `control`. */
export function LiveDesktop({ machineId, name, control = false, lastSeen = null }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const session = useRef<RFB | null>(null)
  const wanted = useRef(control)
  const [shown, setShown] = useState<Shown>('connecting')

  useEffect(() => {
    let ended = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    const open = async () => {
      // Loaded when first needed: most of a start is spent on pages without a live screen.
      const { default: Screen } = await import('@novnc/novnc')
      if (ended || !place.current) return
      const rfb = new Screen(place.current, socketUrl(`/vnc/${encodeURIComponent(machineId)}`), {
        wsProtocols: ['binary'],
      })
      session.current = rfb
      rfb.scaleViewport = true
      rfb.background = 'transparent'
      rfb.viewOnly = !wanted.current
      rfb.focusOnClick = wanted.current
      rfb.addEventListener('connect', () => {
        failures = 0
        setShown('live')
        if (wanted.current) rfb.focus({ preventScroll: true })
      })
      rfb.addEventListener('disconnect', () => {
        session.current = null
        if (ended) return
        setShown('lost')
        timer = setTimeout(open, Math.min(longestRetryMs, firstRetryMs * 2 ** failures++))
      })
    }
    void open()
    return () => {
      ended = true
      clearTimeout(timer)
      session.current?.disconnect()
      session.current = null
    }
  }, [machineId])

  useEffect(() => {
    wanted.current = control
    const rfb = session.current
    if (!rfb) return
    rfb.viewOnly = !control
    rfb.focusOnClick = control
    if (control) rfb.focus({ preventScroll: true })
    else rfb.blur()
  }, [control])

  return (
    <>
      <div ref={place} role="img" aria-label={`${text.desktop.live}: ${name}`} className="absolute inset-0" />
      {shown !== 'live' && lastSeen && <img src={frameUrl(lastSeen)} alt="" className="absolute inset-0 size-full" />}
      {shown !== 'live' && (
        <p className="absolute inset-0 grid place-content-center bg-[oklch(0.2_0.008_65/.7)] text-[oklch(0.9_0.01_85)]">
          {shown === 'connecting' ? text.desktop.connecting : text.desktop.lost}
        </p>
      )}
    </>
  )
}
