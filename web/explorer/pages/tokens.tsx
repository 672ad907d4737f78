// Tokens of a chain: price, change, volume, liquidity, holders, score.
import { useState } from 'preact/hooks'
import { knownVolume } from '../core/market-rows.ts'
import { count } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain, query, setQuery, to } from '../data/place.ts'
import { useTokenPulse } from '../data/stream.ts'
import type { Get } from '../data/types.ts'
import { Change, TokenMark, Usd, UsdPrice } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

const SORTS = [
  ['tvl', 'Liquidity'],
  ['volume', 'Volume'],
  ['score', 'Score'],
  ['holders', 'Holders'],
  ['price', 'Price'],
] as const
const LIMIT = 100
const REFRESH_MS = 10_000

export function TokensPage() {
  const [text, setText] = useState(query.value.get('find') ?? '')
  const sort = SORTS.find(([one]) => one === query.value.get('sort'))?.[0] ?? 'tvl'
  const page = Math.max(1, Number(query.value.get('page')) || 1)
  const search = text.trim() === '' ? '' : `&search=${encodeURIComponent(text.trim())}`
  const answer = useAnswer<Get<'/api/v3/analytics/tokens'>>(
    chain.value,
    `/api/v3/analytics/tokens?sort=${sort}&window=24h&limit=${LIMIT}&page=${page}&hide_scam=true${search}`,
    REFRESH_MS,
  )
  useAgain(answer, useTokenPulse(chain.value, null))
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Tokens</h1>
      </div>
      <div class="filters">
        <label class="labelled">
          <span class="quiet">Sort by</span>
          <select
            class="field"
            value={sort}
            onChange={({ currentTarget }) => setQuery({ sort: currentTarget.value, page: null })}
          >
            {SORTS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <input
          type="search"
          class="field"
          placeholder="Filter by symbol or contract"
          aria-label="Filter the tokens"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setQuery({ find: currentTarget.value, page: null })
          }}
        />
      </div>
      <Shown answer={answer} what="tokens" lines={10}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Note title="No token matches" />
          ) : (
            <>
              <table class="list tokens">
                <thead>
                  <tr>
                    <th scope="col">Token</th>
                    <th scope="col" class="end">
                      Price
                    </th>
                    <th scope="col" class="end">
                      24h
                    </th>
                    <th scope="col" class="end wide">
                      Volume 24h
                    </th>
                    <th scope="col" class="end middling">
                      Liquidity
                    </th>
                    <th scope="col" class="end wide">
                      Holders
                    </th>
                    <th scope="col" class="end wide">
                      Score
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((item) => (
                    <tr key={item.id}>
                      <th scope="row">
                        <a class="market" href={to('token', item.id)}>
                          <TokenMark id={item.id} symbol={item.symbol} />
                          <span class="names">
                            <span class="pair">{item.symbol}</span>
                            <span class="under quiet">{item.contract}</span>
                          </span>
                        </a>
                      </th>
                      <td class="end">
                        <UsdPrice value={item.price?.usd} />
                      </td>
                      <td class="end">
                        <Change percent={item.price?.usd ? item.price.change24h : null} />
                      </td>
                      <td class="end wide">
                        <Usd value={knownVolume({ ...item.volume, usd: item.volume.total })} />
                      </td>
                      <td class="end middling">
                        <Usd value={item.liquidity.tvl} />
                      </td>
                      <td class="end wide amount">{count(item.holders?.count)}</td>
                      <td class="end wide amount">{count(item.scores?.total)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Pages page={page} pages={Math.ceil(total / LIMIT)} />
            </>
          )
        }
      </Shown>
    </>
  )
}

function Pages({ page, pages }: { page: number; pages: number }) {
  if (pages < 2) return null
  const step = (by: number) => setQuery({ page: String(page + by) })
  return (
    <p class="centred pages">
      <button type="button" disabled={page <= 1} onClick={() => step(-1)}>
        ← Previous
      </button>
      <span class="quiet">
        Page {count(page)} of {count(pages)}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => step(1)}>
        Next →
      </button>
    </p>
  )
}
