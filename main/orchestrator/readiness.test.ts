import { expect, it } from 'vitest'
import { GodHandError } from '../contract/errors.ts'
import type { Readiness } from '../contract/rpc.ts'
import { FakeDriver } from '../sandbox/fake/driver.ts'
import { Events } from './events.ts'
import { RoomKeeper } from './readiness.ts'

/** A driver that lacks its image until somebody brings it. */
class Wanting extends FakeDriver {
  hasImage = false

  override async prepare(...given: Parameters<FakeDriver['prepare']>): Promise<void> {
    if (!this.hasImage) throw new GodHandError('missing_prerequisite', 'The guest image is not there.')
    await super.prepare(...given)
  }
}

it('says what is missing, brings it when asked with how far it is, and is ready then', async () => {
  const driver = new Wanting()
  const events = new Events()
  const told: Readiness[] = []
  events.on((event) => event.type === 'readiness' && told.push(event.readiness))
  const room = new RoomKeeper(driver, events)
  const { signal } = new AbortController()
  room.prepare('desktop', signal)
  await room.settled()
  expect(room.state).toMatchObject({ kind: 'broken', error: { code: 'missing_prerequisite' } })

  room.prepare('desktop', signal, async (onProgress) => {
    onProgress({ step: 'Unpacking packages', done: 1, total: 2 })
    driver.hasImage = true
  })
  await room.settled()
  expect(told).toContainEqual({ kind: 'preparing', progress: { step: 'Unpacking packages', done: 1, total: 2 } })
  expect(room.state).toMatchObject({ kind: 'ready', image: 'desktop' })
})

it('goes on as it is when it is asked again meanwhile', async () => {
  const room = new RoomKeeper(new FakeDriver(), new Events())
  const { signal } = new AbortController()
  let brought = 0
  const bring = async () => {
    brought += 1
  }
  room.prepare('desktop', signal, bring)
  room.prepare('desktop', signal, bring)
  await room.settled()
  expect(brought).toBe(1)
})
