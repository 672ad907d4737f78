// The first entry of a node started from a snapshot: deltas with the whole state after the snapshot's block, without
// block, traces and previous block. The node's log of traces starts one block later.
import { DecodeError, RetryableError, UserError } from '../../../core/errors.ts'
import { Linkage } from '../linkage.ts'
import type { StateFrame } from '../source.ts'
import type { ShipConnection } from './connection.ts'
import { type BlocksResult, type NodeStatus, unpackMessage } from './protocol.ts'

/** Whether a node has the traces of a block, and its deltas if it keeps deltas. */
export function keepsBlock({ traces, deltas }: NodeStatus, block: number): boolean {
  const begin = Math.max(traces.begin, deltas.begin)
  return traces.end > 0 && block >= begin
}

/** Whether the log of deltas starts before the log of traces: its first entry is then a state without a block. */
export function beginsWithState({ traces, deltas }: NodeStatus): boolean {
  return deltas.end > 0 && (traces.end === 0 || deltas.begin < traces.begin)
}

/** @throws UserError FULL_STATE_BLOCK when the node's first deltas are not those of block `wanted` */
export function checkFullState(chain: string, url: string, { deltas }: NodeStatus, wanted: number | undefined): void {
  if (wanted === undefined || wanted === deltas.begin) return
  throw new UserError(
    'FULL_STATE_BLOCK',
    `${chain}: the whole state is in the deltas of block ${deltas.begin} of ${url}, not in those of block ${wanted}`,
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
  if (position?.num === begin && rows) return { ...position, head, lib, deltas: rows }
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
