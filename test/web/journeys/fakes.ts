// Fakes around a transfer, without a network: a bridge API and nodes that give a test's answers, an EVM wallet with a
// small chain of its own, an Antelope wallet, and a clock whose time passes on command.
import type { Interface } from 'ethers'
import { itemAt } from '../../../core/required.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { Client } from '../../../web/bridge/core/client.ts'
import type { Clock } from '../../../web/bridge/core/journey/surroundings.ts'
import type { AntelopeAction, AntelopeWallet, EvmWallet, WalletChoice } from '../../../web/bridge/core/types.ts'
import { CHAINS, CONFIG, NATIVE, OWNER, ROUTES, VAULT } from './scene.ts'

const vault = interfaceOf('SvcVault')
const token = interfaceOf('PlainToken')
const withdrawals = interfaceOf('SvcWithdrawals')
const lightClient = interfaceOf('SvcLightClient')
const hex = (value: bigint | number) => `0x${value.toString(16)}`
const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

export interface Sent {
  hash: string
  to: string
  data: string
  value: bigint
}

export const refusal = (code: number, message = 'no', data?: string) =>
  Object.assign(new Error(message), { code, data })

const choice: WalletChoice = {
  id: 'test',
  name: 'Test',
  icon: null,
  kind: 'evm',
  connect: async () => {
    throw new Error('connected already')
  },
}

/** A wallet whose chain has a vault and tokens. Transactions are mined immediately, unless they are held back. */
export class FakeEvm {
  chainId = 1
  accounts = [OWNER.toLowerCase()]
  allowance = 0n
  balance = 10n ** 24n
  vaultScale: bigint | null = null
  /** Refuses to change an allowance that is not zero, as USDT does. */
  stubborn = false
  /** The allowance that the user grants instead of the requested one; null for the requested one. */
  allows: bigint | null = null
  rejects = false
  /** Another release has already submitted the finalizers to the light client. */
  hasLearnt = false
  /** Data with which the next simulated deposit or release reverts. */
  reverts: string | null = null
  holdsBack = false
  /** Transactions fail in their block. */
  fails = false
  knowsChain = true
  /** Error code of a wallet that leaves the choice of chain to the user; null for a wallet that switches on request. */
  staysWith: number | null = null
  readonly sent: Sent[] = []
  readonly asked: string[] = []
  private nonce = 41n
  private readonly receipts = new Map<string, object>()

  readonly wallet: EvmWallet = {
    kind: 'evm',
    choice,
    address: OWNER,
    provider: { request: ({ method, params }) => this.answer(method, (params ?? []) as never[]) },
    onChange: () => () => {},
    disconnect: async () => {},
  }

  private async answer(method: string, params: readonly never[]): Promise<unknown> {
    this.asked.push(method)
    switch (method) {
      case 'eth_chainId':
        return hex(this.chainId)
      case 'eth_accounts':
        return this.accounts
      case 'eth_getBalance':
        return hex(this.balance)
      case 'wallet_switchEthereumChain':
        return this.change((itemAt(params, 0) as { chainId: string }).chainId)
      case 'wallet_addEthereumChain':
        this.knowsChain = true
        return this.change((itemAt(params, 0) as { chainId: string }).chainId)
      case 'eth_call':
        return this.call(itemAt(params, 0) as { to: string; data: string })
      case 'eth_sendTransaction':
        return this.send(itemAt(params, 0))
      case 'eth_getTransactionReceipt':
        return this.receipts.get(itemAt(params, 0)) ?? null
      case 'eth_getTransactionByHash':
        return this.holdsBack ? null : {}
      default:
        throw refusal(4200)
    }
  }

  private change(chainId: string): null {
    if (this.staysWith !== null) throw refusal(this.staysWith)
    if (!this.knowsChain) throw refusal(4902)
    this.chainId = Number(chainId)
    return null
  }

  private call({ data }: { to: string; data: string }): string {
    const named = (contract: Interface, name: string) => data.startsWith(contract.getFunction(name)!.selector)
    if (named(vault, 'assets'))
      return this.vaultScale === null ? '0x' : `0x${word(this.vaultScale)}${word(0)}${word(1)}${word(0)}`
    if (named(token, 'balanceOf')) return `0x${word(this.balance)}`
    if (named(token, 'allowance')) return `0x${word(this.allowance)}`
    if (named(withdrawals, 'domain')) return `0x${word(1)}`
    if (named(token, 'approve')) {
      const [, amount] = token.decodeFunctionData('approve', data)
      if (this.stubborn && this.allowance > 0n && amount > 0n) throw refusal(3, 'execution reverted', '0x')
      return `0x${word(1)}`
    }
    if (this.hasLearnt && named(lightClient, 'submitAndLearn'))
      throw refusal(3, 'execution reverted', lightClient.encodeErrorResult('PolicyIsOld', [2]))
    if (this.reverts !== null) throw refusal(3, 'execution reverted', this.reverts)
    return '0x'
  }

  private send({ to, data, value, chainId }: { to: string; data: string; value: string; chainId: string }): string {
    if (Number(chainId) !== this.chainId) throw refusal(-32000, 'wrong chain')
    if (this.rejects) throw refusal(4001, 'User rejected the request.')
    const hash = `0x${word(1000 + this.sent.length)}`
    this.sent.push({ hash, to, data, value: BigInt(value) })
    if (data.startsWith(token.getFunction('approve')!.selector))
      this.allowance = this.allows ?? (token.decodeFunctionData('approve', data)[1] as bigint)
    if (!this.holdsBack) this.mine(hash)
    return hash
  }

  /** Puts a transaction into a block. */
  mine(hash: string): void {
    const { data, value } = this.sent.find((one) => one.hash === hash)!
    const called = vault.parseTransaction({ data })
    const logs: object[] = []
    if (called && !this.fails) {
      const native = called.name === 'depositNative'
      const { telosTo, refundTo, memo } = called.args.toObject()
      const taken = native ? value : (called.args.getValue('amount') as bigint)
      const members = [
        native ? NATIVE : called.args.getValue('token'),
        OWNER,
        taken,
        5n,
        telosTo,
        ++this.nonce,
        refundTo,
        0n,
        0n,
        memo,
      ]
      logs.push({ address: VAULT, ...vault.encodeEventLog('Deposit', members) })
    }
    this.receipts.set(hash, { status: this.fails ? '0x0' : '0x1', logs })
  }

  /** Names of the sent calls. */
  get calls(): string[] {
    return this.sent.map(
      ({ data }) => [vault, token, withdrawals].flatMap((one) => one.parseTransaction({ data })?.name ?? [])[0] ?? data,
    )
  }
}

/** An Antelope wallet that records what it signs. */
export function antelopeWallet(chain: string, account: string, refuses: () => Error | null = () => null) {
  const signed: AntelopeAction[] = []
  const wallet: AntelopeWallet = {
    kind: 'antelope',
    choice: { ...choice, kind: 'antelope' },
    chain,
    account,
    permission: 'active',
    async transact(actions) {
      const refused = refuses()
      if (refused) throw refused
      signed.push(...actions)
      return 'ee'.repeat(32)
    },
    disconnect: async () => {},
  }
  return { wallet, signed }
}

/** Answers by prefix of the path; all others are 404. */
export type Answers = Record<string, unknown>

/** A clock that skips all delays: delayed work runs after all other work. */
class FastClock implements Clock {
  /** Requested delays. */
  readonly delays: number[] = []
  now(): number {
    return 1_763_000_000_000
  }
  later(ms: number, work: () => void): () => void {
    this.delays.push(ms)
    const timer = setTimeout(work, 1)
    return () => clearTimeout(timer)
  }
}

/** @param answers  may be changed during the test */
export async function openClient(answers: Answers) {
  const all: Answers = { 'GET routes': { routes: ROUTES }, 'GET chains': CHAINS, 'POST get_account': {}, ...answers }
  const asked: string[] = []
  const clock = new FastClock()
  const fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const path = url.replace(/^.*\/v1\/(chain\/)?/, '')
    const what = `${init?.method ?? 'GET'} ${path}`
    asked.push(what)
    const key = Object.keys(all)
      .filter((name) => what.startsWith(name))
      .sort((one, other) => other.length - one.length)[0]
    const answer = key === undefined ? undefined : all[key]
    const made: unknown = typeof answer === 'function' ? (answer as (body: unknown) => unknown)(init?.body) : answer
    if (made instanceof Error) throw made
    if (made instanceof Response) return made
    if (made === undefined) return new Response('{}', { status: 404 })
    return new Response(JSON.stringify(made))
  }
  const client = new Client(CONFIG, { fetch, clock })
  await client.refresh()
  return { client, asked, clock, answers: all }
}
