import fs from 'node:fs/promises'
import path from 'node:path'
import { wantedIn } from '../egress/packets.ts'
import type { NetworkWatch } from '../sandbox.ts'
import { NETDEV, NETWORK_CARD } from './argv.ts'
import type { Qmp } from './qmp.ts'

const ID = 'watch'
/** The heads of packets, and the whole of a question for a name. */
const MOST_BYTES = 400

/** Records what passes the guest's network card. Nothing is let through that was not before. */
export async function watchNetwork(qmp: Pick<Qmp, 'execute'>, folder: string): Promise<NetworkWatch> {
  const file = path.join(folder, 'network.pcap')
  await qmp.execute('object-add', { 'qom-type': 'filter-dump', id: ID, netdev: NETDEV, file, maxlen: MOST_BYTES })
  return {
    wanted: async () => wantedIn(await fs.readFile(file), NETWORK_CARD),
    async close() {
      await qmp.execute('object-del', { id: ID })
      await fs.rm(file, { force: true })
    },
  }
}
