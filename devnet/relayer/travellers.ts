// Simulated users of a live devnet who start journeys over the bridge, one of each kind in turn. They use only the
// chains' public interfaces and the bridge API.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset } from '../../core/antelope/asset.ts'
import { required } from '../../core/required.ts'
import { call } from '../contracts/actions.ts'
import { ETHEREUM_DOMAIN, partyBytes, WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import {
  amountOf,
  BRIDGE,
  evmToken,
  HOP,
  liquidityAround,
  SHOP,
  sortedPair,
  tokenOf,
  WHALE,
  WRAP,
} from '../contracts/exchange.ts'
import { telosProfile, waxProfile } from '../contracts/profile.ts'
import { transfer } from '../contracts/trader/view.ts'
import { evmAddress } from '../evm/accounts.ts'
import { VAULT_ADDRESS } from '../evm/addresses.ts'
import { eventOf } from '../evm/call-evm.ts'
import { interfaceOf } from '../evm/contracts.ts'
import { DAILY_USD, depositCall } from '../evm/deploy.ts'
import type { EvmRpc } from '../evm/rpc.ts'
import type { AntelopeNode } from './antelope-node.ts'
import type { BridgeApi } from './bridge-api.ts'
import { execute } from './evm-account.ts'

export interface Places {
  api: BridgeApi
  telos: AntelopeNode
  wax: AntelopeNode
  evm: EvmRpc
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A large withdrawal exceeds the vault's allowance by what accrues in this time, seconds. */
const OVER_SECONDS = 30
const POLL_MS = 500
/** Value of the large account's first position, and of each of the two tokens that it gets for it, USD: more than others have. */
const WHALE_USD = 300_000
/** The pools with the largest volume: the large account has a position in each. */
const WHALE_POOLS = 3
const WHALE_FUNDER = 'trent.lp'
/** Ticks to each end of its positions: narrow, so that its liquidity is the largest of the pool too. */
const WHALE_WIDTH = 6000

export class Travellers {
  private readonly places: Places

  constructor(places: Places) {
    this.places = places
  }

  /** Whole tokens of the ledger's chain. */
  private asset(code: string, amount: number): Asset {
    return amountOf(tokenOf(telosProfile, code), amount)
  }

  /** @returns key of the deposit */
  async depositEvm(user: string, code: string, amount: number, telosTo: string, memo = ''): Promise<string> {
    const { amount: canonical } = this.asset(code, amount)
    const receipt = await execute(this.places.evm, depositCall(user, code, canonical, telosTo, utf8(memo)))
    const event = eventOf(receipt, VAULT_ADDRESS, interfaceOf('SvcVault'), 'Deposit')
    const found = required(event, 'deposit event')
    return `d:${ETHEREUM_DOMAIN}:${found.event.args.getValue('nonce')}`
  }

  /** Withdraws by a transfer with a memo. */
  async withdraw(user: string, quantity: Asset, domain: bigint, recipient: string, fee?: bigint): Promise<void> {
    const memo = [domain, recipient, ...(fee === undefined ? [] : [fee])].join(':')
    await this.places.telos.push([transfer(WRAP, user, BRIDGE, quantity, memo)])
  }

  /** Withdraws by the token contract's action, with data for the receiver. */
  async withdrawWithMemo(user: string, quantity: Asset, recipient: string, memo: string): Promise<void> {
    const fee = { ...quantity, amount: 0n }
    const domain = ETHEREUM_DOMAIN
    const to = partyBytes(domain, recipient)
    const data = { owner: user, quantity, domain, recipient: to, fee, memo: utf8(memo) }
    await this.places.telos.push([call(WRAP, 'withdraw', user, data)])
  }

  /**
   * Withdraws half of the vault's allowance, then a little more than the other half.
   *
   * @param seconds  time in which the allowance grows by the excess
   */
  async withdrawTooMuch(user: string, code: string, seconds = OVER_SECONDS): Promise<void> {
    const { address, scale } = evmToken(code)
    const available = interfaceOf('SvcVault').encodeFunctionData('available', [address])
    const left = BigInt(
      await this.places.evm.call<string>('eth_call', { to: VAULT_ADDRESS, data: available }, 'latest'),
    )
    const half = left / scale / 2n
    const over = this.asset(code, seconds * (DAILY_USD / 86_400))
    for (const amount of [half, half + over.amount])
      await this.withdraw(user, { ...over, amount }, ETHEREUM_DOMAIN, evmAddress(user))
  }

  /** Gives the large account of wax its tokens and its positions, unless it has them. */
  async settleWhale(): Promise<void> {
    const held = await this.places.wax.rows('eosio.token', WHALE, 'accounts')
    if (held.length > 0) return
    const calls = waxProfile.pools.slice(0, WHALE_POOLS).flatMap((spec, id) => {
      const pair = sortedPair(waxProfile, spec)
      const value = id === 0 ? WHALE_USD : spec.value
      const gifts = pair.map((token) => {
        const quantity = amountOf(token, (id === 0 ? value : value / 2) / token.usd)
        return transfer(token.contract, WHALE_FUNDER, WHALE, quantity, '')
      })
      const position = { poolId: BigInt(id), owner: WHALE, width: WHALE_WIDTH }
      return [...gifts, ...liquidityAround(pair, { ...spec, value }, position)]
    })
    // One transaction: a killed demo has all positions or none.
    await this.places.wax.push(calls)
  }

  /** Deposits what the user gets in the same transaction, so that the demo can run for days. */
  async depositGift(user: string, quantity: Asset): Promise<void> {
    const gift = transfer(WRAP, WHALE_FUNDER, user, quantity, '')
    await this.places.wax.push([gift, transfer(WRAP, user, BRIDGE, quantity, user)])
  }

  async depositWax(user: string, quantity: Asset, memo: string): Promise<void> {
    await this.places.wax.push([transfer(WRAP, user, BRIDGE, quantity, memo)])
  }

  /** Claims a credit once it exists. */
  async collect(key: string, user: string, code: string, signal?: AbortSignal): Promise<void> {
    while ((await this.places.api.transfer(key))?.status !== 'credited') await sleep(POLL_MS, undefined, { signal })
    await this.places.telos.push([call(BRIDGE, 'claim', user, { owner: user, sym_code: code })])
  }
}

export interface Trip {
  name: string
  /** Runs once only: it uses up the vault's allowance for a while. */
  once?: true
  go(travellers: Travellers, signal: AbortSignal): Promise<void>
}

const usdc = (amount: number) => amountOf(tokenOf(telosProfile, 'USDC'), amount)
const eth = (amount: number) => amountOf(tokenOf(telosProfile, 'ETH'), amount)

/** Every way in which tokens enter and leave. */
export const TRIPS: readonly Trip[] = [
  {
    name: 'deposit of a large account from wax to telos',
    go: async (users) => {
      await users.settleWhale()
      await users.depositGift(WHALE, usdc(2500))
    },
  },
  {
    name: 'deposit to telos, then Collect',
    go: async (users, signal) =>
      users.collect(await users.depositEvm('bob', 'USDC', 120, 'bob'), 'bob', 'USDC', signal),
  },
  {
    name: 'withdrawal to the EVM chain with a fee',
    go: (users) => users.withdraw('dave', usdc(75), ETHEREUM_DOMAIN, evmAddress('dave'), 250_000n),
  },
  {
    name: 'deposit to wax',
    go: async (users) => {
      const memo = `${WAX_DOMAIN}:frank|${ETHEREUM_DOMAIN}:${evmAddress('frank')}`
      await users.depositEvm('frank', 'ETH', 0.05, HOP, memo)
    },
  },
  {
    name: 'withdrawal over the allowance of the vault',
    once: true,
    go: (users) => users.withdrawTooMuch('grace', 'USDT'),
  },
  {
    name: 'deposit from wax to the EVM chain',
    go: (users) =>
      users.depositWax('ivan', eth(0.02), `${HOP}:${ETHEREUM_DOMAIN}:${evmAddress('ivan')}|${WAX_DOMAIN}:ivan`),
  },
  {
    name: 'withdrawal with data for the receiver',
    go: (users) => users.withdrawWithMemo('judy', usdc(40), evmAddress('judy'), 'invoice 4711'),
  },
  {
    name: 'deposit from wax to telos',
    go: (users) => users.depositWax('peggy', usdc(30), 'peggy'),
  },
  {
    name: 'deposit with a note for its receiver',
    go: async (users) => void (await users.depositEvm('niaj', 'USDT', 60, 'niaj', 'for the trip')),
  },
  {
    name: 'withdrawal to wax',
    go: (users) => users.withdraw('rupert', usdc(25), WAX_DOMAIN, 'rupert'),
  },
  {
    name: 'deposit from wax with a note for its receiver',
    go: (users) => users.depositWax('victor', usdc(35), 'victor:rent'),
  },
  {
    name: 'deposit that its receiver refuses',
    go: async (users) => void (await users.depositEvm('zoe.mm', 'USDC', 15, SHOP, 'hello')),
  },
]
