// Requests status and versions of a state-history node, for checks before a run.
import { SourceStats } from '../stats.ts'
import { ShipConnection } from './connection.ts'
import { type ShipOptions, shipSettings } from './options.ts'
import { type NodeStatus, type ProtocolVersions, versionsOf } from './protocol.ts'

export interface NodeProbe {
  status: NodeStatus
  versions: ProtocolVersions
}

/**
 * Requests the status of the node at `url`.
 *
 * @throws RetryableError SHIP_CONNECTION when it cannot be reached, UserError NOT_STATE_HISTORY when it is another
 *   service
 */
export async function probeNode(url: string, options: Omit<ShipOptions, 'urls'> = {}): Promise<NodeProbe> {
  const settings = shipSettings({ ...options, urls: [url] })
  const connection = await ShipConnection.open(url, settings, new SourceStats(), new AbortController().signal)
  try {
    return { status: await connection.status(), versions: versionsOf(connection.abi) ?? { status: 0, blocks: 0 } }
  } finally {
    connection.close()
  }
}
