// Current state of the vaults on EVM chains: pauses, assets and allowances. It is read over JSON-RPC in the background,
// at most every `freshMs` for each vault. Answers wait only for the first reading of a vault or of a token of it. Each
// view has its age. No stored row depends on these views, so a replay does not need them.
import { readFileSync } from 'node:fs'
import { FetchRequest, Interface, JsonRpcProvider, Network } from 'ethers'
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import type { Log } from '../http/log.ts'

export interface AssetView {
  /** Raw units per ledger unit; 0 when the vault does not know the token. */
  scale: bigint
  /** Ledger units. */
  minDeposit: bigint
  enabled: boolean
  /** Cap of deposits, raw units. */
  cap: bigint
  /** Raw units that may leave now; null if unknown; the largest uint256 means no limit. */
  available: bigint | null
}

export interface VaultView {
  vault: string
  source: 'rpc' | 'ledger'
  block: number | null
  /** Time of that block, Unix milliseconds. */
  time: number | null
  /** Seconds since the view was read; null for a view from the ledger. */
  ageSeconds: number | null
  /** Whether the view is older than `staleMs`. */
  stale: boolean
  depositsPaused: boolean
  withdrawalsPaused: boolean
  /** Key: address of the token in lower case. */
  assets: ReadonlyMap<string, AssetView>
}

/** A view as it was read. `readAt`: Unix milliseconds. */
type Reading = Omit<VaultView, 'ageSeconds' | 'stale'> & { readAt: number }

export interface VaultViewsOptions {
  /** Minimum time between two requests for a view, ms. Default 5,000. */
  freshMs?: number
  /** A view older than this is stale, ms. Default 30,000. */
  staleMs?: number
  /** A view older than this is not used, ms. Default 600,000. */
  uselessMs?: number
  /** Maximum age of a first request that calls wait for, ms. Default 2,000. */
  firstWaitMs?: number
  /** Clock, Unix milliseconds. */
  now?: () => number
}

const ABI = new Interface(readFileSync(new URL('../../abis/SvcVault.abi.json', import.meta.url), 'utf8'))

interface Watched {
  tokens: ReadonlySet<string>
  reading: Reading | null
  /** Time of the last request, Unix milliseconds. */
  requestedAt: number
  pending: Promise<void> | null
  /** Until when calls wait for the newest tokens, on the clock of `performance.now()`. */
  waitsUntil: number
}

export class VaultViews {
  private readonly chains: ReadonlyMap<string, Endpoints>
  private readonly watched = new Map<string, Watched>()
  private readonly options: Required<VaultViewsOptions>
  private readonly log: Log

  constructor(chains: readonly EvmChainConfig[], log: Log, options: VaultViewsOptions = {}) {
    this.chains = new Map(
      chains.filter(({ source }) => source.urls.length > 0).map((config) => [config.chain, new Endpoints(config)]),
    )
    this.log = log
    this.options = { freshMs: 5000, staleMs: 30_000, uselessMs: 600_000, firstWaitMs: 2000, now: Date.now, ...options }
  }

  /**
   * The newest view of a vault. Requests a newer view if `freshMs` have passed since the last request. Calls
   * wait only while the first request for a vault or a token is younger than `firstWaitMs`.
   *
   * @param chain   name of the chain in the configuration
   * @param tokens  addresses in lower case
   * @returns null when no endpoint is configured, or no endpoint has answered for `uselessMs`
   */
  async read(chain: string, vault: string, tokens: readonly string[]): Promise<VaultView | null> {
    const endpoints = this.chains.get(chain)
    if (endpoints === undefined) return null
    const { now, freshMs, staleMs, uselessMs, firstWaitMs } = this.options
    const key = `${chain} ${vault}`
    const watched: Watched = this.watched.get(key) ?? {
      tokens: new Set<string>(),
      reading: null,
      requestedAt: -Infinity,
      pending: null,
      waitsUntil: 0,
    }
    this.watched.set(key, watched)
    const hasNewToken = tokens.some((token) => !watched.tokens.has(token))
    if (hasNewToken) watched.tokens = new Set([...watched.tokens, ...tokens])
    if (hasNewToken || watched.requestedAt === -Infinity) watched.waitsUntil = performance.now() + firstWaitMs
    if (hasNewToken || (watched.pending === null && now() - watched.requestedAt >= freshMs)) {
      watched.requestedAt = now()
      // After a request that lacks the new token, so that its result does not replace the newer one.
      const earlier = watched.pending ?? Promise.resolve()
      const pending = earlier
        .then(() => this.request(endpoints, chain, vault, watched))
        .finally(() => {
          if (watched.pending === pending) watched.pending = null
        })
      watched.pending = pending
    }
    const isMissing = watched.reading === null || tokens.some((token) => !watched.reading?.assets.has(token))
    const wait = watched.waitsUntil - performance.now()
    if (isMissing && watched.pending && wait > 0) await Promise.race([watched.pending, delay(wait)])
    const { reading } = watched
    if (reading === null || now() - reading.readAt > uselessMs) return null
    const age = Math.max(0, now() - reading.readAt)
    return { ...reading, ageSeconds: Math.round(age / 1000), stale: age > staleMs }
  }

  private async request(endpoints: Endpoints, chain: string, vault: string, watched: Watched): Promise<void> {
    try {
      const reading = await endpoints.read(vault, [...watched.tokens])
      watched.reading = { ...reading, readAt: this.options.now() }
    } catch (error) {
      this.log.warn('no endpoint returns the state of a vault', {
        chain,
        vault,
        reason: (error as Error).message.slice(0, 200),
      })
    }
  }

  /** Version of the views: changes with each reading. */
  get tag(): string {
    return [...this.watched].map(([key, { reading }]) => `${key} ${reading?.readAt ?? 0}`).join()
  }

  close(): void {
    for (const endpoints of this.chains.values()) endpoints.close()
  }
}

/** Endpoints of a chain. The endpoint that answered last is tried first. */
class Endpoints {
  private readonly providers: JsonRpcProvider[]
  /** Index of the endpoint that answered last. */
  private preferred = 0

  constructor({ chainId, source }: EvmChainConfig) {
    const network = Network.from(chainId)
    this.providers = source.urls.map((url) => {
      const request = new FetchRequest(url)
      request.timeout = Math.min(source.timeoutSeconds * 1000, 10_000)
      // No retries after a rate limit: the next endpoint is tried instead.
      request.setThrottleParams({ maxAttempts: 1 })
      return new JsonRpcProvider(request, network, {
        staticNetwork: network,
        batchMaxCount: source.batch,
        cacheTimeout: -1,
      })
    })
  }

  async read(vault: string, tokens: readonly string[]): Promise<Omit<Reading, 'readAt'>> {
    let lastError: unknown
    for (let tries = 0; tries < this.providers.length; tries++) {
      const index = (this.preferred + tries) % this.providers.length
      try {
        const reading = await readVault(this.providers[index] as JsonRpcProvider, vault, tokens)
        this.preferred = index
        return reading
      } catch (error) {
        lastError = error
      }
    }
    throw lastError
  }

  close(): void {
    for (const provider of this.providers) provider.destroy()
  }
}

/** Reads the state of a vault at one block. */
async function readVault(
  provider: JsonRpcProvider,
  vault: string,
  tokens: readonly string[],
): Promise<Omit<Reading, 'readAt'>> {
  const head = (await provider.send('eth_getBlockByNumber', ['latest', false])) as {
    number: string
    timestamp: string
  } | null
  if (head === null) throw new Error('the endpoint returned no latest block')
  const call = async (name: string, ...parameters: unknown[]) => {
    const data = ABI.encodeFunctionData(name, parameters)
    const result = (await provider.send('eth_call', [{ to: vault, data }, head.number])) as string
    return ABI.decodeFunctionResult(name, result)
  }
  const paused = Promise.all([call('depositsPaused'), call('withdrawalsPaused')])
  const assets = Promise.all(
    tokens.map(async (token) => {
      const [asset, available] = await Promise.all([call('assets', token), call('available', token)])
      const view = { scale: asset.scale, minDeposit: asset.minDeposit, enabled: asset.enabled, cap: asset.cap }
      return [token, { ...view, available: available[0] }] as const
    }),
  )
  const [[deposits, withdrawals], views] = await Promise.all([paused, assets])
  return {
    vault,
    source: 'rpc',
    block: Number(head.number),
    time: Number(head.timestamp) * 1000,
    depositsPaused: deposits[0] as boolean,
    withdrawalsPaused: withdrawals[0] as boolean,
    assets: new Map(views),
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
