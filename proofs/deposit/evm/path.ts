// Headers from a deposit's block to a block that the gateway trusts. Long paths are split into several actions.

import { UserError } from '../../../core/errors.ts'
import { itemAt } from '../../../core/required.ts'
import { depositAction, type GatewayAccount } from '../abi.ts'
import type { DepositAction } from '../json.ts'
import type { EvmReader, RawHeader } from './node.ts'

/** Headers in one action: about 40 kB. */
export const HEADERS_AN_ACTION = 64
/** Maximum blocks between a deposit and its anchor: more than a period of the beacon chain has. */
const LONGEST_PATH = 16_384

/** A block that the gateway trusts as final, or will trust after the proof's earlier actions. */
export interface Anchor {
  number: number
  /** 32 bytes. */
  hash: Uint8Array
}

/**
 * Consecutive headers from a block to an anchor, both ends included.
 *
 * @throws UserError DEPOSIT_PATH_TOO_LONG
 * @throws RpcError EVM_CONTRADICTION, EVM_GAP when the endpoint is on another branch
 */
export async function headerPath(rpc: EvmReader, first: RawHeader, anchor: Anchor): Promise<RawHeader[]> {
  const count = anchor.number - first.number
  if (count > LONGEST_PATH) {
    const what = `the next block that is proved final is ${count} blocks after the deposit, at most ${LONGEST_PATH} are`
    throw new UserError('DEPOSIT_PATH_TOO_LONG', what, { hint: 'use a beacon node that has older updates' })
  }
  const rest = await rpc.headers(Array.from({ length: count }, (_, i) => first.number + 1 + i))
  const path = [first, ...rest]
  for (const [i, header] of rest.entries()) {
    if (Buffer.compare(header.parentHash, itemAt(path, i).hash) !== 0)
      throw rpc.error('EVM_GAP', `block ${header.number} does not follow block ${header.number - 1}`)
  }
  if (Buffer.compare(itemAt(path, -1).hash, anchor.hash) !== 0)
    throw rpc.error('EVM_CONTRADICTION', `its block ${anchor.number} is not the one that is final`)
  return path
}

/** Splits a path: actions that make the gateway trust older blocks, and the remaining headers for the credit. */
export function splitPath(
  gateway: GatewayAccount,
  path: readonly RawHeader[],
): { extensions: DepositAction[]; headers: Uint8Array[] } {
  const extensions: DepositAction[] = []
  let end = path.length
  while (end > HEADERS_AN_ACTION) {
    const headers = path.slice(end - HEADERS_AN_ACTION, end).map(({ rlp }) => rlp)
    extensions.push(depositAction(gateway, 'extend', { headers }))
    end -= HEADERS_AN_ACTION
  }
  return { extensions, headers: path.slice(0, end).map(({ rlp }) => rlp) }
}
