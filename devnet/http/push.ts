// Handles pushed transactions of the chain API.

import { inflateSync } from 'node:zlib'
import { DecodeError, UserError } from '../../core/errors.ts'
import { fromHex } from '../../core/hex.ts'
import { AuthorityError } from '../chain/authority.ts'
import { ContractError } from '../chain/contract-error.ts'
import type { Inbox } from '../chain/inbox.ts'
import { ChainApiError } from './error.ts'

/** Maximum bytes of an uncompressed transaction. */
const MAX_ENTRIES = 1 << 19

/** A packed transaction in JSON. */
export interface PushQuery {
  compression?: string | number
  packed_trx?: string
  signatures?: unknown
}

/** Resolves once the transaction is in a block. @throws ChainApiError when it cannot be read or is refused */
export async function pushTransaction(inbox: Inbox, query: PushQuery): Promise<object> {
  const { signatures } = query
  const texts = Array.isArray(signatures) ? signatures.map(String) : []
  try {
    const { id, blockNum, blockTime } = await inbox.send(packedOf(query), texts)
    const block_time = new Date(blockTime).toISOString().slice(0, 23)
    return { transaction_id: id, processed: { id, block_num: blockNum, block_time, receipt: { status: 'executed' } } }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof AuthorityError) throw new ChainApiError(error.number, error.kind, message)
    if (error instanceof ContractError)
      throw new ChainApiError(3050003, 'eosio_assert_message_exception', `assertion failure with message: ${message}`)
    if (error instanceof DecodeError || error instanceof UserError)
      throw new ChainApiError(3010001, 'packed_transaction_type_exception', message)
    throw error
  }
}

/** Uncompressed bytes of a transaction. @throws ChainApiError */
export function packedOf({ compression = 0, packed_trx }: PushQuery): Uint8Array {
  if (typeof packed_trx !== 'string' || !/^([0-9a-f]{2})+$/i.test(packed_trx))
    throw new ChainApiError(3010001, 'packed_transaction_type_exception', 'packed_trx must be hexadecimal digits')
  return unpacked(fromHex(packed_trx.toLowerCase()), compression)
}

/** Wallets send transactions uncompressed or deflated. */
function unpacked(bytes: Uint8Array, compression: string | number): Uint8Array {
  if (compression === 0 || compression === 'none') return bytes
  if (compression !== 1 && compression !== 'zlib')
    throw new ChainApiError(3010001, 'packed_transaction_type_exception', `compression ${compression} is not known`)
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_ENTRIES })
  } catch {
    throw new ChainApiError(3010001, 'packed_transaction_type_exception', 'the compressed transaction cannot be read')
  }
}
