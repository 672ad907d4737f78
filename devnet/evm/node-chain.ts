// The EVM chain of history on a node: every deposit, release and expiry is a transaction in a block of its time.

import { BugError } from '../../core/errors.ts'
import { itemAt } from '../../core/required.ts'
import type { Destination } from '../../proofs/prove.ts'
import { releaseCalls } from '../../proofs/release-calls.ts'
import type { Chain } from '../chain/chain.ts'
import type { EvmLog } from '../contracts/bridge/evm-gateway.ts'
import type { EvmChain, EvmDeposit } from '../simulation/evm-chain.ts'
import { RELAYER_ADDRESS } from './accounts.ts'
import { LIGHT_CLIENT_ADDRESS, VAULT_ADDRESS, WITHDRAWALS_ADDRESS } from './addresses.ts'
import { eventOf, mine, type Receipt } from './call-evm.ts'
import { interfaceOf } from './contracts.ts'
import { deployment, depositCall, type EvmCall } from './deploy.ts'
import { LedgerProofs } from './ledger-proofs.ts'
import { EvmRpc } from './rpc.ts'

export class NodeEvm implements EvmChain {
  private readonly rpc: EvmRpc
  private readonly chain: Chain
  private readonly proofs: LedgerProofs
  private readonly destination: Destination & { roots: { root: string; lastBlock: number }[] } = {
    releaseTo: WITHDRAWALS_ADDRESS,
    vault: VAULT_ADDRESS,
    lightClient: LIGHT_CLIENT_ADDRESS,
    roots: [],
    generation: 1,
    newest: 1,
  }
  /** Unix seconds of the last block. */
  private last = 0

  /** @param url  of the node @param chain  the ledger's chain, with only its first block */
  constructor(url: string, chain: Chain) {
    this.rpc = new EvmRpc(url)
    this.chain = chain
    this.proofs = new LedgerProofs(chain)
  }

  async open(now: number): Promise<void> {
    for (const calls of deployment(this.chain.genesisPolicy())) await this.block(calls, now)
  }

  async deposit({ nonce, user, code, canonical, to }: EvmDeposit, now: number): Promise<EvmLog> {
    const call = depositCall(user, code, canonical, to.telosTo, new TextEncoder().encode(to.memo))
    const { event, log } = vaultLog(itemAt(await this.block([call], now), 0), 'Deposit')
    if (event.args.getValue('nonce') === nonce) return log
    throw new BugError('DEVNET_EVM', `the vault gave another nonce to deposit ${nonce}`)
  }

  async end(id: bigint, released: boolean, now: number): Promise<EvmLog> {
    const proof = await this.proofs.of(id, this.destination)
    if (!proof) throw new BugError('DEVNET_EVM', `withdrawal ${id} is not proved`)
    const receipts: Receipt[] = []
    for (const { to, data } of releaseCalls(proof, released ? 'release' : 'expire')) {
      receipts.push(...(await this.block([{ from: RELAYER_ADDRESS, to, data }], now)))
      this.learn(itemAt(receipts, -1))
    }
    return vaultLog(itemAt(receipts, -1), released ? 'Released' : 'Voided').log
  }

  private block(calls: readonly EvmCall[], now: number): Promise<Receipt[]> {
    this.last = Math.max(this.last + 1, Math.floor(now / 1000))
    return mine(this.rpc, calls, this.last)
  }

  /** Records the light client's new state from a receipt. */
  private learn(receipt: Receipt): void {
    const client = interfaceOf('SvcLightClient')
    const stored = eventOf(receipt, LIGHT_CLIENT_ADDRESS, client, 'RootStored')
    if (stored) {
      const { root, lastBlock, generation } = stored.event.args.toObject()
      this.destination.roots.push({ root: (root as string).slice(2), lastBlock: Number(lastBlock) })
      this.destination.generation = Math.max(this.destination.generation, Number(generation))
    }
    const learned = eventOf(receipt, LIGHT_CLIENT_ADDRESS, client, 'PolicyLearned')
    if (learned) this.destination.newest = Number(learned.event.args.getValue('generation'))
  }
}

function vaultLog(receipt: Receipt, name: string) {
  const found = eventOf(receipt, VAULT_ADDRESS, interfaceOf('SvcVault'), name)
  if (!found) throw new BugError('DEVNET_EVM', `the vault has not logged ${name} in ${receipt.transactionHash}`)
  const block_number = BigInt(receipt.blockNumber)
  const log: EvmLog = { block_number, tx_hash: receipt.transactionHash.slice(2), log_index: found.index }
  return { event: found.event, log }
}
