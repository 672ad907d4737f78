// The proof of a withdrawal, and the hand-offs that a light client can learn, made and verified by `proofs/` from one
// database snapshot. Immutable proofs are cached.

import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { LRUCache } from '../../core/cache.ts'
import { isEvmDomain } from '../../core/chains.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import type { HandoffArguments, WithdrawalProof } from '../../proofs/json.ts'
import { handoffsAhead, type Proof, type Proving, proveWithdrawal } from '../../proofs/prove.ts'
import { threadedVerifier } from '../../proofs/threaded-verifier.ts'
import { accountsWithRole, type Snapshot } from './bridge-context.ts'
import { coveringRoots, destinationOf, lightClientsOf, NO_CONTRACTS } from './destination.ts'
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
    const { releaseTo, lightClient, generation, newest } = destination
    const made = await proveWithdrawal(this.provingAt({ database, context }), id, {
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

  /** Hand-offs that the light clients of an EVM domain can learn now. */
  async handoffs(at: Snapshot, domain: bigint): Promise<LightClientHandoffs[]> {
    const found: LightClientHandoffs[] = []
    for (const { generation, newest, lightClient } of await lightClientsOf(
      at.database,
      at.context,
      domain,
      this.configured,
    )) {
      const handoffs = newest === null ? [] : await handoffsAhead(this.provingAt(at), { generation, newest })
      found.push({ lightClient, newest, handoffs })
    }
    return found
  }

  private provingAt({ database, context }: Snapshot): Proving {
    const account = accountsWithRole(context, context.ledger, 'bridge')[0] as string
    return {
      source: new SqlSource(database, context.ledger),
      verify: this.verify,
      ledger: { account, action: 'wdlog', permission: 'active' },
    }
  }
}

export interface LightClientHandoffs {
  /** Address. */
  lightClient: string
  /** The newest generation that it has learned; null if none of its events is indexed: then nothing is known. */
  newest: number | null
  /** In order. */
  handoffs: HandoffArguments[]
}
