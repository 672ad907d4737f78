// Titles and descriptions of the explorer's pages, for search engines and link previews. Pure.
import { priceOfA, ratioToNumber } from '../../../core/amm/price.ts'
import type { PageAddress } from '../../../web/explorer/core/addresses.ts'
import { percent, price } from '../../../web/explorer/core/numbers.ts'
import type { MarketState } from '../../live-market/model.ts'

export interface Preview {
  title: string
  description: string
  /** False when the market is loaded and has no such pool, market or token. */
  exists: boolean
}

/** Pool fees are hundredths of a basis point. */
const FEE_PERCENT = 10_000

/**
 * @param address  of the page
 * @param chain  its chain; null when the host has none
 * @param state  the market as of the last block; null while it is loaded
 */
export function previewOf({ kind, id }: PageAddress, chain: string | null, state: MarketState | null): Preview {
  const on = chain === null ? '' : ` on ${chain}`
  const of = (title: string, description: string, exists = true) => ({ title, description, exists })
  if (kind === 'pool') return poolPreview(Number(id), on, state)
  if (kind === 'market') return bookPreview(Number(id), on, state)
  if (kind === 'token') return tokenPreview(id, on, state)
  if (kind === 'account')
    return of(`Account ${id}${on}`, `Positions, orders, transfers and every trade of the account ${id}${on}.`)
  if (kind === 'tx')
    return of(`Transaction ${id.slice(0, 10)}…${on}`, `Every indexed fact of the transaction ${id}${on}.`)
  if (kind === 'block') {
    const name = id.length === 64 ? `${id.slice(0, 12)}…` : id
    return of(`Block ${name}${on}`, `Trades, transfers and bridge facts of block ${name}${on}.`)
  }
  if (kind === 'transfer')
    return of(
      `Bridge transfer ${id}`,
      `The bridge transfer ${id}: its steps, its transactions on both chains, and who acts next.`,
    )
  if (kind === 'tokens') return of(`Tokens${on}`, `Prices, scores, holders and volumes of the tokens${on}.`)
  if (kind === 'trades') return of(`Large trades${on}`, `Large swaps and order-book trades${on}, newest first.`)
  if (kind === 'chains') return of('Status', 'Position, lag and last block of every chain.')
  if (kind === 'search') return of(`Search${on}`, `Finds markets, tokens, accounts, transactions and blocks${on}.`)
  if (kind === 'operator')
    return of(
      'Bridge: live state',
      'Legs by state, what waits and for whom, destinations and measured times of the bridge.',
    )
  return of(`Markets${on}`, `Pools and order books${on}: prices, volumes and liquidity, block by block.`)
}

function poolPreview(id: number, on: string, state: MarketState | null): Preview {
  const pool = state?.pools.get(id)
  if (pool === undefined) return { title: `Pool ${id}${on}`, description: `Pool ${id}${on}.`, exists: state === null }
  const { a, b } = pool
  const now = price(ratioToNumber(priceOfA(pool.sqrtPriceX64, a.decimals, b.decimals)))
  return {
    title: `${a.symbol}/${b.symbol} ${now}${on}`,
    description: `Pool ${id}${on}, fee ${percent(pool.fee / FEE_PERCENT)}: one ${a.symbol} is ${now} ${b.symbol}. Candles, liquidity, swaps and positions.`,
    exists: true,
  }
}

function bookPreview(id: number, on: string, state: MarketState | null): Preview {
  const book = state?.books.get(id)
  if (book === undefined)
    return { title: `Market ${id}${on}`, description: `Order book ${id}${on}.`, exists: state === null }
  const { base, target } = book
  return {
    title: `${base.symbol}/${target.symbol} order book${on}`,
    description: `Order book of ${base.symbol} in ${target.symbol}${on}: bids, asks, depth, candles and trades.`,
    exists: true,
  }
}

function tokenPreview(id: string, on: string, state: MarketState | null): Preview {
  const token = state?.tokens.get(id.toLowerCase())
  // The market knows only traded tokens. The page says when there is no such token at all.
  if (token === undefined) return { title: `Token ${id}${on}`, description: `Token ${id}${on}.`, exists: true }
  return {
    title: `${token.symbol} (${token.contract})${on}`,
    description: `${token.symbol} of ${token.contract}${on}: price, markets, holders, liquidity and score.`,
    exists: true,
  }
}
