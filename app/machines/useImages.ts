import { useCallback, useEffect, useMemo, useState } from 'react'
import type { BuildImage, Image, ImportImage } from '../../main/contract/image.ts'
import type { Input } from '../../main/contract/rpc.ts'
import { call } from '../state/engine.ts'
import { change, useStore } from '../state/store.ts'
import { toast, toastError } from '../state/toasts.ts'
import { applyEvent } from '../state/world.ts'
import { text } from '../text.ts'
import { bytes } from '../time/format.ts'

const words = text.images

/** The images of this host and what is being made of them; asked for again whenever a piece of work is over. */
export function useImages() {
  const connectedTimes = useStore((store) => store.connectedTimes)
  const connected = useStore((store) => store.connection === 'open')
  const known = useStore((store) => store.imageWork)
  const work = useMemo(() => Object.values(known).filter(({ what }) => what !== 'template'), [known])
  const [images, setImages] = useState<Image[] | null>(null)
  const refresh = useCallback(() => {
    call('image.list', {}).then(setImages, () => {}) // the banner says when the engine is away
  }, [])
  const over = work.length
  // Fewer pieces of work is the news that there may be a new image
  useEffect(() => {
    if (connectedTimes > 0) refresh()
  }, [connectedTimes, over, refresh])
  useEffect(() => {
    if (connectedTimes === 0) return
    call('image.work', {}).then(
      (list) => change((world) => list.reduce((next, each) => applyEvent(next, { type: 'image', work: each }), world)),
      () => {},
    )
  }, [connectedTimes])

  const making = (made: Promise<Image>) =>
    made.then(
      ({ name }) => {
        toast(words.made(name))
        refresh()
      },
      (thrown: unknown) => toastError(thrown),
    )
  return {
    images,
    work,
    connected,
    build: (wish: BuildImage) => void making(call('image.build', wish)),
    bring: (wish: Input<'image.import'> & Pick<ImportImage, 'file'>) => void making(call('image.import', wish)),
    remove: ({ id }: Image) =>
      void call('image.remove', { imageId: id }).then(({ freedBytes }) => {
        toast(words.removed(id, bytes(freedBytes)))
        refresh()
      }, toastError),
  }
}
