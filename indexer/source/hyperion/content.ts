// Converts messages of a Hyperion server to actions and rows. Server versions differ: `receipts` may lack the
// receivers, `present` is a number or a boolean, times may lack their zone, block ids may be missing.
import type { ActionContent, DeltaContent } from '@eosrio/hyperion-stream-client'
import { DecodeError } from '../../../core/errors.ts'
import type { UnpackedAction, UnpackedRow } from '../source.ts'

/** Data of a message about its block. */
export interface BlockFacts {
  num: number
  /** Null when the server did not send it. */
  id: string | null
  /** Unix milliseconds; null when the server did not send it. */
  time: number | null
  producer: string | null
}

export function factsOf(content: ActionContent | DeltaContent): BlockFacts {
  const num = Number(content.block_num)
  if (!Number.isInteger(num) || num < 1)
    throw new DecodeError('HYPERION_CONTENT', `no block number: ${content.block_num}`)
  const { block_id: id, producer } = content as { block_id?: unknown; producer?: unknown }
  return {
    num,
    id: typeof id === 'string' && /^[0-9a-f]{64}$/.test(id) ? id : null,
    time: timeOf(content['@timestamp'] ?? content.timestamp),
    producer: typeof producer === 'string' ? producer : null,
  }
}

/** One action for each receiver. Without receivers in the message, the receiver is the contract itself. */
export function actionsOf(content: ActionContent): UnpackedAction[] {
  const { act, trx_id: trxId } = content
  const receipts = (content.receipts ?? [{ receiver: act.account, global_sequence: content.global_sequence }]) as {
    receiver: string
    global_sequence?: number | string
  }[]
  return receipts.map((receipt) => ({
    globalSeq: BigInt(receipt.global_sequence ?? content.global_sequence),
    trxId,
    receiver: receipt.receiver,
    account: act.account,
    name: act.name,
    data: act.data ?? {},
  }))
}

export function rowOf(content: DeltaContent): UnpackedRow {
  const { code, scope, table, data } = content
  const { present, primary_key: primaryKey } = content as { present?: boolean | number; primary_key?: unknown }
  return {
    code,
    scope,
    table,
    primaryKey: String(primaryKey ?? ''),
    present: present === undefined || Boolean(present),
    data: data ?? {},
  }
}

/** Parses a time to Unix milliseconds, as UTC when it has no zone; null when it is invalid. */
export function timeOf(text: unknown): number | null {
  if (typeof text !== 'string') return null
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? null : time
}
