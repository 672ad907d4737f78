// A pool: chart, liquidity by price, swaps, positions, facts of the contract, and a route for a trade.
import { ChartPanel } from '../chart/chart-panel.tsx'
import { knownVolume, reversedChange } from '../core/market-rows.ts'
import { grouped, percent, price } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain, query, setQuery, to } from '../data/place.ts'
import { useChannel, usePulse } from '../data/stream.ts'
import type { Get, MarketPool } from '../data/types.ts'
import { useTitle } from '../data/use-title.ts'
import { Badge, Change, Copy, Facts, PairMarks, Panel, Percent, Price, Usd } from '../parts/basics.tsx'
import { SamePair } from '../parts/same-pair.tsx'
import { Loading, Note, Shown } from '../parts/states.tsx'
import { Search } from '../shell/search.tsx'
import { LiquidityPanel } from './liquidity.tsx'
import { PositionTable } from './positions.tsx'
import { RouteBox } from './route-box.tsx'
import { SwapTable } from './swaps.tsx'

type PoolItem = Get<'/api/v3/analytics/pools/{poolId}'>['pool']

export function PoolPage({ id }: { id: number }) {
  const of = chain.value
  const first = useAnswer<{ pool: MarketPool }>(of, `/api/v3/market/pools/${id}`, 30_000)
  const message = useChannel(of, 'pool', id)
  const pulse = usePulse(message)
  const facts = useAnswer<{ pool: PoolItem }>(of, `/api/v3/analytics/pools/${id}?window=24h&include=incentives`, 15_000)
  useAgain(facts, { pulse })
  const pool = message === null ? (first.value?.pool ?? null) : ((message.pool as MarketPool | undefined) ?? null)
  if (pool === null) {
    if (message !== null || first.state === 'missing') return <Missing what={`Pool ${id}`} />
    return (
      <Shown answer={first} what="this pool" lines={12}>
        {() => <Loading lines={12} />}
      </Shown>
    )
  }
  return <Loaded pool={pool} item={facts.value?.pool ?? null} pulse={pulse} />
}

export function Missing({ what }: { what: string }) {
  return (
    <div class="middle">
      <h1 tabIndex={-1}>{what} does not exist</h1>
      <Note title={`Nothing on ${chain.value} has this id.`}>
        <a href={to('markets')}>All markets</a>
      </Note>
      <Search isLarge />
    </div>
  )
}

function Loaded({ pool, item, pulse }: { pool: MarketPool; item: PoolItem | null; pulse: number }) {
  const isReversed = query.value.get('price') === 'reversed'
  const [base, quote] = isReversed ? [pool.tokenB, pool.tokenA] : [pool.tokenA, pool.tokenB]
  const value = Number(pool.price)
  const change = item?.price.change24h
  const shown = isReversed ? (value === 0 ? null : 1 / value) : pool.price
  useTitle(`${base.symbol}/${quote.symbol} ${price(shown)}`)
  return (
    <>
      <div class="heading market-head">
        <PairMarks base={base} quote={quote} />
        <h1 tabIndex={-1}>
          <a href={to('token', base.id)}>{base.symbol}</a>
          <span class="quiet">/</span>
          <a href={to('token', quote.id)}>{quote.symbol}</a>
        </h1>
        <Badge tone="pool">Pool {percent(pool.fee)}</Badge>
        {pool.active ? null : <Badge tone="pending">Inactive</Badge>}
        <div class="figures">
          <strong
            class="big"
            data-is="price"
            title={`${shown} ${quote.symbol} · price in the pool now, before its fee`}
          >
            {price(shown)} <small>{quote.symbol}</small>
          </strong>
          <Figure name="24h">
            <Change percent={isReversed && change != null ? reversedChange(change) : change} />
          </Figure>
          <Figure name="Volume 24h">
            <Usd value={item && knownVolume(item.volume)} />
          </Figure>
          <Figure name="Liquidity">
            <Usd value={pool.tvlUsd} />
          </Figure>
          <Figure name="APR 7d">
            <Percent value={item && item.liquidity.tvl > 0 ? item.apr.total : null} />
          </Figure>
        </div>
      </div>
      <SamePair tokens={[pool.tokenA, pool.tokenB]} own={{ kind: 'pool', id: pool.id }} />
      <div class="market-grid">
        <div class="chart-area">
          <ChartPanel
            source={{ kind: 'pool', id: pool.id, isReversed }}
            own={{ kind: 'pool', id: pool.id }}
            name={`${base.symbol}/${quote.symbol}`}
            pulse={pulse}
            unit={quote.symbol}
            aside={
              <button
                type="button"
                class="toggle"
                aria-pressed={isReversed}
                onClick={() => setQuery({ price: isReversed ? null : 'reversed' })}
              >
                {quote.symbol}/{base.symbol}
              </button>
            }
          />
        </div>
        <div class="side-area">
          <RouteBox tokens={[pool.tokenA, pool.tokenB]} />
          <LiquidityPanel pool={pool} pulse={pulse} />
          <ContractFacts pool={pool} item={item} />
        </div>
        <div class="list-area">
          <Details pool={pool} pulse={pulse} />
        </div>
      </div>
    </>
  )
}

export function Figure({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <span class="figure">
      <span class="quiet">{name}</span>
      <span class="amount">{children}</span>
    </span>
  )
}

function Details({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const tab = query.value.get('tab') === 'positions' ? 'positions' : 'swaps'
  const setTab = (name: 'swaps' | 'positions') => setQuery({ tab: name === 'positions' ? name : null })
  const button = (name: 'swaps' | 'positions', label: string) => (
    <button
      type="button"
      role="tab"
      id={`tab-${name}`}
      aria-selected={tab === name}
      aria-controls="pool-tab"
      tabIndex={tab === name ? 0 : -1}
      onClick={() => setTab(name)}
    >
      {label}
    </button>
  )
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = tab === 'swaps' ? 'positions' : 'swaps'
    setTab(other)
    document.getElementById(`tab-${other}`)?.focus()
  }
  return (
    <section class="panel" aria-label="Activity">
      <div class="tabs" role="tablist" aria-label="Activity" onKeyDown={onKeyDown}>
        {button('swaps', 'Swaps')}
        {button('positions', 'Positions')}
      </div>
      <div role="tabpanel" id="pool-tab" aria-labelledby={`tab-${tab}`}>
        {tab === 'swaps' ? <SwapTable pool={pool} pulse={pulse} /> : <PositionTable pool={pool} pulse={pulse} />}
      </div>
    </section>
  )
}

function ContractFacts({ pool, item }: { pool: MarketPool; item: PoolItem | null }) {
  const exact = (text: string, symbol: string, what: string) => (
    <>
      {grouped(text)} {symbol} <Copy text={text} what={what} />
    </>
  )
  const farms = item?.incentives?.filter(({ isFinished }) => !isFinished) ?? []
  return (
    <Panel title="Contract" id="contract-title">
      <Facts
        rows={[
          ['Pool', `#${pool.id}`],
          [pool.tokenA.symbol, <a href={to('token', pool.tokenA.id)}>{pool.tokenA.contract}</a>],
          [pool.tokenB.symbol, <a href={to('token', pool.tokenB.id)}>{pool.tokenB.contract}</a>],
          ['Reserve', exact(pool.reserveA, pool.tokenA.symbol, 'reserve A')],
          ['Reserve', exact(pool.reserveB, pool.tokenB.symbol, 'reserve B')],
          ['Fee', percent(pool.fee)],
          ['Tick', `${pool.tick} (spacing ${pool.tickSpacing})`],
          ['Liquidity', exact(pool.liquidity, '', 'liquidity')],
          ['√price × 2⁶⁴', exact(pool.sqrtPriceX64, '', 'square-root price')],
          ...farms.map(
            ({ incentiveId, reward, rewardPerDay, apr, daysRemain }) =>
              [
                `Farm ${incentiveId}`,
                <>
                  <Price value={rewardPerDay} unit={reward.symbol} /> {reward.symbol} a day, <Percent value={apr} />{' '}
                  APR, {daysRemain} days left
                </>,
              ] as const,
          ),
        ]}
      />
    </Panel>
  )
}
