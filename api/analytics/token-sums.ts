// What the pools and order books of a token add up to, kept until one of them changes.
import { later } from '../market/marks.ts'
import type { BlockMark, LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdNumber, type WindowName } from '../market/rolling.ts'

/** Trades of a window; a trade counts with its full value for both of its tokens. */
export interface TokenTrades {
  swapUsd: number
  swaps: number
  spotUsd: number
  deals: number
}

/** Another object than before whenever anything in it may be another. */
export class TokenSums {
  readonly since: BlockMark
  readonly pools: number
  readonly books: number
  /** Raw units that the pools hold. */
  readonly reserve: bigint
  /** Unix milliseconds: when its first pool was created, else since when anything is known. */
  readonly createdAt: number
  private readonly token: string
  private readonly windows: Partial<Record<WindowName, TokenTrades>> = {}

  constructor(state: MarketState, token: string, since: BlockMark, pools: ReadonlySet<LivePool>, books: number) {
    let reserve = 0n
    let createdAt = Number.POSITIVE_INFINITY
    for (const pool of pools) {
      reserve += pool.a.id === token ? pool.reserveA : pool.reserveB
      createdAt = Math.min(createdAt, pool.createdAt ?? state.since)
    }
    this.token = token
    this.since = since
    this.pools = pools.size
    this.books = books
    this.reserve = reserve
    this.createdAt = Number.isFinite(createdAt) ? createdAt : state.since
  }

  /** Must be asked at the state that the sums are of. */
  trades({ poolsOf, booksOf }: MarketState, window: WindowName): TokenTrades {
    let known = this.windows[window]
    if (known !== undefined) return known
    let [swapUsd, swaps, spotUsd, deals] = [0n, 0, 0n, 0]
    for (const { volumes } of poolsOf.get(this.token) ?? []) {
      swapUsd += volumes[window].usd
      swaps += volumes[window].trades
    }
    for (const { volumes } of booksOf.get(this.token) ?? []) {
      spotUsd += volumes[window].usd
      deals += volumes[window].trades
    }
    known = { swapUsd: usdNumber(swapUsd), swaps, spotUsd: usdNumber(spotUsd), deals }
    this.windows[window] = known
    return known
  }
}

const sums = new WeakMap<TokenRef, { at: BlockMark; sums: TokenSums }>()
const NONE: ReadonlySet<never> = new Set()

/** The sums of a token as of the state. */
export function tokenSums(state: MarketState, token: TokenRef): TokenSums {
  const known = sums.get(token)
  if (known?.at === state.at) return known.sums
  const pools = state.poolsOf.get(token.id) ?? NONE
  const books = state.booksOf.get(token.id) ?? NONE
  let since = state.changed.everything
  for (const { changed } of pools) since = later(since, changed)
  for (const { changed } of books) since = later(since, changed)
  const before = known?.sums
  const isSame = before?.since === since && before.pools === pools.size && before.books === books.size
  const now = isSame ? before : new TokenSums(state, token.id, since, pools, books.size)
  sums.set(token, { at: state.at, sums: now })
  return now
}
