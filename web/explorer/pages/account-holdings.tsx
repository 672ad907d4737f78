import { grouped, price } from '../core/numbers.ts'
import { repeatedSymbols } from '../core/repeated.ts'
import { to } from '../data/place.ts'
import type { AccountAnswer } from '../data/types.ts'
import { Amount, Scroll, TokenMark, Usd, When } from '../parts/basics.tsx'
import { Note, PartNote } from '../parts/states.tsx'

export function AccountHoldings({ account: { balances, orders, truncated, complete } }: { account: AccountAnswer }) {
  const repeated = repeatedSymbols(balances.map(({ token }) => token.symbol))
  return (
    <>
      <PartNote isWhole={complete} />
      {balances.length === 0 ? (
        <Note title="No balances of watched tokens" />
      ) : (
        <Scroll label="balances">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Token</th>
                <th scope="col" class="end">
                  Balance
                </th>
                <th scope="col" class="end">
                  Value
                </th>
              </tr>
            </thead>
            <tbody>
              {balances.map(({ token, amount, valueUsd }) => (
                <tr key={token.id}>
                  <th scope="row">
                    <a class="market small" href={to('token', token.id)}>
                      <TokenMark id={token.id} symbol={token.symbol} /> {token.symbol}{' '}
                      {repeated.has(token.symbol) ? (
                        <small class="quiet">{token.id.slice(token.id.indexOf('-') + 1)}</small>
                      ) : null}
                    </a>
                  </th>
                  <td class="end">
                    <Amount exact={amount} />
                  </td>
                  <td class="end">
                    <Usd value={valueUsd} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {orders.length === 0 ? null : (
        <Scroll label="open orders">
          <table class="list">
            <caption>Open orders</caption>
            <thead>
              <tr>
                <th scope="col">Market</th>
                <th scope="col">Side</th>
                <th scope="col" class="end">
                  Price
                </th>
                <th scope="col" class="end">
                  Offered
                </th>
                <th scope="col" class="end">
                  Placed
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map(({ market, id, side, base, target, price: at, offered, placed }) => (
                <tr key={`${market} ${id}`}>
                  <td>
                    <a href={to('market', market)}>
                      {base.symbol}/{target.symbol}
                    </a>
                  </td>
                  <td class={side === 'buy' ? 'up' : 'down'}>{side === 'buy' ? 'Buy' : 'Sell'}</td>
                  <td class="end amount" title={grouped(at)}>
                    {price(at)}
                  </td>
                  <td class="end">
                    <Amount
                      exact={offered.amount}
                      symbol={offered.token.slice(0, offered.token.indexOf('-')).toUpperCase()}
                    />
                  </td>
                  <td class="end nowrap">
                    <When at={placed} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {truncated ? <p class="quiet note-line">Only the first entries are shown: this account has very many.</p> : null}
    </>
  )
}
