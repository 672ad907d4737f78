// Totals above the markets: value, volume and trades, with their last month.
import type { ComponentChildren } from 'preact'
import { count } from '../core/numbers.ts'
import { useAnswer, useBlocks } from '../data/answers.ts'
import type { Get } from '../data/types.ts'
import { Usd } from '../parts/basics.tsx'
import { Bars, Line } from '../parts/small-charts.tsx'

type Overview = Get<'/api/v3/analytics/overview'>
type Charts = Get<'/api/v3/analytics/global/charts'>

/** Prices and windows move without a fact. */
const REFRESH_MS = 30_000

export function Totals({ chains }: { chains: readonly string[] }) {
  return (
    <div class="totals">
      {chains.map((chain) => (
        <ChainTotals key={chain} chain={chain} isNamed={chains.length > 1} />
      ))}
    </div>
  )
}

function ChainTotals({ chain, isNamed }: { chain: string; isNamed: boolean }) {
  const overview = useAnswer<Overview>(chain, '/api/v3/analytics/overview?window=24h', REFRESH_MS)
  useBlocks(overview, chain)
  const { value } = overview
  const month = useAnswer<Charts>(chain, '/api/v3/analytics/global/charts?window=30d&resolution=1d', 10 * REFRESH_MS)
  const stats = value?.stats
  const charts = month.value?.charts
  const tvl = sinceFirst(charts?.tvl)
  const volume = sinceFirst(charts?.volume)
  return (
    <section class="tiles" aria-label={`Totals of ${chain}`}>
      <Tile name={isNamed ? `${chain}: value locked` : 'Value locked'} text={<Usd value={stats?.tvl} />}>
        <Line values={tvl} label="Value locked by day, last 30 days" />
      </Tile>
      <Tile name="Volume 24h" text={<Usd value={stats?.volume} />}>
        <Bars values={volume} label="Volume by day, last 30 days" />
      </Tile>
      <Tile name="Fees 24h" text={<Usd value={stats?.fees} />} />
      <Tile name="Trades 24h" text={count(stats === undefined ? null : stats.swapTx + stats.spotTx)} />
      <Tile
        name="Markets"
        text={stats === undefined ? '–' : `${count(stats.poolsTotal)} pools · ${count(stats.spotPairsTotal)} books`}
      />
    </section>
  )
}

/** Values from the first that is not zero: before, nothing was indexed. */
function sinceFirst(points: readonly { v: number }[] = []): number[] {
  const first = points.findIndex(({ v }) => v !== 0)
  return first === -1 ? [] : points.slice(first).map(({ v }) => v)
}

function Tile({ name, text, children }: { name: string; text: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="tile">
      <span class="quiet">{name}</span>
      <strong>{text}</strong>
      {children}
    </div>
  )
}
