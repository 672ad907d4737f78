// Markets: pools and order books of a chain or of all chains, with totals.
import { useMemo, useState } from 'preact/hooks'
import { filtered, type KindFilter, scamNote, sorted, sortingOf, sortingText } from '../core/market-rows.ts'
import { count } from '../core/numbers.ts'
import { useMarketList } from '../data/market-list.ts'
import { chain, config, query, setQuery } from '../data/place.ts'
import { Choice } from '../parts/basics.tsx'
import { Loading, Note } from '../parts/states.tsx'
import { MarketTable } from './market-table.tsx'
import { Totals } from './totals.tsx'

const KINDS = [
  ['all', 'All'],
  ['pool', 'Pools'],
  ['market', 'Order books'],
  ['farm', 'Farms'],
] as const

export function MarketsPage() {
  const isAll = query.value.get('chains') === 'all' && config.chains.length > 1
  const chains = isAll ? config.chains : [chain.value as string]
  const hasScams = query.value.get('scams') === 'show'
  const { rows, askedAt, scams, isComplete, error } = useMarketList(chains, hasScams)
  const [text, setText] = useState(query.value.get('find') ?? '')
  const kind = (KINDS.find(([one]) => one === query.value.get('show'))?.[0] ?? 'all') as KindFilter
  const sorting = sortingOf(query.value.get('sort'), 'volume')
  const shown = useMemo(
    () => sorted(filtered(rows, text, kind), sorting),
    [rows, text, kind, sorting.column, sorting.isDescending],
  )
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Markets</h1>
        {config.chains.length < 2 ? null : (
          <Choice
            name="Chains"
            value={isAll ? 'all' : 'one'}
            options={[
              ['one', chain.value as string],
              ['all', 'All chains'],
            ]}
            onChoose={(value) => setQuery({ chains: value === 'all' ? 'all' : null })}
          />
        )}
      </div>
      <Totals chains={chains} />
      <div class="filters">
        <Choice
          name="Kind of market"
          value={kind}
          options={KINDS}
          onChoose={(value) => setQuery({ show: value === 'all' ? null : value })}
        />
        <input
          type="search"
          class="field"
          placeholder="Filter by symbol, contract, A/B"
          aria-label="Filter the markets"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setQuery({ find: currentTarget.value })
          }}
        />
        <span class="quiet count" role="status">
          {isComplete ? `${count(shown.length)} of ${count(rows.length)} markets` : 'loading…'}
        </span>
      </div>
      {scams === 0 ? null : (
        <p class="quiet scams">
          {scamNote(scams, hasScams)}{' '}
          <button type="button" onClick={() => setQuery({ scams: hasScams ? null : 'show' })}>
            {hasScams ? 'Hide' : 'Show'}
          </button>
        </p>
      )}
      {rows.length === 0 ? (
        isComplete ? (
          <Note title="No markets yet">They appear here with their first block.</Note>
        ) : (
          <>
            <Loading lines={10} />
            <p class="quiet centred">{error}</p>
          </>
        )
      ) : shown.length === 0 ? (
        <Note title="No market matches">
          <button
            type="button"
            onClick={() => {
              setText('')
              setQuery({ find: null, show: null })
            }}
          >
            Show all markets
          </button>
        </Note>
      ) : (
        <MarketTable
          rows={shown}
          askedAt={askedAt}
          sorting={sorting}
          withChain={isAll}
          onSort={(one) => setQuery({ sort: sortingText(one) })}
        />
      )}
    </>
  )
}
