// Proves a deposit of any chain; the HTTP API's only entry point. Reads the ledger first, then requests from nodes what
// only they have (headers, receipts, beacon updates). Proofs are cached.

import { LRUCache } from '../../core/cache.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import { required } from '../../core/required.ts'
import { readScheduleVersion } from '../../finality-store/legacy.ts'
import type { Queryable } from '../../finality-store/nodes.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { threadedVerifier } from '../threaded-verifier.ts'
import type { GatewayAccount } from './abi.ts'
import { proveLegacyDeposit } from './antelope/dpos.ts'
import { LegacySqlSource } from './antelope/dpos-sql.ts'
import { proveSavannaDeposit } from './antelope/savanna.ts'
import { type EvmDepositSource, proveEvmDeposit } from './evm/prove.ts'
import { DepositFacts, type DepositKey } from './facts.ts'
import type { DepositProof } from './json.ts'

export interface DepositProverOptions {
  /** Sources by chain name. */
  evm: ReadonlyMap<string, EvmDepositSource>
  /** Lifetime of a cached proof that may change, ms. */
  keepMs?: number
  /** Timeout for a pending proof, ms. The computation continues after it. */
  waitMs?: number
}

interface CachedProof {
  proof: Promise<DepositProof | null>
  until: number
  isDone: boolean
}

const KEEP_MS = 5_000
/** Maximum requests waiting for nodes: each holds a database connection. */
const MAX_WAITING = 4
/** Maximum cached proofs. */
const MAX_CACHED = 1000

export class DepositProver {
  readonly #evm: ReadonlyMap<string, EvmDepositSource>
  readonly #lifetimeMs: number
  readonly #waitMs: number
  readonly #verify = threadedVerifier()
  readonly #proofs = new LRUCache<string, CachedProof>({ max: MAX_CACHED })

  #waiting = 0

  constructor({ evm, keepMs = KEEP_MS, waitMs = Number.POSITIVE_INFINITY }: DepositProverOptions) {
    this.#evm = evm
    this.#lifetimeMs = keepMs
    this.#waitMs = waitMs
  }

  /**
   * @param db       one proof takes several statements: pass a client in a repeatable-read transaction where a rewind
   *   may come between them
   * @param ledger   chain of the bridge's ledger
   * @param relayer  account that will push the actions; the empty name when unknown
   * @returns null while the deposit is unknown, not final, or not proved final
   * @throws UserError NO_GATEWAY, NO_NODE, NO_BEACON when the configuration lacks something, DEPOSIT_PATH_TOO_LONG,
   *   GATEWAY_FAR_BEHIND, HANDOFF_MISSING, SCHEDULE_MISSING
   * @throws RetryableError when no endpoint returns valid data: EVM_RPC, EVM_HEADER, EVM_RECEIPTS, EVM_GAP,
   *   EVM_CONTRADICTION, EVM_VOTES, BEACON_API, BEACON_UPDATE; PROOF_PENDING on timeout
   * @throws DecodeError CERTIFICATE_INVALID; BugError PROOF_DOES_NOT_HOLD
   */
  async proofOfDeposit(db: Queryable, ledger: string, key: DepositKey, relayer = ''): Promise<DepositProof | null> {
    const facts = new DepositFacts(db, ledger)
    const vault = await facts.vaultDeposit(key)
    const locked = vault ? null : await facts.lockedDeposit(key)
    if ((!vault && !locked) || vault?.isFinal === false) return null
    const account = await facts.gateway(key.domain)
    if (account === null) throw noGateway(ledger, key.domain)
    if (locked) return this.#proveLocked(db, facts, key, locked, { kind: 'antelope', account, relayer })
    const deposit = required(vault, 'vault')
    const { chain, blockHash } = deposit.place
    const source = this.#evm.get(chain)
    if (!source) throw noNode(chain)
    const knowledge = await facts.vaultKnowledge(key.domain, deposit, account)
    const anchors = knowledge.anchors.map(({ number }) => number).join()
    const name = [key.domain, key.nonce, relayer, Buffer.from(blockHash).toString('hex'), anchors].join('/')
    const gateway = { kind: 'evm', account, relayer } as const
    return this.#wait(
      chain,
      this.#cached(name, () => proveEvmDeposit(source, deposit, gateway, knowledge)),
    )
  }

  async #proveLocked(
    db: Queryable,
    facts: DepositFacts,
    { domain, nonce }: DepositKey,
    locked: { chain: string; blockNum: number; bridge: string },
    gateway: GatewayAccount,
  ): Promise<DepositProof | null> {
    const { chain, bridge } = locked
    const log = await facts.depositLog(chain, nonce)
    if (!log) return null
    const { since, roots, proved } = await facts.lockedKnowledge(domain, locked, gateway.account)
    if (log.receipt) {
      const legacy = new LegacySqlSource(db, locked, { ...log, receipt: log.receipt })
      // After its last block before Savanna, a gateway knows every schedule.
      const version = (await readScheduleVersion(db, chain, since)) ?? (since > log.blockNum ? Number.MAX_VALUE : -1)
      return proveLegacyDeposit(legacy, nonce, gateway, { version, proved })
    }
    const source = { chain, bridge, source: new SqlSource(db, chain), verify: this.#verify, log: async () => log }
    return proveSavannaDeposit(source, nonce, gateway, { since, roots })
  }

  async #wait(chain: string, { proof, isDone }: CachedProof): Promise<DepositProof | null> {
    if (isDone || this.#waitMs === Number.POSITIVE_INFINITY) return proof
    if (this.#waiting >= MAX_WAITING) throw pending(chain)
    this.#waiting++
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(pending(chain)), this.#waitMs)
    })
    try {
      return await Promise.race([proof, late])
    } finally {
      clearTimeout(timer)
      this.#waiting--
    }
  }

  /** Concurrent requests for one proof share a single computation. */
  #cached(name: string, prove: () => Promise<DepositProof | null>): CachedProof {
    const known = this.#proofs.get(name)
    if (known && known.until > performance.now()) return known
    const entry: CachedProof = { proof: prove(), until: Number.POSITIVE_INFINITY, isDone: false }
    this.#proofs.set(name, entry)
    entry.proof.then(
      (proof) => {
        entry.isDone = true
        if (!proof?.immutable) entry.until = performance.now() + this.#lifetimeMs
      },
      () => this.#proofs.delete(name),
    )
    return entry
  }
}

function noGateway(chain: string, domain: bigint): UserError {
  return new UserError('NO_GATEWAY', `${chain}: no gateway of domain ${domain} is configured`, {
    hint: `add it to accounts.gateways of ${chain}`,
    place: { chain },
  })
}

function noNode(chain: string): UserError {
  return new UserError('NO_NODE', `${chain}: receipts of deposits are read from a node`, {
    hint: `set source.urls of ${chain}`,
    place: { chain },
  })
}

function pending(chain: string): RetryableError {
  return new RetryableError('PROOF_PENDING', `${chain}: the proof is still being made`, {
    hint: 'ask again in some seconds',
    place: { chain },
  })
}
