import { useEffect, useRef, useState } from 'react'
import { frameUrl } from '../state/engine.ts'
import { stageText } from '../text/stage.ts'
import { paintDiff } from './paint-diff.ts'

const words = stageText.diff

type Props = { before: string; after: string; onShare: (share: number) => void }

/** Two frames as one: what stayed is pale, what changed keeps its colour and is outlined by its own shape. */
export function DiffPicture({ before, after, onShare }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let current = true
    Promise.all([load(before), load(after)]).then(
      ([first, second]) => {
        if (!current || !canvas.current) return
        onShare(draw(canvas.current, first, second))
      },
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [before, after, onShare])
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={words.alt} className="absolute inset-0 size-full" />
      {failed && (
        <p className="absolute inset-0 grid place-content-center text-[oklch(0.86_0.01_85)]">{words.missing}</p>
      )}
    </>
  )
}

async function load(frame: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = frameUrl(frame)
  await image.decode()
  return image
}

function draw(canvas: HTMLCanvasElement, before: HTMLImageElement, after: HTMLImageElement): number {
  const { naturalWidth: width, naturalHeight: height } = after
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return 0
  const pixelsOf = (image: HTMLImageElement) => {
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, width, height)
  }
  const first = pixelsOf(before)
  const second = pixelsOf(after)
  const share = paintDiff(first.data, second.data)
  context.putImageData(second, 0, 0)
  return share
}
