// One question to a state-history node: what are you and what do you keep. For checks before a run.
import { SourceStats } from '../stats.ts'
import { ShipConnection } from './connection.ts'
import { type ShipOptions, shipSettings } from './options.ts'
import { type NodeStatus, type ProtocolVersions, versionsOf } from './protocol.ts'

export interface NodeProbe {
  status: NodeStatus
  versions: ProtocolVersions
}

/**
 * Asks the node at `url` for its status.
 *
 * @throws RetryableError SHIP_CONNECTION when it cannot be reached, UserError NOT_STATE_HISTORY when it is something else
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
