// A token: price, score with its parts, liquidity, holders, and where it is traded.
import { withFresh } from '../core/fact-pages.ts'
import { knownVolume, pairRow, poolRow, sorted, sortingOf, sortingText } from '../core/market-rows.ts'
import { count, inPercent, percent, usd, usdPrice } from '../core/numbers.ts'
import { type Answer, useAnswer } from '../data/answers.ts'
import {
  type FactUpdates,
  intervalOf,
  useAgain,
  useAgainLater,
  useFactUpdates,
  useFinality,
} from '../data/fact-stream.ts'
import { chain, query, setQuery } from '../data/place.ts'
import { type Pulse, useTokenPulse } from '../data/stream.ts'
import type { Fact, Get } from '../data/types.ts'
import { useTitle } from '../data/use-title.ts'
import {
  Account,
  Amount,
  Change,
  Copy,
  Facts,
  Panel,
  Percent,
  TokenMark,
  Usd,
  UsdPrice,
  When,
} from '../parts/basics.tsx'
import { FactTable } from '../parts/facts.tsx'
import { useFactPages } from '../parts/more.tsx'
import { Line } from '../parts/small-charts.tsx'
import { Note, PartNote, Shown } from '../parts/states.tsx'
import { SearchAgain } from '../shell/search.tsx'
import { MarketTable } from './market-table.tsx'
import { Figure } from './pool.tsx'
import { TokenDistribution } from './token-distribution.tsx'

type TokenAnswer = Get<'/api/v3/analytics/tokens/{tokenId}'>
type TokenHolders = Get<'/api/v3/explore/token/{tokenId}'>

const REFRESH_MS = 10_000
/** Width of a part's bar, points. */
const MAX_POINTS = 20

export function TokenPage({ id }: { id: string }) {
  const answer = useAnswer<TokenAnswer>(chain.value, `/api/v3/analytics/tokens/${id}?window=24h`, REFRESH_MS, {
    isTimed: true,
  })
  // The figures are asked for before the page is drawn again.
  const priced = useTokenPulse(chain.value, id, answer.again)
  // Each trade moves the token: volumes change also where its price does not.
  const updates = useFactUpdates(chain.value, `token=${id}`)
  useAgain(answer, updates)
  if (answer.state === 'missing') return <Untraded id={id} updates={updates} />
  return (
    <Shown answer={answer} what="this token" lines={10}>
      {(value) => <Loaded answer={value} updates={updates} priced={priced} askedAt={answer.askedAt} />}
    </Shown>
  )
}

/** A token whose balances are watched, and that no market has. */
function Untraded({ id, updates }: { id: string; updates: FactUpdates }) {
  const answer = useHolders(id, updates)
  return (
    <Shown answer={answer} what="this token" lines={10} missing={<SearchAgain />}>
      {({ token }) => (
        <>
          <div class="heading market-head">
            <span class="marks">
              <TokenMark key={id} id={id} symbol={token.symbol} />
            </span>
            <h1 tabIndex={-1}>{token.symbol}</h1>
            <span class="quiet">
              <Account name={token.contract} /> <Copy text={id} what="token id" />
            </span>
          </div>
          <Note title="No market trades this token" />
          <Panel title="Largest holders" id="holders-title" isLow>
            <Holders answer={answer} />
          </Panel>
          {areKnown(answer) ? <TokenDistribution id={id} /> : null}
          <Transfers id={id} updates={updates} />
        </>
      )}
    </Shown>
  )
}

interface LoadedProps {
  answer: TokenAnswer
  updates: FactUpdates
  /** Changes of the price. */
  priced: Pulse
  askedAt: number
}

function Loaded({ answer: { token, pools, spotPairs }, updates, priced, askedAt }: LoadedProps) {
  const holders = useHolders(token.id, updates)
  const of = chain.value as string
  useTitle(`${token.symbol} (${token.contract})`)
  const sorting = sortingOf(query.value.get('sort'), 'liquidity')
  const rows = sorted(
    [...pools.map((pool) => poolRow(of, pool)), ...spotPairs.map((pair) => pairRow(of, pair))],
    sorting,
  )
  return (
    <>
      <div class="heading market-head">
        <span class="marks">
          <TokenMark key={token.id} id={token.id} symbol={token.symbol} />
        </span>
        <h1 tabIndex={-1}>{token.symbol}</h1>
        <span class="quiet">
          <Account name={token.contract} /> <Copy text={token.id} what="token id" />
        </span>
        <div class="figures">
          <strong class="big" data-is="price">
            <UsdPrice value={token.price?.usd} />
          </strong>
          <Figure name="24h">
            <Change percent={token.price?.usd ? token.price.change24h : null} />
          </Figure>
          <Figure name="Volume 24h">
            <Usd value={knownVolume({ ...token.volume, usd: token.volume.total })} />
          </Figure>
          <Figure name="Liquidity">
            <Usd value={token.liquidity.tvl} />
          </Figure>
          <Figure name="Holders">{count(token.holders?.count)}</Figure>
        </div>
      </div>
      <div class="two-columns">
        <Panel title="About" id="about-title" isLow>
          <Facts
            rows={[
              ['Contract', <Account name={token.contract} />],
              ['Symbol', `${token.decimals},${token.symbol}`],
              token.createdAt === null || token.createdAt === undefined
                ? null
                : ['First seen', <When at={token.createdAt} />],
              ['Pools', count(token.pairs.pools)],
              ['Order books', count(token.pairs.spots)],
              ['Trades 24h', count(token.tx.total)],
              ['Locked liquidity', lockedText(token.liquidity.locked)],
            ]}
          />
        </Panel>
        <Panel title="Score" id="score-title" isLow>
          <Score id={token.id} />
        </Panel>
      </div>
      <div class="two-columns">
        <Panel title="Price, last week" id="prices-title" isLow>
          <Prices id={token.id} symbol={token.symbol} priced={priced} />
        </Panel>
        <Panel title="Largest holders" id="holders-title" isLow>
          <Holders answer={holders} />
        </Panel>
      </div>
      <Panel title="Markets" id="markets-title">
        {rows.length === 0 ? (
          <Note title="No market trades this token" />
        ) : (
          <MarketTable
            rows={rows}
            askedAt={askedAt}
            sorting={sorting}
            withChain={false}
            onSort={(one) => setQuery({ sort: sortingText(one) })}
          />
        )}
      </Panel>
      {areKnown(holders) ? <TokenDistribution id={token.id} /> : null}
      <Transfers id={token.id} updates={updates} />
    </>
  )
}

function lockedText(locked: TokenAnswer['token']['liquidity']['locked']): string {
  if (locked === null || locked === undefined) return '–'
  return `${usd(locked.usd)} in ${count(locked.positions)} ${locked.positions === 1 ? 'position' : 'positions'} (${percent(locked.share)})`
}

const WEEK_HOURS = 168
/** Interval of answers that change with each hour, milliseconds. */
const HOURLY_MS = 60_000

function Prices({ id, symbol, priced }: { id: string; symbol: string; priced: Pulse }) {
  const answer = useAnswer<Get<'/api/v3/explore/token/{tokenId}/prices'>>(
    chain.value,
    `/api/v3/explore/token/${id}/prices?limit=${WEEK_HOURS}`,
    HOURLY_MS,
  )
  useAgainLater(answer, priced)
  return (
    <Shown answer={answer} what="the price history of this token" lines={4}>
      {({ hours }) => {
        const prices = hours.flatMap(({ priceUsd }) => (priceUsd === null ? [] : [Number(priceUsd)]))
        if (prices.length < 2) return <Note title="Not known">The prices of less than two hours are known.</Note>
        return (
          <figure class="history">
            <Line values={prices} label={`Price of ${symbol} in US dollars by hour`} />
            <figcaption class="quiet">
              <span>low {usdPrice(Math.min(...prices))}</span>
              <span>high {usdPrice(Math.max(...prices))}</span>
            </figcaption>
          </figure>
        )
      }}
    </Shown>
  )
}

/** Supply and largest holders, renewed with each transfer. */
function useHolders(id: string, updates: FactUpdates): Answer<TokenHolders> {
  const answer = useAnswer<TokenHolders>(chain.value, `/api/v3/explore/token/${id}`, REFRESH_MS)
  useAgain(answer, updates)
  return answer
}

/** Whether the balances are watched. */
const areKnown = ({ value }: Answer<TokenHolders>) => (value?.top?.length ?? 0) > 0

function Holders({ answer }: { answer: Answer<TokenHolders> }) {
  return (
    <Shown answer={answer} what="the holders of this token" lines={4}>
      {({ top, complete }) =>
        top === null || top.length === 0 ? (
          <Note title="Not known">The balances of this token are not watched.</Note>
        ) : (
          <>
            <PartNote isWhole={complete} />
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col" class="end">
                    Amount
                  </th>
                  <th scope="col" class="end">
                    Share
                  </th>
                  <th scope="col" class="end">
                    Value
                  </th>
                </tr>
              </thead>
              <tbody>
                {top.map(({ account, amount, share, valueUsd }) => (
                  <tr key={account}>
                    <td>
                      <Account name={account} />
                    </td>
                    <td class="end">
                      <Amount exact={amount} />
                    </td>
                    <td class="end">
                      <Percent value={share === null ? null : inPercent(share)} />
                    </td>
                    <td class="end">
                      <Usd value={valueUsd} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {top.some(({ share }) => share === null) ? null : (
              <p class="quiet note-line">
                Together {percent(top.reduce((sum, { share }) => sum + Number(share), 0) * 100)} of the supply
              </p>
            )}
          </>
        )
      }
    </Shown>
  )
}

type TransfersAnswer = Get<'/api/v3/explore/token/{tokenId}/transfers'>
const TRANSFERS = 25

function Transfers({ id, updates }: { id: string; updates: FactUpdates }) {
  const path = `/api/v3/explore/token/${id}/transfers?limit=${TRANSFERS}`
  const answer = useAnswer<TransfersAnswer>(chain.value, path, intervalOf(updates))
  useAgain(answer, updates)
  useFinality(chain.value, answer, answer.value?.facts ?? [])
  return (
    <Panel title="Transfers" id="transfers-title">
      <Shown answer={answer} what="the transfers of this token" lines={8}>
        {(first) => <TransferPages first={first} path={path} updates={updates} />}
      </Shown>
    </Panel>
  )
}

function TransferPages({ first, path, updates }: { first: TransfersAnswer; path: string; updates: FactUpdates }) {
  const more = useFactPages<TransfersAnswer>(chain.value, path, first, updates)
  // The message of a block comes before the answer that it asks for.
  const fresh = updates.fresh.filter(({ dataset }) => dataset === 'transfers')
  const facts = withFresh<Fact, TransfersAnswer>(more.pages, fresh).flatMap((page) => page.facts)
  if (facts.length === 0) return <Note title="No transfers">No transfer of this token is indexed.</Note>
  return (
    <>
      <FactTable facts={facts} place="time" />
      {more.button}
    </>
  )
}

type ScoreAnswer = Get<'/api/v2/tokens/{tokenId}/score'>

/** The total and its parts. */
function Score({ id }: { id: string }) {
  const answer = useAnswer<ScoreAnswer>(chain.value, `/api/v2/tokens/${id}/score`, HOURLY_MS)
  return (
    <Shown answer={answer} what="the score of this token" lines={4}>
      {({ score, components, updatedAt }) => {
        const parts = Object.entries(components ?? {}).filter(
          (part): part is [string, number] => typeof part[1] === 'number',
        )
        return (
          <>
            <p class="score">
              <strong>{count(score)}</strong> <span class="quiet">of 100</span>
            </p>
            <ul class="score-parts">
              {parts.map(([name, points]) => (
                <li key={name}>
                  <span>{`${name.charAt(0).toUpperCase()}${name.slice(1)}`}</span>
                  <meter min={0} max={MAX_POINTS} value={points} aria-label={`${name}: ${points} points`} />
                  <span class="amount">{points.toFixed(1)}</span>
                </li>
              ))}
            </ul>
            {updatedAt == null ? null : (
              <p class="quiet note-line">
                Computed <When at={updatedAt} />
              </p>
            )}
          </>
        )
      }}
    </Shown>
  )
}
