// Simulated traffic of both profiles: every kind of action occurs, few transactions fail, the same seed gives the same.
import t from 'tap'
import type { Asset } from '../../../core/antelope/asset.ts'
import { tokenId } from '../../../core/price/token-id.ts'
import { amountOf, buildExchange } from '../../../devnet/contracts/exchange.ts'
import type { Profile } from '../../../devnet/contracts/profile.ts'
import { telosProfile, waxProfile } from '../../../devnet/contracts/profile.ts'
import type { Tables } from '../../../devnet/contracts/trader/view.ts'
import { Trader } from '../../../devnet/contracts/trader.ts'
import { Random } from '../../../devnet/random.ts'
import { seedFromEnvironment } from '../../support/random.ts'
import { Ledger } from './ledger.ts'
import { routerOf } from './router-of.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

interface Deal {
  name: string
  record: { ask: Asset; bid: Asset; unit_price: bigint }
}

/** Price of a deal (target per base) divided by the price of the resting order. */
function priceShare({ name, record: { ask, bid, unit_price } }: Deal): number {
  const [base, target] = name === 'buymatch' ? [ask, bid] : [bid, ask]
  const whole = ({ amount, precision }: Asset) => Number(amount) / 10 ** precision
  return whole(target) / whole(base) / (Number(unit_price) / 1e8)
}

/** @param watch  called every four simulated hours */
function trade(profile: Profile, seed: number, minutes: number, slack: number, watch?: (tables: Tables) => void) {
  const exchange = buildExchange(profile)
  const ledger = new Ledger(exchange.contracts)
  const errors: string[] = []
  const names = new Map<string, number>()
  const deals: Deal[] = []
  let done = 0
  for (const calls of exchange.genesis) {
    const { error } = ledger.push(calls, START)
    if (error !== null) throw new Error(`genesis: ${error}`)
  }
  const trader = new Trader(profile, new Random(`trader/${seed}`))
  const tables: Tables = (account) => ledger.tables(account)
  for (let minute = 0; minute < minutes; minute++) {
    const now = START + minute * 60_000
    for (const calls of trader.next(now, tables, { rate: 0.021, quoteInterval: 300_000, slack })) {
      const outcome = ledger.push(calls, now)
      if (outcome.error !== null) errors.push(outcome.error)
      else {
        done++
        for (const { name, data } of outcome.traces) {
          names.set(name, (names.get(name) ?? 0) + 1)
          if (name === 'buymatch' || name === 'sellmatch') deals.push({ name, ...(data as Pick<Deal, 'record'>) })
        }
      }
    }
    if (minute % 240 === 239) watch?.(tables)
  }
  return { done, errors, names, deals, sequence: ledger.state.globalSequence }
}

const COMMON = ['logswap', 'logmint', 'logburn', 'logcollect', 'buymatch', 'sellmatch', 'buyreceipt', 'cancelsell']

for (const profile of [waxProfile, telosProfile]) {
  t.test(`${profile.name}: two days of traffic`, async (t) => {
    const seed = seedFromEnvironment()
    const run = trade(profile, seed, 2880, 0.004)
    t.ok(run.done > 3_000, `${run.done} transactions`)
    t.ok(run.errors.length * 200 < run.done, `HEADWATER_SEED=${seed} failures: ${[...new Set(run.errors)].join('; ')}`)
    for (const name of COMMON) t.ok(run.names.has(name), `${name} occurs`)
    t.ok(run.deals.length > 100, `${run.deals.length} deals`)
    const odd = run.deals.filter((deal) => Math.abs(priceShare(deal) - 1) > 0.005)
    t.equal(odd.length, 0, 'every deal is at the price of the order that it took')
  })
}

for (const profile of [waxProfile, telosProfile])
  t.test(`${profile.name}: a trade there and back never gains`, async (t) => {
    const seed = seedFromEnvironment()
    let trips = 0
    const gains: string[] = []
    trade(profile, seed, 1440, 0, (tables) => {
      const router = routerOf(tables)
      for (const from of profile.tokens)
        for (const to of profile.tokens) {
          const [input, output] = [from, to].map(({ code, contract }) => tokenId(code, contract)) as [string, string]
          const amount = amountOf(from, 5 / from.usd).amount
          const there = router.exactIn({ input, output, amount })
          const back = there && router.exactIn({ input: output, output: input, amount: there.output })
          if (!back) continue
          trips++
          if (back.output > amount) gains.push(`${amount} ${input} over ${output}: ${back.output}`)
        }
    })
    t.ok(trips > 200, `${trips} trips`)
    t.same(gains, [], `HEADWATER_SEED=${seed}`)
  })

t.test('the same seed gives the same traffic', async (t) => {
  t.equal(trade(waxProfile, 5, 120, 0).sequence, trade(waxProfile, 5, 120, 0).sequence)
})

t.test('the same state leads to the same transactions again', async (t) => {
  const exchange = buildExchange(waxProfile)
  const ledger = new Ledger(exchange.contracts)
  for (const calls of exchange.genesis) ledger.push(calls, START)
  const trader = new Trader(waxProfile, new Random('again'))
  const pace = { rate: 0.1, quoteInterval: 300_000, slack: 0 }
  const next = (minute: number) => [...trader.next(START + minute * 60_000, (account) => ledger.tables(account), pace)]
  for (let minute = 0; minute < 10; minute++) next(minute)
  const { state } = trader
  const first = [next(10), next(17), next(18)]
  t.not(first[1]!.length, 0)
  trader.state = state
  t.same([next(10), next(17), next(18)], first)
  t.notSame(trader.state, state)
})
