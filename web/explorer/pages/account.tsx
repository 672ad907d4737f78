// An account: value, balances, positions, open orders, and everything that it did.
import { count } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain, useFactUpdates } from '../data/fact-stream.ts'
import { chain } from '../data/place.ts'
import type { AccountAnswer } from '../data/types.ts'
import { Copy, Panel, Usd } from '../parts/basics.tsx'
import { Shown } from '../parts/states.tsx'
import { AccountHoldings } from './account-holdings.tsx'
import { AccountPositions } from './account-positions.tsx'
import { AccountValue } from './account-value.tsx'
import { Activity } from './activity.tsx'

/** Prices change the values without a fact of the account. */
const REFRESH_MS = 10_000

export function AccountPage({ name }: { name: string }) {
  const answer = useAnswer<AccountAnswer>(chain.value, `/api/v3/explore/account/${name}`, REFRESH_MS)
  const updates = useFactUpdates(chain.value, `account=${name}`)
  useAgain(answer, updates)
  const totals = answer.value?.totals
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{name}</h1>
        <Copy text={name} what="account name" />
        <span class="quiet">account on {chain.value}</span>
      </div>
      {answer.state === 'unavailable' ? null : (
        <section class="tiles sums" aria-label="Totals">
          <Tile name="Total value" value={totals?.valueUsd} />
          <Tile name="Balances" value={totals?.balances.valueUsd} />
          <Tile name="Positions" value={totals?.positions.valueUsd} />
          <Tile name="Fees to collect" value={totals?.fees.valueUsd} />
          <Tile name="Open orders" value={totals?.orders.valueUsd} />
        </section>
      )}
      <p class="quiet sums-note">
        {totals === undefined || totals.unvalued === 0
          ? ' '
          : `The sums are of trusted tokens with a price: ${unvaluedText(totals.unvalued)}.`}
      </p>
      <AccountValue name={name} />
      <div class="two-columns holdings">
        <Panel title="Balances and orders" id="holdings-title">
          <Shown answer={answer} what="the balances and orders of this account" lines={4}>
            {(value) => <AccountHoldings account={value} />}
          </Shown>
        </Panel>
        <AccountPositions answer={answer} />
      </div>
      <Activity account={name} updates={updates} />
    </>
  )
}

function unvaluedText(some: number): string {
  if (some === 1) return 'one balance, position or order is not in them'
  return `${count(some)} balances, positions and orders are not in them`
}

function Tile({ name, value }: { name: string; value: string | null | undefined }) {
  return (
    <div class="tile">
      <span class="quiet">{name}</span>
      <strong>
        <Usd value={value} />
      </strong>
    </div>
  )
}
