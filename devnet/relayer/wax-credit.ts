// Credits of deposits on wax. The API gives actions for a gateway that checks certificates; the devnet's believes the
// relayer's roots, and checks the way from the deposit to one of them.

import { fromHex } from '../../core/hex.ts'
import { gatewayAbi } from '../../proofs/deposit/abi.ts'
import type { DepositAction } from '../../proofs/deposit/json.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { packProven } from '../contracts/bridge/antelope-gateway.ts'
import type { Proven } from '../contracts/bridge/evidence.ts'
import { GATEWAYS, RELAYER } from '../contracts/exchange.ts'

/** Of an action that submits a root, what is needed. */
interface Submitted {
  root: { finality: { qcClaimBlockNum: number } }
}

/** @param actions  that credit a deposit of a Savanna chain, the credit last @returns null for a proof of another kind */
export function waxCredit(actions: readonly DepositAction[]): ActionCall[] | null {
  const members = actions.map(({ name, data }) => gatewayAbi('antelope').decodeAction(name, fromHex(data)))
  const { nonce, proof } = members.at(-1) as { nonce: bigint; proof: Uint8Array }
  const [kind, proven] = gatewayAbi('antelope').decode('deposit_proof', proof) as [string, Proven]
  if (kind !== 'savanna_proof') return null
  const submitted = members.find((_, i) => actions[i]!.name === 'submitroot') as Submitted | undefined
  const block_num = submitted?.root.finality.qcClaimBlockNum ?? proven.blockNum
  const root = { relayer: RELAYER, block_num, finality_mroot: proven.finalityMroot }
  return [
    call(GATEWAYS.wax, 'submitroot', RELAYER, root),
    call(GATEWAYS.wax, 'credit', RELAYER, { relayer: RELAYER, nonce, proof: packProven(proven) }),
  ]
}
