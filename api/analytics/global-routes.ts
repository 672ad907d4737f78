// Statistics of the whole exchange by hours (v2).

import { Type } from 'typebox'
import { perObject } from '../../core/cache.ts'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { answerOfBlock, Json } from './answer.ts'
import { historyOf } from './hour-history.ts'
import { type Bucket, DAY, HOUR, hourOf, type Sums } from './hours.ts'

const tags = ['Analytics']
const PERIODS = { '1D': DAY, '1W': 7 * DAY, '1M': 30 * DAY } as const

const Num = (description: string) => Type.Number({ description })

const Stats = Type.Object({
  _id: Type.String({ description: 'The chain; of a point its start, ISO 8601.' }),
  totalValueLocked: Num('USD in pools and open orders.'),
  swapValueLocked: Num('USD in pools.'),
  spotValueLocked: Num('USD in open orders.'),
  swapTradingVolume: Num('USD of swaps.'),
  spotTradingVolume: Num('USD of deals.'),
  totalTradingVolume: Num('USD of both.'),
  swapFees: Num('USD.'),
  spotFees: Num('USD.'),
  dailyActiveUsers: Num('Distinct accounts in a day, on average over the period.'),
  swapTransactions: Num('Swaps.'),
  spotTransactions: Num('Deals.'),
  totalLiquidityPools: Num('Pools.'),
  totalSpotPairs: Num('Order-book markets.'),
})

const Volume = Type.Object({
  start_time: Num('As asked.'),
  end_time: Num('As asked.'),
  volume: Num('USD.'),
  fees: Num('USD.'),
  swapVolume: Num('USD.'),
  spotVolume: Num('USD.'),
  swapFees: Num('USD.'),
  spotFees: Num('USD.'),
  buckets: Num('Hours that lie wholly in the range and are over: 24 for a full day.'),
})

export function globalRoutes(api: Api): void {
  statsRoute(api)
  volumeRoute(api)
  chartRoute(api)
}

function statsRoute(api: Api): void {
  api.get(
    '/api/v2/analytics/global',
    {
      schema: {
        tags,
        summary: 'The exchange over a period of whole hours',
        querystring: Type.Object({
          resolution: Type.Optional(
            Type.String({ description: 'Period: 1D (the default, also for anything else), 1W or 1M.' }),
          ),
        }),
        response: { 200: Stats },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { history, state } = await historyOf(request.chain)
        const { resolution = '1D' } = request.query
        const before = hourOf(state.at.time)
        const length = Object.hasOwn(PERIODS, resolution) ? PERIODS[resolution as keyof typeof PERIODS] : DAY
        const answer = history.ofEnded(`${length} before ${before}`, () =>
          Json.of(stats(request.chain.chain, history.period({ from: before - length, before }))),
        )
        return { at: state.at, answer }
      }),
  )
}

function volumeRoute(api: Api): void {
  api.get(
    '/api/v2/analytics/volume',
    {
      schema: {
        tags,
        summary: 'Volume and fees of the whole hours of a range',
        querystring: Type.Object({
          start_time: Type.Number({ description: 'Unix seconds.' }),
          end_time: Type.Number({ description: 'Unix seconds, later than the start.' }),
        }),
        response: { 200: Volume },
      },
    },
    async (request, reply) => {
      const { start_time: start, end_time: end } = request.query
      if (start >= end || start < 0 || end > LATEST)
        throw new HttpError(400, 'start_time must be before end_time, both in Unix seconds')
      return answerOfBlock(request, reply, async () => {
        const { history, state } = await historyOf(request.chain)
        // Hours that lie entirely in the range.
        const range = { from: Math.ceil((start * 1000) / HOUR) * HOUR, before: hourOf(end * 1000) }
        const { volume, fees, swapVolume, spotVolume, swapFees, spotFees, buckets } = history.period(range)
        const sums = { volume, fees, swapVolume, spotVolume, swapFees, spotFees, buckets }
        return { at: state.at, answer: { start_time: start, end_time: end, ...sums } }
      })
    },
  )
}

function chartRoute(api: Api): void {
  api.get(
    '/api/v2/analytics/charts',
    {
      schema: {
        tags,
        summary: 'The exchange hour by hour, or day by day, oldest first',
        querystring: Type.Object({
          resolution: Type.Enum(['1D', '1W', '1M', 'ALL'], { description: 'Period of hours; ALL: every day.' }),
        }),
        response: { 200: Type.Array(Stats) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { history, state } = await historyOf(request.chain)
        const { resolution } = request.query
        const before = hourOf(state.at.time)
        const from = resolution === 'ALL' ? 0 : before - PERIODS[resolution]
        const answer = history.ofEnded(`${resolution} before ${before}`, () => {
          const points = history.buckets({ from, before }, resolution === 'ALL' ? DAY : HOUR, true)
          return new Json(Json.list(points.map(pointJson)).bytes())
        })
        return { at: state.at, answer }
      }),
  )
}

/** Later than the time of any block. */
const LATEST = Date.UTC(9999, 0, 1) / 1000

/** Points of counted hours are the same objects at every block, so their JSON is cached by object. */
const pointJson = perObject((point: Bucket) =>
  Buffer.from(JSON.stringify(stats(new Date(point.t).toISOString(), point))),
)

function stats(id: string, found: Sums) {
  return {
    _id: id,
    totalValueLocked: found.locked ?? 0,
    swapValueLocked: found.swapLocked ?? 0,
    spotValueLocked: found.spotLocked ?? 0,
    swapTradingVolume: found.swapVolume,
    spotTradingVolume: found.spotVolume,
    totalTradingVolume: found.volume,
    swapFees: found.swapFees,
    spotFees: found.spotFees,
    dailyActiveUsers: found.users,
    swapTransactions: found.swapTrades,
    spotTransactions: found.spotTrades,
    totalLiquidityPools: found.pools ?? 0,
    totalSpotPairs: found.markets ?? 0,
  }
}
