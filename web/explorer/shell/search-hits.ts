// Hits of the search field: from the explorer's search, or from those of the analytics where a server has no other.
// Takes the requests as a function.
import { guesses, type Kind } from '../core/addresses.ts'
import { percent, usd } from '../core/numbers.ts'
import { isUnavailable } from '../data/answers.ts'
import type { Get } from '../data/types.ts'

export interface Hit {
  kind: Kind
  id: string
  title: string
  detail: string
}

type Ask = <T>(path: string) => Promise<T>

const MAX_HITS = 10
const MAX_OF_KIND = 5
const KINDS: Record<string, Hit['kind']> = {
  transaction: 'tx',
  block: 'block',
  account: 'account',
  token: 'token',
  market: 'market',
  pool: 'pool',
  bridge: 'transfer',
}
const WORDS: Record<string, string> = {
  transaction: 'Transaction',
  block: 'Block',
  account: 'Account',
  bridge: 'Bridge transfer',
}

/** What a text names, best first. @throws the errors of `ask` */
export async function readHits(ask: Ask, text: string): Promise<Hit[]> {
  try {
    const { results } = await ask<Get<'/api/v3/explore/search'>>(
      `/api/v3/explore/search?q=${encodeURIComponent(text)}&limit=${MAX_HITS}`,
    )
    return results.flatMap(({ kind, id, label, detail }) => {
      const known = KINDS[kind]
      return known === undefined ? [] : [{ kind: known, id, title: label, detail: detail ?? WORDS[kind] ?? '' }]
    })
  } catch (error) {
    if (isUnavailable(error)) return [...(await marketsAndTokens(ask, text)), ...hitsByForm(text)]
    throw error
  }
}

/** Pages that a text can mean by its form; there may be nothing. */
export function hitsByForm(text: string): Hit[] {
  return guesses(text).map(({ kind, id, label }) => ({
    kind,
    id,
    title: id.length > 20 ? `${id.slice(0, 16)}…` : id,
    detail: label,
  }))
}

async function marketsAndTokens(ask: Ask, text: string): Promise<Hit[]> {
  const search = `search=${encodeURIComponent(text)}&limit=${MAX_OF_KIND}&window=24h`
  const [tokens, pools] = await Promise.all([
    ask<Get<'/api/v3/analytics/tokens'>>(`/api/v3/analytics/tokens?sort=tvl&${search}`),
    ask<Get<'/api/v3/analytics/pools'>>(`/api/v3/analytics/pools?sort=tvl&${search}`),
  ])
  return [
    ...tokens.items.map(
      ({ id, symbol, contract }): Hit => ({ kind: 'token', id, title: symbol, detail: `Token of ${contract}` }),
    ),
    ...pools.items.map(
      ({ id, tokenA, tokenB, fee, liquidity }): Hit => ({
        kind: 'pool',
        id: String(id),
        title: `${tokenA.symbol}/${tokenB.symbol}`,
        detail: `Pool ${id} · ${percent(fee / 10_000)} · ${usd(liquidity.tvl)}`,
      }),
    ),
  ]
}
