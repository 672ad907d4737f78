// The chain id in the node's global properties, as state history writes them: a row of the table `global_property`. The
// entry of deltas with which a log of a new node begins has that row, because it holds the whole state. Pure.
// Source: `libraries/state_history` of Leap and Spring.
import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { Reader } from '../reader.ts'
import { CONFIG_BYTES, CONFIG_BYTES_SINCE_5, skipProposedSchedule } from '../snapshot/chain-id.ts'

export const PROPERTIES_TABLE = 'global_property'
/** Version of the row that has the chain id. Nodes before EOSIO 2.0 write version 0 without it. */
const WITH_CHAIN_ID = 1
const ID_BYTES = 32

/**
 * Chain id of a row, which begins with its version and is the range [start, end) of the data.
 *
 * @returns 64 hex digits; null for a row without it, or of an unknown layout
 */
export function chainIdOfProperties(data: Uint8Array, start: number, end: number): string | null {
  const reader = new Reader(data, start, end)
  try {
    if (reader.varuint32() !== WITH_CHAIN_ID) return null
    skipProposedSchedule(reader)
    const configVersion = reader.varuint32()
    if (configVersion > 1) return null
    reader.skip(configVersion === 0 ? CONFIG_BYTES : CONFIG_BYTES_SINCE_5)
    return toHex(reader.bytes(ID_BYTES))
  } catch (error) {
    if (error instanceof DecodeError) return null
    throw error
  }
}
