// What the gateway for the EVM chain takes as evidence of an event of the vault: where the node has it, in the relayer's
// words (contracts/bridge/gateway.ts).

import { nameToString } from '../../core/antelope/name.ts'
import { fromHex } from '../../core/hex.ts'
import { packOutcome, packRelayed } from '../contracts/bridge/gateway.ts'
import { EVM_TOKENS } from '../contracts/exchange.ts'
import { VAULT_ADDRESS } from '../evm/addresses.ts'
import { eventOf, type Receipt } from '../evm/call-evm.ts'
import { interfaceOf } from '../evm/contracts.ts'
import type { EvmRpc } from '../evm/rpc.ts'

const bytes = (hex: string): Uint8Array => fromHex(hex.slice(2).toLowerCase())

function placeOf(receipt: Receipt, index: number) {
  return {
    block_number: BigInt(receipt.blockNumber),
    tx_hash: receipt.transactionHash.slice(2),
    log_index: index,
  }
}

async function vaultEvent(rpc: EvmRpc, hash: string, name: string) {
  const receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', hash)
  const found = receipt && eventOf(receipt, VAULT_ADDRESS, interfaceOf('SvcVault'), name)
  return found && { block: Number(receipt.blockNumber), place: placeOf(receipt, found.index), args: found.event.args }
}

/** Packed evidence of a deposit. @param hash  of its transaction @returns null when it is not final by that block */
export async function depositEvidence(rpc: EvmRpc, hash: string, final: number): Promise<Uint8Array | null> {
  const found = await vaultEvent(rpc, hash, 'Deposit')
  if (!found || found.block > final) return null
  const { token, from, canonical, telosTo, refundTo, memo } = found.args.toObject() as Record<string, string>
  const address = token!.toLowerCase()
  const code = Object.keys(EVM_TOKENS).find((symbol) => EVM_TOKENS[symbol] === address)
  if (code === undefined) return null
  return packRelayed({
    ...found.place,
    from: bytes(from!),
    telosTo: nameToString(BigInt(telosTo!)),
    token: bytes(address),
    sym_code: code,
    canonical: BigInt(canonical!),
    refund_to: bytes(refundTo!),
    memo: bytes(memo!),
  })
}

/** Packed evidence of what became of a withdrawal; null when it is not final by that block. */
export async function outcomeEvidence(
  rpc: EvmRpc,
  hash: string,
  released: boolean,
  final: number,
): Promise<Uint8Array | null> {
  const found = await vaultEvent(rpc, hash, released ? 'Released' : 'Voided')
  return found && found.block <= final ? packOutcome(found.place) : null
}
