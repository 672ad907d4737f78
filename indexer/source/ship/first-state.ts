// The first entry of a node started from a snapshot: deltas with the whole state after the snapshot's block, without
// block, traces and previous block. The node's log of traces starts one block later.
import { DecodeError, RetryableError, UserError } from '../../../core/errors.ts'
import { Linkage } from '../linkage.ts'
import type { StateFrame } from '../source.ts'
import type { ShipConnection } from './connection.ts'
import { type BlocksResult, type NodeStatus, unpackMessage } from './protocol.ts'

/** Number of a chain's first block. */
const GENESIS = 1

/** Whether a node has the traces of a block, and its deltas if it keeps deltas. */
export function keepsBlock({ traces, deltas }: NodeStatus, block: number): boolean {
  const begin = Math.max(traces.begin, deltas.begin)
  return traces.end > 0 && block >= begin
}

/**
 * Number of the block with whose state a node's log of deltas begins, if a start at block `from` can use it; else null.
 * The log of deltas then starts before the log of traces, and its first entry is a state without a block. The state of
 * the genesis block is not used by a start at the block after it, because no history is missing.
 *
 * @param fullState  block whose deltas hold the whole state, by configuration
 */
export function usableState({ traces, deltas }: NodeStatus, from: number, fullState?: number): number | null {
  const { begin } = deltas
  const beginsWithState = deltas.end > 0 && (traces.end === 0 || begin < traces.begin)
  if (!beginsWithState || from > begin + 1) return null
  return begin === GENESIS && from > GENESIS && fullState === undefined ? null : begin
}

/** @param from  node or file @param begin  block of its first deltas @throws UserError FULL_STATE_BLOCK when it is not `wanted` */
export function requireFullState(chain: string, from: string, begin: number, wanted: number | undefined): void {
  if (wanted === undefined || wanted === begin) return
  throw new UserError(
    'FULL_STATE_BLOCK',
    `${chain}: the whole state is in the deltas of block ${begin} of ${from}, not in those of block ${wanted}`,
    { hint: 'leave source.fullStateBlock out: it is found by itself', place: { chain, block: wanted } },
  )
}

/** Reads the first entry of the log of deltas. @throws RetryableError SHIP_FRAME, and as the connection */
export async function readFirstState(
  connection: ShipConnection,
  chain: string,
  { deltas }: NodeStatus,
): Promise<StateFrame> {
  const { begin } = deltas
  const held = new Linkage({ from: begin, have: [] })
  connection.request({ start: begin, end: begin + 1, have: [], deltas: true })
  const { position, head, lib, deltas: rows } = unpack(await connection.next(held), chain, connection.url, begin)
  if (position?.num === begin && rows) return { ...position, head, lib, deltas: rows, node: connection.url }
  throw broken(chain, begin, `${connection.url} sends no state of block ${begin}`)
}

function unpack(frame: Uint8Array, chain: string, url: string, block: number): BlocksResult {
  try {
    const message = unpackMessage(frame)
    if (message.kind === 'blocks') return message.result
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw broken(chain, block, `${url} sent a frame that cannot be read: ${error.message}`)
  }
  throw broken(chain, block, `${url} sent a status where a block was asked for`)
}

function broken(chain: string, block: number, what: string): RetryableError {
  return new RetryableError('SHIP_FRAME', `${chain}: ${what}`, { place: { chain, block } })
}
