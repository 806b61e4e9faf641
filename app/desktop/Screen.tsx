import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Fit, sharpFit } from './sharp.ts'

type Props = { size: { width: number; height: number }; driving?: boolean; children: ReactNode }

/** A frame in the shape of a guest's screen, as large as its place allows and sharp where it can be. */
export function Screen({ size: { width, height }, driving = false, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [fit, setFit] = useState<Fit | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => {
      const room = element.getBoundingClientRect()
      setFit(sharpFit(Math.min(room.width, (room.height * width) / height), width, window.devicePixelRatio))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [width, height])
  const style = { '--w': width, '--h': height, ...(fit && { width: fit.width }) } as CSSProperties
  return (
    <div ref={place} className="screen-place flex-1">
      <div
        className={`screen ${fit?.whole ? 'screen-whole' : ''} ${driving ? 'outline-3 outline-offset-4 outline-gold' : ''}`}
        style={style}
      >
        {children}
      </div>
    </div>
  )
}
