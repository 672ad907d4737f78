// Checks that need the chain: expiry, reference block, the user's account, the tokens' layout, and a trial run. Answers
// about accounts and blocks are cached briefly; each transaction has its own trial.
import { PromiseCache } from '../../core/cache.ts'
import { RetryableError } from '../../core/errors.ts'
import { type Json, NodeRefusal } from '../../net/chain-api.ts'
import type { Checked } from '../check-transaction.ts'
import type { Clock } from '../clock.ts'
import { pack } from '../pack.ts'
import { Refusal } from '../refusal.ts'
import { NOOP } from '../rules.ts'
import type { UserTransaction } from '../transaction.ts'
import { type AccountInfo, parseAccount } from './account.ts'
import type { ChainClient } from './chain-client.ts'
import { isSignedBy } from './own-signature.ts'
import { type SimulateMode, Simulator } from './simulator.ts'
import { isStandardTransfer } from './token-layout.ts'

export interface NodeCheckOptions {
  client: ChainClient
  clock: Clock
  /** 64 hex digits: the node must be of this chain. */
  chainId: string
  payer: string
  expirySeconds: number
  minimumAgeSeconds: number
  simulate: SimulateMode
  cpuCeilingMs: number
}

/** Maximum age of the reference block: one hour of blocks of 0.5 s. */
const MAX_REFERENCE_AGE = 7200
/** Maximum number of accounts that a permission is delegated to: each is another authority to check. */
const MAX_DELEGATES = 4
const NO_CODE = /^0{64}$/

/** CPU limit of one transaction where the chain does not set another, ms. */
export const USUAL_CPU_MS = 150

/** Lifetime of a transaction that is built here, seconds. */
const LIFETIME = 120

interface Head {
  num: number
  id: string
  /** Unix milliseconds. */
  time: number
}

export class NodeChecks {
  private readonly options: NodeCheckOptions
  private readonly simulator: Simulator
  private readonly heads: PromiseCache<Head>
  private readonly blocks: PromiseCache<number>
  private readonly accounts: PromiseCache<AccountInfo | null>
  private readonly codes: PromiseCache<boolean>
  private readonly layouts: PromiseCache<boolean>
  private readonly cpuLimits: PromiseCache<number>

  constructor(options: NodeCheckOptions) {
    this.options = options
    const { client, clock } = options
    this.simulator = new Simulator(client, options.simulate, options.cpuCeilingMs * 1000)
    const cache = <T>(maxAgeMs: number, max: number) => new PromiseCache<T>({ max, maxAgeMs, now: () => clock.now() })
    this.heads = cache(500, 1)
    this.blocks = cache(10_000, 1000)
    this.accounts = cache(30_000, 10_000)
    this.codes = cache(30_000, 10_000)
    this.layouts = cache(300_000, 1000)
    this.cpuLimits = cache(300_000, 1)
  }

  /**
   * Checks the expiry against the cached head. Unlike the other checks, it makes no node request for data that the sender
   * chooses, so it may run before the request counts against a limit.
   *
   * @throws Refusal; RetryableError as `check`
   */
  async checkExpiry({ expiration }: UserTransaction): Promise<void> {
    const { time } = await this.head()
    const ahead = expiration - time / 1000
    if (ahead <= 0) throw new Refusal('expiry', 'The transaction has expired')
    if (ahead > this.options.expirySeconds)
      throw new Refusal('expiry', `The transaction may expire in ${this.options.expirySeconds} seconds at most`)
  }

  /**
   * Runs all other checks. The transaction must have passed the static ones.
   *
   * @throws Refusal; RetryableError COSIGN_NODE, COSIGN_NODE_CHAIN when the node cannot answer
   */
  async check(transaction: UserTransaction, { user, tokens }: Checked): Promise<void> {
    const head = await this.head()
    await this.checkReference(transaction, head)
    const used = transaction.actions.slice(1).flatMap(({ authorization }) => authorization)
    await this.checkUser(user, new Set(used.map(({ permission }) => permission)), head)
    for (const token of tokens) await this.checkToken(token)
    await this.simulator.check(transaction)
  }

  /** Whether the user has signed a transaction itself. @throws RetryableError */
  async isSigned(
    { bytes }: UserTransaction,
    { user, permission: name }: Checked,
    signatures: readonly string[],
  ): Promise<boolean> {
    await this.head()
    const permission = (await this.account(user))?.permissions.find((one) => one.name === name)
    return permission !== undefined && isSignedBy(permission, this.options.chainId, bytes, signatures)
  }

  /** Checks that the node can run trials. @throws RetryableError COSIGN_SIMULATION, COSIGN_NODE */
  async checkTrials(): Promise<void> {
    const { payer } = this.options
    const authorization = [{ actor: payer, permission: 'active' }]
    const noop = { account: payer, name: NOOP, authorization, data: new Uint8Array() }
    const { time } = await this.head()
    const expiration = Math.floor(time / 1000) + 30
    const header = { expiration, refBlockNum: 0, refBlockPrefix: 0, maxNetUsageWords: 0, maxCpuUsageMs: 0 }
    await this.simulator.probe(pack({ ...header, actions: [noop] }))
  }

  /** The chain's CPU limit of one transaction, ms; `USUAL_CPU_MS` if the node does not return it. */
  maxCpuMs(): Promise<number> {
    return this.cpuLimits.get('', async () => {
      try {
        const read = ({ chain_config }: Json) => Number((chain_config as Json).max_transaction_cpu_usage) / 1000
        const found = await this.ask('get_consensus_parameters', {}, read)
        return found !== null && found > 0 ? found : USUAL_CPU_MS
      } catch (error) {
        if (error instanceof RetryableError) return USUAL_CPU_MS
        throw error
      }
    })
  }

  /** The payer's account, not cached. @throws RetryableError */
  async payer(): Promise<AccountInfo> {
    const { payer } = this.options
    const found = await this.ask('get_account', { account_name: payer }, (answer) => parseAccount(answer))
    if (found === null)
      throw new RetryableError('COSIGN_PAYER', `the node does not know the account ${payer}`, {
        hint: 'correct cosign.payer or cosign.node',
      })
    return found
  }

  /** @throws RetryableError when the node is of another chain */
  head(): Promise<Head> {
    return this.heads.get('', async () => {
      const info = await this.required('get_info', {}, (answer) => ({
        chainId: String(answer.chain_id),
        num: Number(answer.head_block_num),
        id: String(answer.head_block_id),
        time: timeOf(answer.head_block_time),
      }))
      if (info.chainId !== this.options.chainId)
        throw new RetryableError('COSIGN_NODE_CHAIN', `${this.options.client.url} is of the chain ${info.chainId}`, {
          hint: 'cosign.node must be a node of the chain whose transactions are signed',
        })
      return info
    })
  }

  /** Expiration and reference block for a transaction that is built now. @throws RetryableError */
  async reference(): Promise<{ expiration: number; refBlockNum: number; refBlockPrefix: number }> {
    const { id, time } = await this.head()
    const bytes = Buffer.from(id, 'hex')
    if (bytes.length !== 32)
      throw new RetryableError('COSIGN_NODE', `${this.options.client.url} answers get_info in an unknown form`)
    const lifetime = Math.min(LIFETIME, this.options.expirySeconds)
    return {
      expiration: Math.floor(time / 1000) + lifetime,
      refBlockNum: bytes.readUInt16BE(2),
      refBlockPrefix: bytes.readUInt32LE(8),
    }
  }

  private async checkReference({ refBlockNum, refBlockPrefix }: UserTransaction, known: Head): Promise<void> {
    // The sender may know blocks after the cached head, many when the node has just caught up.
    const ahead = (refBlockNum - known.num) & 0xffff
    if (ahead > 0 && ahead <= MAX_REFERENCE_AGE) this.heads.delete('')
    const { num } = await this.head()
    const age = (num - refBlockNum) & 0xffff
    if (age > MAX_REFERENCE_AGE) throw new Refusal('reference', 'ref_block_num is not that of a block of the last hour')
    const block = num - age
    const prefix = await this.blocks.get(String(block), () =>
      this.required('get_block_info', { block_num: block }, (answer) => Number(answer.ref_block_prefix)),
    )
    if (prefix !== refBlockPrefix)
      throw new Refusal('reference', 'ref_block_prefix is not that of the block: is the transaction for another chain?')
  }

  private async checkUser(user: string, permissions: ReadonlySet<string>, { time }: Head): Promise<void> {
    const account = await this.account(user)
    if (account === null) throw new Refusal('account', `The account ${user} does not exist`)
    for (const name of permissions) {
      const permission = account.permissions.find((one) => one.name === name)
      if (permission === undefined) throw new Refusal('account', `The account ${user} has no permission ${name}`)
      if (permission.delegates > MAX_DELEGATES)
        throw new Refusal(
          'account',
          `The permission ${user}@${name} is delegated to more than ${MAX_DELEGATES} accounts`,
        )
    }
    if (time - account.created < this.options.minimumAgeSeconds * 1000)
      throw new Refusal('account', `The account ${user} is too new`)
    if (await this.hasCode(user))
      throw new Refusal('account', `The account ${user} has a contract, which would run when it is notified`)
  }

  /** Null when the account does not exist. */
  private account(name: string): Promise<AccountInfo | null> {
    return this.accounts.get(name, () =>
      this.ask('get_account', { account_name: name }, (answer) => parseAccount(answer)),
    )
  }

  private hasCode(account: string): Promise<boolean> {
    return this.codes.get(account, () =>
      this.required('get_code_hash', { account_name: account }, ({ code_hash }) => !NO_CODE.test(String(code_hash))),
    )
  }

  private async checkToken(contract: string): Promise<void> {
    const isStandard = await this.layouts.get(contract, async () => {
      const answer = await this.ask('get_abi', { account_name: contract }, isStandardTransfer)
      return answer === true
    })
    if (!isStandard) throw new Refusal('token', `The transfer of ${contract} does not have the standard layout`)
  }

  /** A node's answer; null when the node refuses because the item does not exist. */
  private async ask<T>(path: string, body: Json, read: (answer: Json) => T): Promise<T | null> {
    const { client } = this.options
    let answer: Json
    try {
      answer = await client.ask(path, body)
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      if (error.status === 500 || error.status === 400) return null
      throw new RetryableError('COSIGN_NODE', `${client.url} refuses ${path}: ${error.message}`)
    }
    try {
      return read(answer)
    } catch {
      throw new RetryableError('COSIGN_NODE', `${client.url} answers ${path} in an unknown form`)
    }
  }

  private async required<T>(path: string, body: Json, read: (answer: Json) => T): Promise<T> {
    const answer = await this.ask(path, body, read)
    if (answer === null) throw new RetryableError('COSIGN_NODE', `${this.options.client.url} refuses ${path}`)
    return answer
  }
}

function timeOf(text: unknown): number {
  return Date.parse(`${String(text).replace(/Z$/, '')}Z`)
}
