// A ledger on a simulated Savanna chain with random events: withdrawals, forks, missing and weak certificates, changes
// of the finalizer policy. Makes the expected proofs of the final chain in memory.
import { burnsOf } from '../../../core/finality/burn.ts'
import type { ProofSource } from '../../../core/finality/proof-source.ts'
import { executedActions } from '../../../core/finality/receipts.ts'
import { certificateVerifier } from '../../../proofs/certificates.ts'
import { type Destination, type Proof, proveWithdrawal } from '../../../proofs/prove.ts'
import { LEDGER, type Route, Telos } from '../../proofs/telos.ts'
import type { Random } from '../../support/random.ts'

export const ADDRESS = '0x00000000000000000000000000000000000000c1'
const PLAIN: Route = { domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }
/** A light client with the first policy only. */
const NOWHERE: Destination = {
  ...{ releaseTo: ADDRESS, vault: ADDRESS, lightClient: ADDRESS },
  ...{ roots: [], generation: 1, newest: 1 },
}

const verify = certificateVerifier()

/** @returns null while there is no proof */
export function prove(source: ProofSource, id: bigint, change: Partial<Destination> = {}): Promise<Proof | null> {
  return proveWithdrawal({ source, verify, ledger: LEDGER }, id, { ...NOWHERE, ...change })
}

export class RandomLedger {
  readonly telos: Telos
  private readonly random: Random
  private nextFinalizer = 4
  forks = 0
  deepest = 0

  constructor(random: Random, routes: readonly Route[] = [PLAIN]) {
    this.random = random
    this.telos = new Telos(routes)
  }

  get head(): string {
    return this.telos.chain.head.id
  }

  /** Runs one random event. */
  step(): void {
    const { random, telos } = this
    const { chain } = telos
    const dice = random.integer(0, 19)
    // The first two blocks set up the ledger.
    const depth = Math.min(chain.head.num - Math.max(chain.lib.num, chain.firstBlock + 1), random.integer(1, 6))
    if (dice < 5) telos.withdraw('USDC', BigInt(random.integer(1, 1000)), 1, ADDRESS, 0n, `memo ${dice}`)
    else if (dice < 7) telos.produce({ certificate: 'weak' })
    else if (dice < 10) telos.produce({ certificate: 'none' })
    else if (dice < 11) telos.produce({ finalizers: this.finalizers() })
    else if (dice < 13 && depth > 0) this.fork(depth)
    else telos.idle(1)
  }

  private fork(depth: number): void {
    this.telos.chain.fork(depth)
    this.forks++
    this.deepest = Math.max(this.deepest, depth)
    // Without a certificate, the block differs from the undone one.
    this.telos.produce({ certificate: this.random.chance(0.5) ? 'none' : 'weak' })
    this.telos.idle(1)
  }

  /** Adds a finalizer and removes the oldest one. */
  private finalizers(): number[] {
    const newest = this.nextFinalizer++
    return [newest - 3, newest - 2, newest - 1, newest]
  }

  /** Ids of the withdrawals on the current chain, followed in memory. */
  follow(): bigint[] {
    const { chain } = this.telos
    this.telos.follow(chain.firstBlock)
    const ids: bigint[] = []
    for (let num = chain.firstBlock; num <= chain.head.num; num++) {
      const burns = burnsOf(num, executedActions(chain.block(num)!.traces), LEDGER.account)
      ids.push(...burns.map(({ id }) => id))
    }
    return ids
  }
}
