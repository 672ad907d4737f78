// Creates the block source that a chain's configuration selects.
import type { ChainConfig } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import { HyperionSource } from '../indexer/source/hyperion/source.ts'
import { LogSource, type LogSourceOptions } from '../indexer/source/logs/source.ts'
import type { BlockRange } from '../indexer/source/ranges.ts'
import { ReplaySource } from '../indexer/source/replay.ts'
import { CatchUpSource } from '../indexer/source/ship/catch-up.ts'
import { ShipSource } from '../indexer/source/ship/source.ts'
import type { BlockSource } from '../indexer/source/source.ts'
import type { AnomalyListener, SourceStats } from '../indexer/source/stats.ts'

export type CountingSource = BlockSource & { readonly stats: SourceStats }

/** Events of sources, for the log. */
export interface SourceEvents extends Pick<LogSourceOptions, 'onLogs'> {
  /** Called when several sessions are about to read a range. */
  onCatchUp?: (range: BlockRange) => void
}

/**
 * @throws UserError NO_NODE, NO_RECORDING when the configuration names no node or recording
 */
export function createSource(
  config: ChainConfig,
  onAnomaly: AnomalyListener,
  events: SourceEvents = {},
): CountingSource {
  const { chain, chainId, source, accounts } = config
  const [first] = source.urls
  switch (source.kind) {
    case 'ship': {
      const { sessions, queueBytes, logs: folders, maxFrameBytes: maxBytes } = source
      if (folders.length > 0 && source.urls.length === 0) {
        return new LogSource({ folders, chain, chainId, maxBytes, onAnomaly, onLogs: events.onLogs })
      }
      const ship = new ShipSource({
        urls: source.urls,
        chain,
        chainId,
        maxFrameBytes: source.maxFrameBytes,
        maxQueueBytes: queueBytes,
        onAnomaly,
      })
      const { onCatchUp, onLogs } = events
      const live = sessions > 1 ? new CatchUpSource(ship, { sessions, queueBytes, onCatchUp }) : ship
      return folders.length > 0 ? new LogSource({ folders, chain, chainId, maxBytes, live, onLogs }) : live
    }
    case 'hyperion': {
      if (first === undefined) throw missing('NO_NODE', chain, 'source.urls', 'a Hyperion server')
      const { gateways, system: _, ...roles } = accounts
      const contracts = [...Object.values(roles), ...gateways.map(({ account }) => account)]
      const tokens = config.tokens.contracts === '*' ? [] : config.tokens.contracts
      const watched = [...new Set([...contracts, ...tokens])]
      return new HyperionSource({
        endpoint: first,
        chainApi: source.http,
        chain,
        chainId,
        actions: watched,
        tables: watched,
        onAnomaly,
      })
    }
    case 'replay':
      if (source.file === undefined) throw missing('NO_RECORDING', chain, 'source.file', 'a recording')
      return new ReplaySource(source.file, { onAnomaly })
  }
}

function missing(code: string, chain: string, path: string, what: string): UserError {
  return new UserError(code, `${chain}: no ${what.replace(/^a /, '')} is configured`, {
    hint: `set ${path} of ${chain} to ${what}`,
    place: { chain },
  })
}
