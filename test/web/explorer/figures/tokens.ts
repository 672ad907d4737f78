// Figures of the pages of a token and of the list of tokens.
import { Decimal } from 'decimal.js'
import type { Claims } from './collect.ts'
import { amount, cells, dollars, factRow, type Get, share as inShare, type Json, type Names, plain } from './facts.ts'
import { change, count, percent, short, usd, usdPrice, when } from './format.ts'
import { LAST_DAY, MARKET_HEADS, marketRows, volumeOf } from './markets.ts'

export async function tokenPage(get: Get, id: string, names: Names, now: number): Promise<Claims> {
  const { token, pools, spotPairs } = await get(`/api/v3/analytics/tokens/${id}?window=24h`)
  const { top } = await get(`/api/v3/explore/token/${id}`)
  const { score, components, updatedAt } = await get(`/api/v2/tokens/${id}/score`)
  const { hours } = await get(`/api/v3/explore/token/${id}/prices?limit=168`)
  const prices = hours.flatMap(({ priceUsd }: Json) => (priceUsd === null ? [] : [Number(priceUsd)]))
  const { locked } = token.liquidity
  const { facts } = await get(`/api/v3/explore/token/${id}/transfers?limit=25`)
  const held = top.reduce((sum: Decimal, { share }: Json) => sum.plus(share), new Decimal(0))
  const parts = Object.entries<number | null>(components).filter(([, points]) => points !== null) as [string, number][]
  return {
    '.market-head': [
      `${token.symbol} ${token.contract} ${price24(token)} ` +
        `Volume 24h ${dollars(volumeOf({ ...token.volume, usd: token.volume.total }))} ` +
        `Liquidity ${dollars(token.liquidity.tvl)} Holders ${count(token.holders?.count)}`,
    ],
    '.facts > div': [
      `Contract | ${token.contract}`,
      `Symbol | ${token.decimals},${token.symbol}`,
      ...(token.createdAt === null ? [] : [`First seen | ${when(token.createdAt, now)}`]),
      `Pools | ${count(token.pairs.pools)}`,
      `Order books | ${count(token.pairs.spots)}`,
      `Trades 24h | ${count(token.tx.total)}`,
      `Locked liquidity | ${locked === null ? '–' : `${usd(locked.usd)} in ${count(locked.positions)} ${locked.positions === 1 ? 'position' : 'positions'} (${percent(locked.share)})`}`,
    ],
    '.score': [`${count(score)} of 100`],
    '.score-parts li': parts.map(
      ([name, points]) =>
        `${name[0]?.toUpperCase()}${name.slice(1)} «${name}: ${points} points» =${points} ${points.toFixed(1)}`,
    ),
    '[aria-labelledby=holders-title] .note-line': [`Together ${percent(held.mul(100).toString())} of the supply`],
    ...(await distributionOf(get, id)),
    '[aria-labelledby=transfers-title] tbody tr': facts.map((fact: Json) => factRow(fact, names, now)),
    '[aria-labelledby=score-title] .note-line': updatedAt === null ? [] : [`Computed ${when(updatedAt, now)}`],
    '.history figcaption': [`low ${usdPrice(Math.min(...prices))} high ${usdPrice(Math.max(...prices))}`],
    '[aria-labelledby=holders-title] tbody tr': top.map(({ account, amount: held, share: part, valueUsd }: Json) =>
      cells(
        account,
        amount(held),
        inShare(part === null ? null : new Decimal(part).mul(100).toString()),
        dollars(valueUsd),
      ),
    ),
    '.markets thead th:is(:nth-child(3), :nth-child(4))': MARKET_HEADS,
    '.markets thead th:last-child': [LAST_DAY],
    ...(await marketRows(get, pools, spotPairs)),
  }
}

async function distributionOf(get: Get, id: string): Promise<Claims> {
  const { holders, largest, buckets } = await get(`/api/v3/explore/token/${id}/distribution`)
  const part = (share: string | null) => percent(share === null ? null : new Decimal(share).mul(100).toString())
  const tops = largest.map(({ count: some, share }: Json) => ` · largest ${some}: ${part(share)}`)
  return {
    '[aria-labelledby=distribution-title] .note-line': [`${count(holders)} holders${tops.join('')}`],
    '[aria-labelledby=distribution-title] tbody tr': buckets.map(
      ({ from, below, holders: some, amount: held, share }: Json) =>
        cells(
          `‹At least ${from}, below ${below}› ${short(from)} – ${short(below)}`,
          count(some),
          amount(held),
          inShare(share === null ? null : new Decimal(share).mul(100).toString()),
        ),
    ),
  }
}

function price24({ price: at }: Json): string {
  return at?.usd
    ? `‹$${plain(at.usd)}› ${usdPrice(at.usd)} 24h ${change(at.change24h)}`
    : '‹The price in US dollars is not known.› – 24h –'
}

export async function tokensPage(get: Get): Promise<Claims> {
  const { items } = await get('/api/v3/analytics/tokens?sort=tvl&window=24h&limit=100&page=1&hide_scam=true')
  return {
    '.tokens thead th:is(:nth-child(3), :nth-child(4))': MARKET_HEADS,
    '.tokens tbody tr': items.map((item: Json) =>
      cells(
        `${item.symbol} ${item.contract}`,
        ...price24(item).split(' 24h '),
        dollars(volumeOf({ ...item.volume, usd: item.volume.total })),
        dollars(item.liquidity.tvl),
        count(item.holders?.count),
        count(item.scores?.total),
      ),
    ),
  }
}
