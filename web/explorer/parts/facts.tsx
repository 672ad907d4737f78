// A list of facts of the ledger, in words, with links.
import { factView, type Part, type Side } from '../core/facts.ts'
import { grouped } from '../core/numbers.ts'
import { nameOfDomain } from '../core/transfer.ts'
import { useShared } from '../data/answers.ts'
import { chain, config, to } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Account, Amount, Badge, Copy, Scroll, TxLink, Usd, When } from './basics.tsx'

/** Datasets of an account's activity on the bridge. */
export const BRIDGE_KINDS = 'deposits,deposit_events,claim_events,withdrawals,withdrawal_events'

type PoolAnswer = Get<'/api/v3/market/pools/{poolId}'>
type BookAnswer = Get<'/api/v3/market/orderbooks/{marketId}'>

export function PoolName({ id }: { id: string }) {
  const value = useShared<PoolAnswer>(chain.value, `/api/v3/market/pools/${id}`)
  const name = value === null ? `pool ${id}` : `${value.pool.tokenA.symbol}/${value.pool.tokenB.symbol}`
  return (
    <a href={to('pool', id)} title={`Pool ${id}`}>
      {name}
    </a>
  )
}

function MarketName({ id }: { id: string }) {
  const value = useShared<BookAnswer>(chain.value, `/api/v3/market/orderbooks/${id}`)
  const name = value === null ? `market ${id}` : `${value.orderbook.quote.symbol}/${value.orderbook.base.symbol}`
  return (
    <a href={to('market', id)} title={`Order book ${id}`}>
      {name}
    </a>
  )
}

/** @param id  key of a bridge transfer */
export function TransferLink({ id }: { id: string }) {
  return (
    <a href={to('transfer', id)} title="Time line of the bridge transfer">
      bridge transfer <span class="mono">{id}</span>
    </a>
  )
}

/** An amount in the token of a side of the fact's pool or market. */
function SideAmount({ amount, side, row }: { amount: string; side: Side; row: Fact['row'] }) {
  const isPool = side === 'A' || side === 'B'
  const path = isPool ? `/api/v3/market/pools/${row.pool_id}` : `/api/v3/market/orderbooks/${row.market_id}`
  const value = useShared<Partial<PoolAnswer & BookAnswer>>(chain.value, path)
  const { pool, orderbook } = value ?? {}
  // The contract of order books names base and target the other way round.
  const token = { A: pool?.tokenA, B: pool?.tokenB, base: orderbook?.quote, target: orderbook?.base }[side]
  return <Amount exact={amount} symbol={token?.symbol ?? '…'} token={token?.id} />
}

function PartView({ part, row }: { part: Part; row: Fact['row'] }) {
  if (typeof part === 'string') return <span>{part} </span>
  if ('account' in part) return <Account name={part.account} />
  if ('pool' in part) return <PoolName id={part.pool} />
  if ('market' in part) return <MarketName id={part.market} />
  if ('transfer' in part) return <TransferLink id={part.transfer} />
  if ('domain' in part) return <span>{nameOfDomain(config.places, part.domain)}</span>
  if ('transfersOf' in part)
    return (
      <a href={`${to('account', part.transfersOf)}?kind=${BRIDGE_KINDS}`}>bridge transfers of {part.transfersOf}</a>
    )
  if ('quiet' in part) return <span class="quiet">{part.quiet}</span>
  if ('side' in part) return <SideAmount amount={part.amount} side={part.side} row={row} />
  const { amount, symbol, token } = part
  return <Amount exact={amount} symbol={symbol} token={token} />
}

function FactWords({ fact }: { fact: Fact }) {
  const { parts, memo } = factView(fact)
  return (
    <span class="words">
      {parts.map((part, i) => (
        <span key={i} class={part === 'in' ? 'where' : undefined}>
          <PartView part={part} row={fact.row} />{' '}
        </span>
      ))}
      {memo === null ? null : (
        <q class="memo" dir="auto">
          {memo}
        </q>
      )}
    </span>
  )
}

/** Facts as a table. @param place  which columns say where a fact is */
export function FactTable({ facts, place }: { facts: readonly Fact[]; place: 'time' | 'transaction' }) {
  return (
    <Scroll label="facts">
      <table class="list facts-list">
        <thead>
          <tr>
            {place === 'time' ? <th scope="col">Time</th> : null}
            <th scope="col">Kind</th>
            <th scope="col">Fact</th>
            <th scope="col" class="end">
              Value
            </th>
            <th scope="col" class="end">
              Transaction
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map((fact) => (
            <FactRow key={`${fact.sequence} ${fact.dataset}`} fact={fact} hasTime={place === 'time'} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function FactRow({ fact, hasTime }: { fact: Fact; hasTime: boolean }) {
  const { label, tone, usd } = factView(fact)
  return (
    <tr class={fact.final ? '' : 'head-only'}>
      {hasTime ? (
        <td class="nowrap at">
          <When at={fact.time} />
        </td>
      ) : null}
      <td class="nowrap kind">
        <Badge tone={tone}>{label}</Badge>
        {fact.final ? null : <Badge tone="pending">not final</Badge>}
      </td>
      <td class="fact-words">
        <FactWords fact={fact} />
      </td>
      <td class="end value">{usd === null ? '' : <Usd value={usd} />}</td>
      <td class="end nowrap in">
        <TxLink id={fact.transaction} />
      </td>
    </tr>
  )
}

/** Characters that change the direction of text. One that is not ended also leaves an isolated inline element. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/

/** A fact with all columns of its row, exact. */
export function FactDetails({ fact }: { fact: Fact }) {
  const { label, tone, usd } = factView(fact)
  const columns = Object.entries(fact.row).filter(([, value]) => value !== null && value !== '')
  return (
    <li class="fact">
      <div class="fact-line">
        <Badge tone={tone}>{label}</Badge>
        <FactWords fact={fact} />
        {usd === null ? null : <Usd value={usd} />}
      </div>
      <details>
        <summary>
          {fact.dataset}, sequence {fact.sequence}
        </summary>
        <dl class="columns">
          {columns.map(([name, value]) => {
            const exact = typeof value === 'object' ? JSON.stringify(value) : String(value)
            return (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi class={TURNS.test(exact) ? 'turns' : undefined}>{grouped(exact)}</bdi>{' '}
                  <Copy text={exact} what={name} />
                </dd>
              </div>
            )
          })}
        </dl>
      </details>
    </li>
  )
}

export function Finality({ isFinal }: { isFinal: boolean }) {
  return isFinal ? <Badge tone="final">Final</Badge> : <Badge tone="pending">Not final yet</Badge>
}
