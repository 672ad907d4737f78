// The other pools and order books of a pair of tokens. Pure.

interface PairToken {
  id: string
  contract: string
}

export interface PairMarket {
  kind: 'pool' | 'market'
  id: number
  label: string
}

interface Lists {
  pools: readonly { id: number; tokenA: PairToken; tokenB: PairToken; fee: string; active: boolean }[]
  orderbooks: readonly { id: number; base: PairToken; quote: PairToken }[]
}

/** Contract of system tokens: most markets trade one of them. */
const SYSTEM = 'eosio.token'

/** The token of a pair that fewer markets trade. */
export function rarer<T extends PairToken>([a, b]: readonly [T, T]): T {
  return a.contract === SYSTEM ? b : a
}

/** Order books first. @param own  the market of the page, which is left out */
export function otherMarkets(
  [a, b]: readonly [PairToken, PairToken],
  own: Pick<PairMarket, 'kind' | 'id'>,
  { pools, orderbooks }: Lists,
): PairMarket[] {
  const isPair = (one: PairToken, other: PairToken) =>
    (one.id === a.id && other.id === b.id) || (one.id === b.id && other.id === a.id)
  const books = orderbooks
    .filter(({ base, quote }) => isPair(base, quote))
    .map(({ id }) => ({ kind: 'market' as const, id, label: 'Order book' }))
  const found = pools
    .filter(({ tokenA, tokenB, active }) => active && isPair(tokenA, tokenB))
    .map(({ id, fee }) => ({ kind: 'pool' as const, id, label: `Pool ${fee}%` }))
  return [...books, ...found].filter(({ kind, id }) => kind !== own.kind || id !== own.id)
}
