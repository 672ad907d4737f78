// Traffic of both profiles: all kinds of actions occur, hardly any transaction fails, the same seed gives the same.
import t from 'tap'
import { buildExchange } from '../../../devnet/contracts/exchange.ts'
import type { Profile } from '../../../devnet/contracts/profile.ts'
import { telosProfile, waxProfile } from '../../../devnet/contracts/profile.ts'
import { Trader } from '../../../devnet/contracts/trader.ts'
import { Random } from '../../../devnet/random.ts'
import { seedFromEnvironment } from '../../support/random.ts'
import { Ledger } from './ledger.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

function trade(profile: Profile, seed: number, minutes: number) {
  const exchange = buildExchange(profile)
  const ledger = new Ledger(exchange.contracts)
  const errors: string[] = []
  const names = new Map<string, number>()
  let done = 0
  for (const calls of exchange.genesis) {
    const { error } = ledger.push(calls, START)
    if (error !== null) throw new Error(`genesis: ${error}`)
  }
  const trader = new Trader(profile, new Random(`trader/${seed}`))
  for (let minute = 0; minute < minutes; minute++) {
    const now = START + minute * 60_000
    for (const calls of trader.next(now, (account) => ledger.tables(account), { rate: 0.03, quoteInterval: 300_000 })) {
      const outcome = ledger.push(calls, now)
      if (outcome.error !== null) errors.push(outcome.error)
      else {
        done++
        for (const { name } of outcome.traces) names.set(name, (names.get(name) ?? 0) + 1)
      }
    }
  }
  return { done, errors, names, sequence: ledger.state.globalSequence }
}

const COMMON = ['logswap', 'logmint', 'logburn', 'logcollect', 'buymatch', 'sellmatch', 'buyreceipt', 'cancelsell']

for (const profile of [waxProfile, telosProfile]) {
  t.test(`${profile.name}: two days of traffic`, async (t) => {
    const seed = seedFromEnvironment()
    const run = trade(profile, seed, 2880)
    t.ok(run.done > 3_000, `${run.done} transactions`)
    t.ok(run.errors.length * 200 < run.done, `HEADWATER_SEED=${seed} failures: ${[...new Set(run.errors)].join('; ')}`)
    for (const name of COMMON) t.ok(run.names.has(name), `${name} occurs`)
  })
}

t.test('the same seed gives the same traffic', async (t) => {
  t.equal(trade(waxProfile, 5, 120).sequence, trade(waxProfile, 5, 120).sequence)
})

t.test('a state that is set again leads to the same transactions again', async (t) => {
  const exchange = buildExchange(waxProfile)
  const ledger = new Ledger(exchange.contracts)
  for (const calls of exchange.genesis) ledger.push(calls, START)
  const trader = new Trader(waxProfile, new Random('again'))
  const next = (minute: number) =>
    trader.next(START + minute * 60_000, (account) => ledger.tables(account), { rate: 0.1, quoteInterval: 300_000 })
  for (let minute = 0; minute < 10; minute++) next(minute)
  const { state } = trader
  const first = [next(10), next(17), next(18)]
  t.not(first[1]!.length, 0)
  trader.state = state
  t.same([next(10), next(17), next(18)], first)
  t.notSame(trader.state, state)
})
