// Charts of the whole exchange (v3).
import { Type } from 'typebox'
import { answerAt } from '../exchange/answer.ts'
import { keepAnswer } from '../exchange/kept-answers.ts'
import { marketOf } from '../exchange/parameters.ts'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import {
  chartPoints,
  chartSeries,
  countBuckets,
  firstBucket,
  MOST_POINTS,
  RESOLUTIONS,
  type Resolution,
  SERIES,
} from './chart.ts'
import { readBuckets } from './hours.ts'
import { Meta, metaOf, Window, windowOf } from './meta.ts'

const tags = ['Analytics']
const Value = Type.Number({ description: 'USD.' })
const Series = Type.Array(Type.Object({ t: Type.String({ description: 'Start, ISO 8601.' }), v: Value }))

export const Charts = Type.Object(Object.fromEntries(SERIES.map((name) => [name, Series])))
export const ChartItems = Type.Array(
  Type.Object({
    t: Type.String({ description: 'Start of the point, ISO 8601.' }),
    ...Object.fromEntries(SERIES.map((name) => [name, Value])),
  }),
)

export function chartRoutes(api: Api): void {
  api.get(
    '/api/v3/analytics/global/charts',
    {
      schema: {
        tags,
        summary: 'TVL, volume and fees of the exchange, bucket by bucket, oldest first',
        querystring: Type.Object({
          window: Window,
          resolution: Type.Optional(
            Type.String({ description: '1h, 4h, 1d (the default, also for anything else) or 1w.' }),
          ),
        }),
        response: { 200: Type.Object({ meta: Meta, charts: Charts, items: ChartItems }) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { at, since } = marketOf(request.chain)
      const window = windowOf(request.query.window)
      const length = RESOLUTIONS[resolutionOf(request.query.resolution)]
      const from = firstBucket(window, length, at.time, since)
      const count = countBuckets(from, length, at.time)
      if (count > MOST_POINTS)
        throw new HttpError(
          400,
          `${count} points are more than ${MOST_POINTS}: take a shorter window or longer buckets`,
        )
      return keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const range = { from, before: at.time + 1 }
          const page = answerAt(request, reply, await readBuckets(pool, chain, range, length))
          if (page === null) return null
          const items = chartPoints(page.rows, from, length, at.time)
          return Buffer.from(JSON.stringify({ meta: metaOf(request.chain, window), charts: chartSeries(items), items }))
        },
      )
    },
  )
}

function resolutionOf(text: string | undefined): Resolution {
  return text !== undefined && Object.hasOwn(RESOLUTIONS, text) ? (text as Resolution) : '1d'
}
