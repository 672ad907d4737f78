// The proof of a withdrawal, made and verified by `proofs/` from one database snapshot. Immutable proofs are cached.

import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { LRUCache } from '../../core/cache.ts'
import { isEvmDomain } from '../../core/chains.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import type { WithdrawalProof } from '../../proofs/json.ts'
import { type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { threadedVerifier } from '../../proofs/threaded-verifier.ts'
import { accountsWithRole, type Snapshot } from './bridge-context.ts'
import { coveringRoots, destinationOf, NO_CONTRACTS } from './destination.ts'
import { readWithdrawals } from './read-legs.ts'

/** Maximum number of immutable proofs in the cache. */
const MAX_CACHED = 500

export class WithdrawalProofs {
  private readonly configured: readonly EvmChainConfig[]
  private readonly verify = threadedVerifier()
  private readonly cache = new LRUCache<bigint, { block: number; trx: string; proof: WithdrawalProof }>({
    max: MAX_CACHED,
  })

  constructor(configured: readonly EvmChainConfig[]) {
    this.configured = configured
  }

  /**
   * @param learned  the newest generation that the light client has learned, if its events are not indexed
   * @returns the proof, or as text why there is none
   */
  async read({ database, context }: Snapshot, id: bigint, learned?: number): Promise<Proof | string> {
    const [facts] = await readWithdrawals(database, context, [id])
    if (facts === undefined) return `w:${id} is not known`
    if (facts.proved !== true) return `there is no proof of w:${id} yet`
    const cached = this.cache.get(id)
    if (cached?.block === facts.burn.block && cached.trx === facts.burn.trx)
      return { proof: cached.proof, immutable: true }
    const known = isEvmDomain(facts.domain)
      ? await destinationOf(database, context, facts.domain, facts.vault, this.configured)
      : NO_CONTRACTS
    const destination = learned === undefined ? known : { ...known, generation: learned, newest: learned }
    const roots = await coveringRoots(database, destination, facts.burn.block)
    const account = accountsWithRole(context, context.ledger, 'bridge')[0] as string
    const proving = {
      source: new SqlSource(database, context.ledger),
      verify: this.verify,
      ledger: { account, action: 'wdlog', permission: 'active' },
    }
    const { releaseTo, lightClient, generation, newest } = destination
    const made = await proveWithdrawal(proving, id, {
      releaseTo,
      lightClient,
      vault: facts.vault,
      roots,
      generation,
      newest,
    })
    if (made === null) return `there is no proof of w:${id} yet`
    const { proof } = made
    const root = roots.find((one) => `0x${one.root}` === proof.light?.release.finalityMroot)
    const isRootFinal = root !== undefined && root.block <= (context.positions.get(destination.chain ?? '')?.lib ?? 0)
    const immutable = made.immutable && isRootFinal && facts.final && learned === undefined
    if (immutable) this.cache.set(id, { block: facts.burn.block, trx: facts.burn.trx, proof })
    return { proof, immutable }
  }
}
