// Cached chart texts, averages and sums equal freshly computed ones after each counted hour.
import t from 'tap'
import { WINDOWS, type WindowName } from '../../../api/analytics/chart.ts'
import { chartJson } from '../../../api/analytics/chart-json.ts'
import { HourHistory } from '../../../api/analytics/hour-history.ts'
import { addHour, DAY, HOUR, type Hour, NOTHING, type Traded, WEEK } from '../../../api/analytics/hours.ts'
import type { MarketState } from '../../../api/live-market/model.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const SINCE = Date.UTC(2026, 0, 1, 5)

function hoursOf(random: Random, count: number): Hour[] {
  return Array.from({ length: count }, (_, i) => {
    const isKnown = random.chance(0.8)
    const [swapLocked, spotLocked] = isKnown ? [random.integer(0, 1e6), random.integer(0, 1e6)] : [null, null]
    return {
      t: SINCE + i * HOUR,
      over: true,
      swapVolume: random.bigint(10n ** 24n),
      swapFees: random.bigint(10n ** 21n),
      swapTrades: random.integer(0, 1000),
      swapsWithoutUsd: random.integer(0, 100),
      spotVolume: random.bigint(10n ** 24n),
      spotFees: random.bigint(10n ** 21n),
      spotTrades: random.integer(0, 1000),
      dealsWithoutUsd: random.integer(0, 100),
      swapLocked,
      spotLocked,
      locked: swapLocked === null || spotLocked === null ? null : swapLocked + spotLocked,
      pools: i,
      markets: i,
      users: random.integer(0, 500),
    }
  })
}

const nothingCounted = () => ({ whole: new Map(), settled: new Map(), ended: new Map() })

t.test('charts are the same, however many hours were counted and when', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const hours = hoursOf(random, 400)
  const kept = nothingCounted()
  const before = [NOTHING]
  for (const hour of hours) before.push(addHour(before.at(-1) as Traded, hour))
  for (let now = 1, counted = 0; now < hours.length; now += random.integer(1, 9)) {
    counted = Math.min(now, counted + random.integer(0, 12))
    // The hour in progress has trades, and no hour is over yet.
    const last = { ...(hours[now] as Hour), over: false, locked: null, swapLocked: null, spotLocked: null, users: null }
    const time = last.t + random.integer(0, HOUR - 1)
    const at = { block: now, id: String(now), time }
    const make = (maps: ReturnType<typeof nothingCounted>, known: number) =>
      new HourHistory(at, { counted: hours.slice(0, known), before: before.slice(0, known + 1), ...maps }, [
        ...hours.slice(known, now),
        last,
      ])
    const [lasting, fresh] = [make(kept, counted), make(nothingCounted(), 0)]
    const state = { at, since: SINCE } as MarketState
    for (const window of Object.keys(WINDOWS) as WindowName[])
      for (const length of [HOUR, 4 * HOUR, DAY, WEEK]) {
        const [one, other] = [chartJson(lasting, state, window, length), chartJson(fresh, state, window, length)]
        t.equal(`${one.items.bytes()}`, `${other.items.bytes()}`, `seed ${seed}, hour ${now}, ${window} by ${length}`)
        for (const [name, text] of Object.entries(one.series))
          t.equal(`${text.bytes()}`, `${other.series[name as keyof typeof other.series].bytes()}`, name)
      }
    const range = { from: SINCE + random.integer(0, now) * HOUR, before: time }
    const over = hours.slice(0, now).filter(({ t: start }) => start >= range.from)
    const wanted = over.length === 0 ? 0 : over.reduce((sum, hour) => sum + (hour.users as number), 0) / over.length
    t.equal(lasting.averageUsers(range), wanted)
    t.same(lasting.period(range), fresh.period(range))
    const sum = (name: 'swapVolume' | 'spotFees') => over.reduce((total, hour) => total + hour[name], 0n)
    t.match(lasting.period(range), {
      swapVolume: Number(`${sum('swapVolume')}e-18`),
      spotFees: Number(`${sum('spotFees')}e-18`),
      spotTrades: over.reduce((total, { spotTrades }) => total + spotTrades, 0),
      buckets: over.length,
      pools: over.at(-1)?.pools ?? null,
      swapLocked: over.findLast(({ locked }) => locked !== null)?.swapLocked ?? null,
    })
    t.equal(lasting.period({ from: range.before, before: range.from }).buckets, 0, 'a range the wrong way round')
    t.same(lasting.buckets(range, DAY, true), fresh.buckets(range, DAY, true))
  }
})
