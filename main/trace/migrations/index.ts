import type { Migration } from '../migrate.ts'
import { initial } from './001-initial.ts'
import { library } from './002-library.ts'
import { leash } from './003-leash.ts'
import { branches } from './004-branches.ts'
import { sleepingMachines } from './005-sleeping-machines.ts'
import { replays } from './006-replays.ts'
import { searchPlaces } from './007-search-places.ts'

/** In order, numbered from 1 without gaps. */
export const migrations: readonly Migration[] = [
  initial,
  library,
  leash,
  branches,
  sleepingMachines,
  replays,
  searchPlaces,
]
