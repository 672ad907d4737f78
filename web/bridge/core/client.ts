// The bridge as the page uses it: choices from one response of the API, checks against chains, and transfers.
import { EVM_CHAINS } from '../../sdk/chains.ts'
import { formatUnits } from '../../shared/amounts.ts'
import { ChainApi } from './antelope/chain-api.ts'
import { BridgeApi, type Fetch } from './bridge-api.ts'
import { type Costs, costsOf } from './costs.ts'
import { words } from './evm/abi.ts'
import { balanceOf } from './evm/calls.ts'
import { Fault } from './faults.ts'
import { orderOf } from './journey/prepare.ts'
import { refusedJourney } from './journey/refused.ts'
import { RunningJourney } from './journey/running.ts'
import { shapeOfWay } from './journey/shape.ts'
import { stagesOf } from './journey/stages.ts'
import { begun, found } from './journey/state.ts'
import { type Clock, pageClock, type Surroundings } from './journey/surroundings.ts'
import type { Places } from './journey/view.ts'
import { isAccountName, ZERO_ADDRESS } from './parties.ts'
import { amountOf, problemsOf, Routes, recipientFault, typedPrecision } from './routes.ts'
import type {
  BridgeClient,
  BridgeConfig,
  ChainAccess,
  ChainChoice,
  Draft,
  Estimate,
  FoundTransfer,
  Journey,
  Problem,
  TokenChoice,
  Wallet,
} from './types.ts'

const POLL_SECONDS = 10
const KEY = /^(?:d:\d{1,20}:\d{1,20}|w:\d{1,20})$/
const TRANSACTION = /^(?:0x)?[0-9a-f]{64}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i
const NONE = { sources: [], ledger: { id: '', name: '', domain: null, contracts: {} } }
const EVM_READ_MS = 8000

export interface ClientOptions {
  fetch?: Fetch
  clock?: Clock
}

export class Client implements BridgeClient {
  private readonly config: BridgeConfig
  private readonly fetch: Fetch
  private readonly api: BridgeApi
  private readonly nodes = new Map<string, ChainApi>()
  private readonly around: Surroundings
  private routes: Routes

  constructor(config: BridgeConfig, { fetch = (url, init) => globalThis.fetch(url, init), clock }: ClientOptions = {}) {
    this.config = config
    this.fetch = fetch
    this.api = new BridgeApi(config.api, fetch)
    this.routes = new Routes([], NONE, config)
    for (const { id, name, kind, node } of config.chains)
      if (kind === 'antelope' && node !== null) this.nodes.set(id, new ChainApi(name, node, fetch))
    this.around = {
      api: this.api,
      fresh: async () => {
        await this.refresh()
        return this.routes
      },
      routes: () => this.routes,
      node: (chain) => this.nodes.get(chain) ?? null,
      places: this.places(),
      pace: { pollMs: (config.pollSeconds ?? POLL_SECONDS) * 1000 },
      clock: clock ?? pageClock(),
    }
  }

  private places(): Places {
    const access = (id: string) => this.config.chains.find((chain) => chain.id === id)
    const names = () => this.routes.ledger.id || 'telos'
    return {
      nameOf: (id) => this.routes.nameOf(id),
      // For a chain that the page cannot reach, the kind follows from its id.
      kindOf: (id) => access(id)?.kind ?? (EVM_CHAINS.includes(id) ? 'evm' : 'antelope'),
      get home() {
        return names()
      },
      explorer: (id, transaction) => {
        const page = access(id)?.explorerTransaction?.replace('{tx}', encodeURIComponent(transaction)) ?? ''
        // Hosts of a widget get the link too, so a page of this site is named in full.
        return page.startsWith('/') ? `${new URL(this.config.api).origin}${page}` : page
      },
    }
  }

  async refresh(): Promise<void> {
    const [routes, chains] = await Promise.all([this.api.routes(), this.api.chains()])
    this.routes = new Routes(routes, chains, this.config)
  }

  sources(): readonly ChainChoice[] {
    return this.routes.sources()
  }

  destinations(from: string): readonly ChainChoice[] {
    return this.routes.destinations(from)
  }

  tokens(from: string, to: string): readonly TokenChoice[] {
    return this.routes.tokens(from, to)
  }

  check(draft: Draft): readonly Problem[] {
    return problemsOf(this.routes, draft)
  }

  estimate(draft: Draft): Estimate | null {
    const way = this.routes.way(draft.from, draft.to, draft.token)
    if (way === null) return null
    const taken = amountOf(way, draft.amount)
    const { precision, min, max, timing } = way.route
    const remainder = taken?.remainder ? formatUnits(taken.remainder, typedPrecision(way)) : null
    return {
      receives: formatUnits(taken?.units ?? 0n, precision),
      remainder,
      min: formatUnits(BigInt(min), precision),
      max: formatUnits(BigInt(max), precision),
      time: timing.human,
      stages: stagesOf(shapeOfWay(way, this.around.places), null, null),
    }
  }

  async checkRecipient(chain: string, recipient: string): Promise<Problem | null> {
    const access = this.routes.reach(chain)
    const text = recipient.trim()
    if (access === null || text === '') return null
    const fault = recipientFault(access, text)
    const node = this.nodes.get(chain)
    if (fault !== null || node === undefined) return fault
    try {
      if (await node.hasAccount(text)) return null
      const missing = `There is no account ${text} on ${access.name}.`
      return { field: 'recipient', code: 'RECIPIENT_UNKNOWN', text: missing }
    } catch (error) {
      const { message } = error as Fault
      return { field: 'recipient', code: 'RECIPIENT_UNCHECKED', text: message }
    }
  }

  async balance(wallet: Wallet, from: string, to: string, token: string): Promise<string | null> {
    const way = this.routes.way(from, to, token)
    if (way === null || wallet.kind !== way.from.kind) return null
    try {
      if (wallet.kind === 'antelope') {
        const contract = way.route.how.withdraw?.token ?? way.route.antelopeToken
        const units = await this.nodes.get(from)?.balance(contract, wallet.account, token)
        return units === undefined ? null : formatUnits(units, way.route.precision)
      }
      const address = way.route.how.deposit?.token ?? ''
      const held = await this.heldOnEvm(wallet, way.from, address)
      return held === null ? null : formatUnits(held, typedPrecision(way))
    } catch {
      return null
    }
  }

  /** Balance from the configured node; without one, from the wallet while it is on that chain. */
  private async heldOnEvm(wallet: Wallet & { kind: 'evm' }, chain: ChainAccess, token: string): Promise<bigint | null> {
    const ask = (method: string, params: readonly unknown[]) =>
      chain.node === null ? wallet.provider.request({ method, params }) : this.rpc(chain.node, method, params)
    if (chain.node === null && Number(await ask('eth_chainId', [])) !== chain.chainId) return null
    if (token === ZERO_ADDRESS) return BigInt((await ask('eth_getBalance', [wallet.address, 'latest'])) as string)
    const { to, data } = balanceOf(token, wallet.address)
    return words(await ask('eth_call', [{ to, data }, 'latest']), 1)?.[0] ?? null
  }

  async costs(wallet: Wallet | null, { from, to, token }: Draft): Promise<Costs | null> {
    const way = this.routes.way(from, to, token)
    if (way === null) return null
    const end = [way.from, way.to].find(({ kind }) => kind === 'evm')
    const [gasPrice, prices] = await Promise.all([
      end === undefined ? null : this.gasPrice(wallet, end).catch(() => null),
      this.prices().catch(() => new Map<string, number>()),
    ])
    return costsOf(way, gasPrice, end === undefined ? null : this.routes.coinOf(end.id), prices)
  }

  /** From the configured node; without one, from the wallet while it is on that chain. */
  private async gasPrice(wallet: Wallet | null, { node, chainId }: ChainAccess): Promise<bigint | null> {
    if (node !== null) return BigInt((await this.rpc(node, 'eth_gasPrice', [])) as string)
    if (wallet?.kind !== 'evm' || Number(await wallet.provider.request({ method: 'eth_chainId' })) !== chainId)
      return null
    return BigInt((await wallet.provider.request({ method: 'eth_gasPrice' })) as string)
  }

  /** Dollars by symbol, of the bridge's tokens on the exchange of the ledger's chain. */
  private async prices(): Promise<ReadonlyMap<string, number>> {
    const { id, contracts } = this.routes.ledger
    const { origin } = new URL(this.config.api)
    const response = await this.fetch(`${origin}/${id}/api/v3/market/tokens`)
    if (!response.ok) return new Map()
    const { tokens } = (await response.json()) as {
      tokens: { symbol: string; contract: string; priceUsd: string | null }[]
    }
    const own = tokens.filter(({ contract, priceUsd }) => contract === contracts.wrap && priceUsd !== null)
    return new Map(own.map(({ symbol, priceUsd }) => [symbol, Number(priceUsd)]))
  }

  private async rpc(node: string, method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await this.fetch(node, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(EVM_READ_MS),
    })
    return ((await response.json()) as { result?: unknown }).result
  }

  start(draft: Draft, wallet: Wallet): Journey {
    try {
      return new RunningJourney(this.around, begun(orderOf(this.around, draft, wallet)), wallet)
    } catch (error) {
      if (error instanceof Fault) return refusedJourney(draft, wallet, error)
      throw error
    }
  }

  follow(key: string): Journey {
    if (!KEY.test(key)) throw new Fault('KEY_MALFORMED', 'A key is d:<domain>:<nonce> or w:<id>.')
    return new RunningJourney(this.around, found(key), null)
  }

  async find(text: string): Promise<readonly FoundTransfer[]> {
    const sought = text.trim()
    if (KEY.test(sought)) {
      const journey = await this.api.journey(sought)
      return journey === null ? [] : [foundOf(journey)]
    }
    if (TRANSACTION.test(sought)) return (await this.api.journeysOfTransaction(sought.toLowerCase())).map(foundOf)
    if (ADDRESS.test(sought) || isAccountName(sought)) return (await this.api.journeysOfParty(sought)).map(foundOf)
    throw new Fault('SEARCH_MALFORMED', 'Enter a key as d:1:42 or w:7, a transaction, an account or an address.')
  }
}

function foundOf(journey: Awaited<ReturnType<BridgeApi['journeysOfParty']>>[number]): FoundTransfer {
  const { key, from, to, deposit, status, src_time } = journey
  const { symbol, amount, precision } = deposit
  return {
    key,
    from: from.chain,
    to: to.chain,
    token: symbol,
    amount: precision === null ? amount : formatUnits(BigInt(amount), precision),
    status,
    time: src_time,
  }
}
