// A small ledger for tests of proofs: the bridge and its wrapped tokens on a simulated chain with real certificates,
// and a store that follows the chain.
import { nameToU64 } from '../../core/antelope/name.ts'
import { type BridgeLog, bridgeLogsOf } from '../../core/finality/bridge-log.ts'
import { type Burn, burnOfLog } from '../../core/finality/burn.ts'
import { executedActions } from '../../core/finality/receipts.ts'
import { type Tracked, track } from '../../core/finality/track.ts'
import { fromHex } from '../../core/hex.ts'
import { type BlockOptions, Chain } from '../../devnet/chain/chain.ts'
import type { ActionCall } from '../../devnet/chain/contract.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { TelosBridge } from '../../devnet/contracts/bridge/telos.ts'
import { WrapContract } from '../../devnet/contracts/bridge/wrap.ts'
import { MemoryStore } from '../../proofs/memory-store.ts'

export const START = Date.parse('2026-01-01T00:00:00Z')
export const LEDGER = { account: 'bridge.svc', action: 'wdlog', permission: 'active' } as const
/** Constructor arguments of the withdrawals contract. */
export const LEDGER_NAMES = [LEDGER.account, LEDGER.action, LEDGER.permission].map(nameToU64)
const BRIDGE = LEDGER.account
const WRAP = 'wrap.svc'
const GATEWAY = 'gateway.evm'
const OWNER = 'alice'
const PRECISION = { USDC: 6, ETH: 8 } as const
type Symbol = keyof typeof PRECISION

/** Destination of a ledger's token. Addresses have 0x; on an Antelope chain they are the bytes of names. */
export interface Route {
  domain: number | bigint
  vault: string
  token: string
  symbol: Symbol
  scale: bigint
}

export const addressBytes = (address: string): Uint8Array => fromHex(address.slice(2).toLowerCase())

export class Telos {
  readonly chain: Chain
  readonly store: MemoryStore
  private nextWithdrawal = 0n
  private firstUnread: number

  /**
   * @param finalizers  number of finalizers in the first policy
   * @param clock       Unix milliseconds of the first block, and seconds in which a withdrawal can be released
   */
  constructor(
    routes: readonly Route[],
    finalizers = 4,
    store = new MemoryStore(),
    clock: { startTime?: number; releaseSeconds?: number } = {},
  ) {
    const { startTime = START, releaseSeconds } = clock
    this.chain = new Chain({
      chainId: '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11',
      seed: 'proofs',
      startTime,
      contracts: [new TelosBridge({ gateways: [GATEWAY], releaseSeconds }), new WrapContract()],
      finalizers,
    })
    this.store = store
    this.firstUnread = this.chain.firstBlock
    this.produce({ transactions: routes.length > 0 ? setup(routes) : [] })
  }

  /** Burns tokens in a new block. @returns id of the withdrawal */
  withdraw(symbol: Symbol, amount: bigint, domain: number | bigint, recipient: string, fee = 0n, memo = ''): bigint {
    this.withdrawAll([{ symbol, amount, domain, recipient, fee, memo }])
    return this.nextWithdrawal - 1n
  }

  /** Burns several amounts in one block, each by its own transaction. */
  withdrawAll(
    all: { symbol: Symbol; amount: bigint; domain: number | bigint; recipient: string; fee?: bigint; memo?: string }[],
  ): void {
    const transactions = all.map(({ symbol, amount, domain, recipient, fee = 0n, memo = '' }) => {
      const asset = (raw: bigint) => ({ amount: raw, precision: PRECISION[symbol], symbol })
      const data = {
        owner: OWNER,
        quantity: asset(amount),
        domain: BigInt(domain),
        recipient: addressBytes(recipient),
        fee: asset(fee),
        memo: Buffer.from(memo),
      }
      return [call(WRAP, 'withdraw', OWNER, data)]
    })
    this.produce({ transactions })
    this.nextWithdrawal += BigInt(all.length)
  }

  produce(options: BlockOptions = {}): void {
    const { results } = this.chain.produce(options)
    for (const result of results) if (!result.ok) throw new Error(result.error)
  }

  /** Makes empty blocks. */
  idle(count: number): void {
    for (let i = 0; i < count; i++) this.produce()
  }

  /** Adds all new blocks to the store. @param branch  first block of a new branch after a fork */
  follow(branch?: number): void {
    if (branch !== undefined) {
      this.store.rewind(branch - 1)
      this.firstUnread = branch
    }
    for (; this.firstUnread <= this.chain.head.num; this.firstUnread++) {
      const { tracked, burns } = this.read(this.firstUnread, this.store)
      this.store.append(tracked, burns)
    }
  }

  /** A separate store with the blocks up to `num`. */
  storeAt(num: number): MemoryStore {
    const store = new MemoryStore()
    for (let at = this.chain.firstBlock; at <= num; at++) {
      const { tracked, burns } = this.read(at, store)
      store.append(tracked, burns)
    }
    return store
  }

  read(num: number, store: MemoryStore): { tracked: Tracked; logs: BridgeLog[]; burns: Burn[] } {
    const source = this.chain.block(num)!
    const logs = bridgeLogsOf(num, executedActions(source.traces), BRIDGE)
    return { tracked: track(store.lineage, source), logs, burns: logs.map(burnOfLog) }
  }
}

function setup(routes: readonly Route[]): ActionCall[][] {
  const symbols = [...new Set(routes.map(({ symbol }) => symbol))]
  const asset = (symbol: Symbol, amount: bigint) => ({ amount, precision: PRECISION[symbol], symbol })
  const create = symbols.map((symbol) => {
    const data = { issuer: BRIDGE, maximum_supply: asset(symbol, (1n << 62n) - 1n) }
    return [call(WRAP, 'create', WRAP, data)]
  })
  const add = routes.map(({ domain, vault, token, symbol, scale }) => [
    call(BRIDGE, 'addroute', BRIDGE, {
      domain: BigInt(domain),
      vault: addressBytes(vault),
      token: addressBytes(token),
      wrapped: { sym: { precision: PRECISION[symbol], code: symbol }, contract: WRAP },
      scale,
      min: 1n,
      max: 10n ** 15n,
    }),
  ])
  const deposits = routes.map(({ domain, token, symbol }, nonce) => [
    call(BRIDGE, 'credit', GATEWAY, {
      domain: BigInt(domain),
      nonce: BigInt(nonce),
      receiver: OWNER,
      token: addressBytes(token),
      sym_code: symbol,
      canonical: 10n ** 12n,
      refund_to: new Uint8Array(20),
      memo: new Uint8Array(),
    }),
  ])
  const claims = symbols.map((symbol) => [call(BRIDGE, 'claim', OWNER, { owner: OWNER, sym_code: symbol })])
  return [...create, ...add, ...deposits, ...claims]
}
