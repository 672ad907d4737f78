// A node for tests: a devnet chain with keys. In addition to the devnet's API, it serves accounts with permissions and
// CPU, trials of transactions, and a push that requires the right signatures, as a real node does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { Checksum256, type PrivateKey, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import { Chain } from '../../devnet/chain/chain.ts'
import { execute } from '../../devnet/chain/execute.ts'
import { Inbox } from '../../devnet/chain/inbox.ts'
import { isPermission } from '../../devnet/chain/permissions.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { buildExchange } from '../../devnet/contracts/exchange.ts'
import { waxProfile } from '../../devnet/contracts/profile.ts'
import { type HttpServer, startHttp } from '../../devnet/http/server.ts'
import { networks } from '../../devnet/networks.ts'
import { NOON } from './clock.ts'

interface Test {
  teardown(work: () => unknown): void
}

type Json = Record<string, unknown>

interface TestAccount {
  /** Keys of its permissions, as text. */
  keys: Record<string, string>
  delegates?: number
  hasCode?: boolean
  /** Unix milliseconds. */
  created?: number
  cpu?: { used: number | string; max: number | string }
  links?: Record<string, { account: string; action: string }[]>
  /** Parents of permissions that are not children of `active`. */
  parents?: Record<string, string>
}

export class TestNode {
  readonly chain: Chain
  readonly accounts = new Map<string, TestAccount>()
  /** CPU time of a trial, microseconds. */
  elapsedUs = 900
  /** The chain's limit for one transaction, microseconds; null: the node does not serve it. */
  mostCpuUs: number | null = null
  /** Paths that this node does not have. */
  readonly missing = new Set<string>()
  /** Answers nothing. */
  isDown = false
  /** Fixed answer to read-only transactions; null: they are executed. */
  readOnly: { name: string; message: string; asTrace: boolean } | null = null
  /** Number of requests by path. */
  readonly asked = new Map<string, number>()
  url = ''
  private readonly inbox: Inbox

  /** @param now  Unix milliseconds of the head block */
  constructor(now = NOON) {
    const { contracts, genesis } = buildExchange(waxProfile)
    const { chainId, firstBlock } = networks.wax
    const startTime = Math.floor(now / 1000) * 1000 - 60_000
    this.chain = new Chain({ chainId, firstBlock, seed: 'cosign', startTime, contracts, globalSequence: 1 })
    for (let i = 0; i < genesis.length; i += 4) {
      const failed = this.chain.produce({ transactions: genesis.slice(i, i + 4) }).results.find(({ ok }) => !ok)
      if (failed && !failed.ok) throw new Error(failed.error)
    }
    this.chain.produce({ time: Math.floor(now / 500) * 500 })
    this.inbox = new Inbox(this.chain, () => this.chain.headTime)
  }

  /** Reference of a transaction to the head block. */
  get reference(): { ref_block_num: number; ref_block_prefix: number; expiration: string } {
    const id = Buffer.from(this.chain.head.id, 'hex')
    const expiration = new Date(this.chain.headTime + 120_000).toISOString().slice(0, 19)
    return { ref_block_num: id.readUInt16BE(2), ref_block_prefix: id.readUInt32LE(8), expiration }
  }

  async start(t: Test): Promise<this> {
    const devnet = await startHttp(this.chain)
    const server = createServer((request, response) => void this.answer(devnet, request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    t.teardown(async () => {
      server.closeAllConnections()
      await Promise.all([new Promise((resolve) => server.close(resolve)), devnet.stop()])
    })
    return this
  }

  private async answer(devnet: HttpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = String(request.url).replace('/v1/chain/', '')
    this.asked.set(path, (this.asked.get(path) ?? 0) + 1)
    const body = await text(request)
    if (this.isDown) return void request.socket.destroy()
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (this.missing.has(path)) return void send(404, { code: 404, message: 'Not Found' })
    const own = this.handlers[path]
    if (own === undefined) {
      const answer = await fetch(`${devnet.url}${request.url}`, { method: 'POST', body })
      return void response.writeHead(answer.status).end(await answer.text())
    }
    try {
      send(200, await own(JSON.parse(body)))
    } catch (error) {
      const { message, kind } = error as Error & { kind?: string }
      send(500, failure(message, kind))
    }
  }

  private readonly handlers: Record<string, (body: Json) => object | Promise<object>> = {
    get_account: ({ account_name }) => this.account(String(account_name)),
    get_code_hash: ({ account_name }) => {
      const { hasCode } = this.known(String(account_name))
      return { account_name, code_hash: (hasCode === true ? 'ab' : '00').repeat(32) }
    },
    get_consensus_parameters: () => {
      if (this.mostCpuUs === null) throw new Error('unknown endpoint')
      return { chain_config: { max_transaction_cpu_usage: this.mostCpuUs } }
    },
    compute_transaction: (body) => this.trial(body),
    send_read_only_transaction: (body) => this.readOnlyTrial(body),
    push_transaction: (body) => this.push(body as unknown as Pushed),
    send_transaction: (body) => this.push(body as unknown as Pushed),
  }

  private known(name: string): TestAccount {
    const account = this.accounts.get(name)
    if (account === undefined) throw new Error(`unknown key (boost::tuples::tuple<bool, eosio::chain::name>): ${name}`)
    return account
  }

  private account(name: string): object {
    const { keys, delegates = 0, created = Date.parse('2020-01-01'), cpu, links, parents } = this.known(name)
    const accounts = Array.from({ length: delegates }, (_, i) => ({
      permission: { actor: `friend${i + 1}`, permission: 'active' },
      weight: 1,
    }))
    return {
      account_name: name,
      created: new Date(created).toISOString().slice(0, 23),
      cpu_limit: { used: 0, available: 1, max: 1, ...cpu },
      permissions: Object.entries(keys).map(([permission, key]) => ({
        perm_name: permission,
        parent: permission === 'owner' ? '' : permission === 'active' ? 'owner' : (parents?.[permission] ?? 'active'),
        required_auth: { threshold: 1, keys: [{ key, weight: 1 }], accounts, waits: [] },
        linked_actions: links?.[permission] ?? [],
      })),
    }
  }

  /** A real node's refusal of read-only transactions: an error, or a trace with an exception. */
  private readOnlyTrial(body: Json): object {
    if (this.readOnly === null) return this.trial(body)
    const { name, message, asTrace } = this.readOnly
    if (!asTrace) throw Object.assign(new Error(message), { kind: name })
    return { processed: { receipt: null, elapsed: 50, except: { code: 1, name, message, stack: [] } } }
  }

  private trial({ transaction }: Json): object {
    const { packed_trx } = transaction as { packed_trx: string }
    const decoded = Serializer.decode({ data: packed_trx, type: Transaction })
    const actions = decoded.actions.map((action) => {
      const [account, name] = [String(action.account), String(action.name)]
      const authorization = action.authorization.map(({ actor, permission }) => ({
        actor: String(actor),
        permission: String(permission),
      }))
      const packed = { account, name, authorization, data: action.data.array }
      const data = this.chain.state.abiOf(account).decodeAction(name, packed.data)
      return { call: { account, name, authorization, data }, packed }
    })
    const { state, contracts } = this.chain
    const { globalSequence } = state
    const mark = state.mark()
    try {
      execute(state, contracts, { actions }, this.chain.headTime + 500)
      const receipt = { status: 'executed', cpu_usage_us: this.elapsedUs, net_usage_words: 20 }
      return { transaction_id: String(decoded.id), processed: { receipt, elapsed: this.elapsedUs, except: null } }
    } finally {
      state.rollback(mark, globalSequence)
    }
  }

  /** Creates an account's permission on the chain if it does not exist. */
  private give(account: string, permission: string): void {
    if (isPermission(this.chain.state.permissionsOf(account), permission)) return
    const { keys, links } = this.known(account)
    const auth = { threshold: 1, keys: [{ key: keys[permission], weight: 1 }], accounts: [], waits: [] }
    const linked = (links?.[permission] ?? []).map(({ account: code, action: type }) =>
      call('eosio', 'linkauth', account, { account, code, type, requirement: permission }),
    )
    const made = call('eosio', 'updateauth', account, { account, permission, parent: 'active', auth })
    const [result] = this.chain.produce({ transactions: [[made, ...linked]] }).results
    if (result && !result.ok) throw new Error(result.error)
  }

  /** Accepts a transaction with exactly the signatures of its authorizations, and makes a block with it. */
  private async push({ signatures, packed_trx: sent, compression }: Pushed): Promise<object> {
    const packed_trx = compression === 1 ? inflateSync(Buffer.from(sent, 'hex')).toString('hex') : sent
    const decoded = Serializer.decode({ data: packed_trx, type: Transaction })
    const digest = decoded.signingDigest(Checksum256.from(this.chain.chainId))
    const given = new Set(signatures.map((one) => String(Signature.from(one).recoverDigest(digest))))
    const needed = new Set(
      decoded.actions.flatMap(({ authorization }) =>
        authorization.map(({ actor, permission }) => this.known(String(actor)).keys[String(permission)] ?? ''),
      ),
    )
    for (const key of needed)
      if (!given.has(key)) throw new Error(`transaction declares authority of ${key} without it`)
    if (given.size > needed.size) throw new Error('irrelevant signatures')
    for (const { authorization } of decoded.actions)
      for (const { actor, permission } of authorization) this.give(String(actor), String(permission))
    const accepted = this.inbox.send(Buffer.from(packed_trx, 'hex'), signatures)
    const block = this.chain.begin(this.chain.headTime + 500)
    this.inbox.fill(block)
    block.finish('strong', null)
    const { id, blockNum } = await accepted
    return { transaction_id: id, processed: { id, block_num: blockNum } }
  }
}

interface Pushed {
  signatures: string[]
  packed_trx: string
  compression?: number
}

/** An account with one key for owner and active. */
export function withKey(key: PrivateKey, more: Partial<TestAccount> = {}): TestAccount {
  const text = String(key.toPublic())
  return { ...more, keys: { owner: text, active: text, ...more.keys } }
}

function failure(message: string, name = 'eosio_assert_message_exception'): object {
  const what = message
  return {
    code: 500,
    message: 'Internal Service Error',
    error: { code: 3050003, name, what, details: [{ message }] },
  }
}
