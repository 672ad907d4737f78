// Evidence of a withdrawal's outcome for the EVM chain's gateway: the position of the vault's event, as reported by the
// relayer (contracts/bridge/evm-gateway.ts).

import { packOutcome } from '../contracts/bridge/evm-gateway.ts'
import { VAULT_ADDRESS } from '../evm/addresses.ts'
import { eventOf, type Receipt } from '../evm/call-evm.ts'
import { interfaceOf } from '../evm/contracts.ts'
import type { EvmRpc } from '../evm/rpc.ts'

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
  return found && { block: Number(receipt.blockNumber), place: placeOf(receipt, found.index) }
}

/** Packed evidence of a withdrawal's outcome; null when it is not final at that block. */
export async function outcomeEvidence(
  rpc: EvmRpc,
  hash: string,
  released: boolean,
  final: number,
): Promise<Uint8Array | null> {
  const found = await vaultEvent(rpc, hash, released ? 'Released' : 'Voided')
  return found && found.block <= final ? packOutcome(found.place) : null
}
