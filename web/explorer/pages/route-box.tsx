// What a trade would give now: path, price impact and guaranteed minimum of the router. Sends nothing.
import { amountField } from '../../shared/amounts.ts'
import { grouped, percent } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { chain, query, setQuery, to } from '../data/place.ts'
import type { Get } from '../data/types.ts'
import { Copy, Facts, Panel, Percent, Price } from '../parts/basics.tsx'

type Route = Get<'/api/v3/swapRouter/getRoute'>

interface Token {
  id: string
  symbol: string
  decimals: number
}

const REFRESH_MS = 5000

export function RouteBox({ tokens }: { tokens: readonly [Token, Token] }) {
  // In the address, so that a shared link has the same question.
  const isTurned = query.value.get('pays') === 'second'
  const text = query.value.get('amount') ?? ''
  const [input, output] = isTurned ? [tokens[1], tokens[0]] : tokens
  const { amount, full, problem } = amountField(text, input)
  const path =
    amount === null
      ? null
      : `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${input.id}&output=${output.id}&amount=${amount}`
  const { state, value, error } = useAnswer<Route>(chain.value, path, REFRESH_MS)
  return (
    <Panel title="Route a trade" id="route-title">
      <div class="route-form">
        <label>
          <span class="quiet">Pay {input.symbol}</span>
          <input
            class="field"
            inputMode="decimal"
            autocomplete="off"
            placeholder="0.0"
            maxLength={40}
            value={text}
            aria-invalid={problem !== null}
            aria-describedby="route-note"
            onInput={({ currentTarget }) => setQuery({ amount: currentTarget.value })}
          />
        </label>
        <button
          type="button"
          class="turn"
          onClick={() => setQuery({ pays: isTurned ? null : 'second' })}
          aria-label={`Pay ${output.symbol} instead`}
        >
          ⇅
        </button>
        <p class="receive" role="status">
          <span class="quiet">Receive {output.symbol}</span>
          <strong data-is="output">{path !== null && value !== null ? grouped(value.output.amount) : '–'}</strong>
        </p>
      </div>
      <p id="route-note" class="quiet note-line">
        {problem !== null
          ? problem
          : path !== null && state === 'missing'
            ? error
            : path !== null && value === null
              ? `Searching for the best path for ${full}…`
              : 'Quotes only: nothing is signed or sent.'}
      </p>
      {path === null || value === null || state === 'missing' ? null : <Quote route={value} pays={full} />}
    </Panel>
  )
}

/** @param pays  the amount as it was understood */
function Quote({ route, pays }: { route: Route; pays: string | null }) {
  const { input, output, priceImpact, routes } = route
  const symbolOf = (id: string) => id.slice(0, id.indexOf('-')).toUpperCase()
  return (
    <>
      <Facts
        rows={[
          ['You pay', pays],
          [
            'Price',
            <>
              <Price value={Number(output.amount) / Number(input.amount)} unit={output.symbol} /> {output.symbol}
            </>,
          ],
          ['Price impact', <Percent value={priceImpact} />],
          route.minReceived === undefined
            ? null
            : [
                'Guaranteed minimum',
                <>
                  {grouped(route.minReceived)} {output.symbol}{' '}
                  <Copy text={route.minReceived} what="guaranteed minimum" />
                </>,
              ],
        ]}
      />
      <ol class="paths" aria-label="Paths">
        {routes.map(({ percent: share, hops }, i) => (
          <li key={i}>
            <strong>{percent(share)}</strong> {symbolOf(hops[0]?.input ?? input.id)}
            {hops.map((hop, n) => (
              <span key={n}>
                {' → '}
                {hop.venue === 'amm' ? (
                  <a href={to('pool', String(hop.pool))}>pool {hop.pool}</a>
                ) : (
                  <a href={to('market', String(hop.market))}>book {hop.market}</a>
                )}
                {' → '}
                {symbolOf(hop.output)}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}
