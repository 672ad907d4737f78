// The relayer of a devnet. Reads pending actions from the public bridge API and sends them to the contracts: credits,
// deliveries and bounces of deposits; releases, expiries, payments, settlements and refunds of withdrawals; recovery of
// journeys that came back. Its only state is recent refusals, so it can restart at any time.

import type { Asset } from '../../core/antelope/asset.ts'
import { itemAt } from '../../core/required.ts'
import type { BeaconSource } from '../../proofs/deposit/evm/beacon.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { ETHEREUM_DOMAIN, WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import { BRIDGE, GATEWAYS, HOP, RELAYER } from '../contracts/exchange.ts'
import { RELAYER_ADDRESS, SLEEPERS, VISITOR_ADDRESS } from '../evm/accounts.ts'
import { endingCalls } from '../evm/node-chain.ts'
import type { EvmRpc } from '../evm/rpc.ts'
import { type AntelopeNode, NodeError } from './antelope-node.ts'
import type { BridgeApi, PendingDeposit, PendingHop, PendingSettlement, PendingWithdrawal } from './bridge-api.ts'
import { outcomeEvidence } from './evidence.ts'
import { EvmRefusal, execute, finalBlock } from './evm-account.ts'
import { followingCalls } from './following.ts'

/** An action of the relayer, or its refusal. */
export interface RelayedAction {
  /** Key of the leg or the journey. */
  key: string
  what: 'credit' | 'forward' | 'bounce' | 'pay' | 'release' | 'expire' | 'settle' | 'refund' | 'recover'
  /** Why it was refused; null when it succeeded. */
  refused: string | null
}

export interface RelayerOptions {
  api: BridgeApi
  /** Node of the ledger's chain. */
  telos: AntelopeNode
  wax: AntelopeNode
  evm: EvmRpc
  /** Beacon node of the EVM chain, used to set up the chain's gateway. Without it, deposits there are not credited. */
  beacon?: BeaconSource
  /** Recipients on the EVM chain whose withdrawals are not released. */
  leave?: readonly string[]
  /** Kinds of actions that are left to others. */
  omit?: readonly RelayedAction['what'][]
  tell: (action: RelayedAction) => void
}

/** Milliseconds until a refused action is retried, by number of refusals. */
const RETRY_DELAYS = [5_000, 10_000, 30_000, 60_000] as const
/** Limit of remembered refusals and actions. */
const MAX_REMEMBERED = 5000
/** The vault's outflow limit is exceeded. Retried soon, since the allowance grows each second. */
const OUTFLOW_LIMITED = 'OutflowLimited'
/** Maximum milliseconds for which a withdrawal that waits for the allowance blocks later ones. */
const MAX_QUEUE_MS = 600_000

export class Relayer {
  private readonly options: RelayerOptions
  private readonly leave: ReadonlySet<string>
  private following = false
  private beginning: Promise<void> | null = null
  private releasing: Promise<void> | null = null
  private isStopped = false
  /** Errors of releases since the last turn. */
  private readonly troubles: Error[] = []
  /** By token, the withdrawal that waits for the vault's allowance. */
  private readonly limited = new Map<string, { key: string; since: number }>()
  private readonly refusals = new Map<string, { count: number; until: number; message: string | null }>()

  constructor(options: RelayerOptions) {
    this.options = options
    this.leave = new Set(options.leave ?? [...SLEEPERS, VISITOR_ADDRESS])
  }

  /**
   * Takes all pending actions. Releases wait for each other's blocks, so they continue in the background.
   *
   * @throws when the API or a node cannot be reached, now or during earlier releases
   */
  async turn(): Promise<void> {
    const [{ pending, deposits, settlements, hops }, final] = await Promise.all([
      this.options.api.pending(),
      finalBlock(this.options.evm),
    ])
    if (this.refusals.size > MAX_REMEMBERED)
      for (const [name, { until }] of this.refusals) if (until < Date.now()) this.refusals.delete(name)
    const releases = async () => {
      // In sequence: a root submitted by one makes the proof of the next one light.
      for (const withdrawal of pending)
        if (!this.isStopped && !this.mustWait(withdrawal, pending)) await this.release(withdrawal)
    }
    this.releasing ??= releases()
      .catch((error: Error) => void this.troubles.push(error))
      .finally(() => {
        this.releasing = null
      })
    await Promise.all([
      ...pending.map((withdrawal) => this.pay(withdrawal)),
      ...deposits.map((deposit) => this.deposit(deposit)),
      ...settlements.map((settlement) => this.settlement(settlement, final)),
      ...hops.map((hop) => this.hop(hop)),
    ])
    const [trouble] = this.troubles.splice(0)
    if (trouble) throw trouble
  }

  /** Starts no more releases. @returns when the last one is over */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.releasing
  }

  private async deposit({ key, actions, domain, nonce }: PendingDeposit): Promise<void> {
    const place = { domain: BigInt(domain), nonce: BigInt(nonce) }
    for (const what of actions) {
      const done = await this.attempt(key, what, async () => {
        if (what !== 'credit') return this.push(call(BRIDGE, what, RELAYER, place))
        if (place.domain === ETHEREUM_DOMAIN && !(await this.follows())) return false
        return this.credit(key)
      })
      if (done) return
    }
  }

  /** Pushes the actions from the API. */
  private async credit(key: string): Promise<boolean> {
    const { api, telos } = this.options
    const actions = await api.credit(key, RELAYER)
    if (!actions) return false
    await telos.pushServed(actions, RELAYER)
    return true
  }

  /** Sets up the EVM chain's gateway once. @returns whether it verifies proofs */
  private async follows(): Promise<boolean> {
    const { beacon, telos } = this.options
    this.following ||= (await telos.rows(GATEWAYS.evm, GATEWAYS.evm, 'network')).length > 0
    if (this.following || !beacon) return this.following
    // Concurrent deposits share one set-up.
    this.beginning ??= this.begin(beacon)
    await this.beginning
    return true
  }

  private async begin(beacon: BeaconSource): Promise<void> {
    try {
      await this.options.telos.push(await followingCalls(beacon))
    } finally {
      this.beginning = null
    }
  }

  /** Pays a withdrawal on wax. */
  private async pay(withdrawal: PendingWithdrawal): Promise<void> {
    const { key, action, domain, recipient, token, symbol, amount, precision } = withdrawal
    if (BigInt(domain) !== WAX_DOMAIN || action !== 'release' || symbol === null || precision === null) return
    const id = BigInt(withdrawal.id)
    await this.attempt(key, 'pay', async () => {
      const quantity: Asset = { amount: BigInt(amount), precision, symbol }
      const data = { id, token_contract: token, recipient, quantity, memo: `withdrawal ${id}` }
      await this.options.wax.push([call(BRIDGE, 'pay', RELAYER, data)])
      return true
    })
  }

  /** Whether an older withdrawal of the token waits for the allowance, which smaller ones would otherwise use up. */
  private mustWait({ key, token }: PendingWithdrawal, pending: readonly PendingWithdrawal[]): boolean {
    const first = this.limited.get(token)
    if (!first || first.key === key || Date.now() > first.since + MAX_QUEUE_MS) return false
    return pending.some((other) => other.key === first.key)
  }

  private async release({ key, action, id, domain, recipient, token, hasProof }: PendingWithdrawal): Promise<void> {
    if (BigInt(domain) !== ETHEREUM_DOMAIN || !hasProof) return
    if (action === 'release' && this.leave.has(recipient.toLowerCase())) return
    await this.attempt(key, action, async () => {
      const proof = await this.options.api.proof(id)
      if (!proof) return false
      try {
        for (const step of endingCalls(proof, action === 'release', RELAYER_ADDRESS))
          await execute(this.options.evm, step)
        return true
      } catch (error) {
        const waits = (error as Error).message === OUTFLOW_LIMITED && this.limited.get(token)?.key !== key
        if (waits) this.limited.set(token, { key, since: Date.now() })
        throw error
      }
    })
  }

  /** Reports an outcome to the ledger. The simulation reports payments on wax. */
  private async settlement({ key, action, id: text, domain, released, tx }: PendingSettlement, final: number) {
    const id = BigInt(text)
    if (action === 'refund') {
      await this.attempt(key, action, () => this.push(call(BRIDGE, action, RELAYER, { id })))
      return
    }
    if (BigInt(domain) !== ETHEREUM_DOMAIN || tx === null || released === null) return
    await this.attempt(key, action, async () => {
      const proof = await outcomeEvidence(this.options.evm, hashOf(tx), released, final)
      return proof ? this.push(call(GATEWAYS.evm, action, RELAYER, { relayer: RELAYER, id, released, proof })) : false
    })
  }

  private async hop({ id }: PendingHop): Promise<void> {
    await this.attempt(`hop ${id}`, 'recover', () => this.push(call(HOP, 'recover', RELAYER, { id: BigInt(id) })))
  }

  private async push(action: ActionCall): Promise<true> {
    await this.options.telos.push([action])
    return true
  }

  /**
   * Runs a step unless it was refused recently.
   *
   * @param step  returns false when it is too early
   * @returns whether it succeeded
   */
  private async attempt(key: string, what: RelayedAction['what'], step: () => Promise<boolean>): Promise<boolean> {
    if (this.options.omit?.includes(what)) return false
    const name = `${what} ${key}`
    const before = this.refusals.get(name)
    if (before && before.until > Date.now()) return false
    try {
      const done = await step()
      if (!done) return false
      // Remembered, because the API may lag the chain.
      this.refusals.set(name, { count: 0, until: Date.now() + RETRY_DELAYS[0], message: null })
      this.options.tell({ key, what, refused: null })
      return true
    } catch (error) {
      if (!(error instanceof NodeError || error instanceof EvmRefusal)) throw error
      const count = (before?.count ?? 0) + 1
      const { message } = error
      const step = message === OUTFLOW_LIMITED ? 1 : Math.min(count, RETRY_DELAYS.length)
      const wait = itemAt(RETRY_DELAYS, step - 1)
      this.refusals.set(name, { count, until: Date.now() + wait, message })
      // A repeated refusal is reported once.
      if (message !== before?.message) this.options.tell({ key, what, refused: message })
      return false
    }
  }
}

const hashOf = (transaction: string): string => `0x${transaction.replace(/^0x/, '')}`
