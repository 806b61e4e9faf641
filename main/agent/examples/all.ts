import type { Example } from '../../contract/example.ts'
import { haiku } from './haiku.ts'
import { parcel } from './parcel.ts'
import { threeWays } from './three-ways.ts'
import { tidy } from './tidy.ts'
import { till } from './till.ts'
import { twoWays } from './two-ways.ts'
import { waves } from './waves.ts'

/** The gallery, in the order it is shown. */
export const examples: readonly Example[] = [haiku, twoWays, threeWays, parcel, tidy, till, waves]
