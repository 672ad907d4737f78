// Charts of the whole exchange (v3).
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { marketOf } from '../kit/parameters.ts'
import { answerOfBlock, jsonOf } from './answer.ts'
import { countBuckets, firstBucket, MAX_POINTS, RESOLUTIONS, type Resolution, SERIES } from './chart.ts'
import { chartJson } from './chart-json.ts'
import { historyOf } from './hour-history.ts'
import { Meta, metaOf, Window, windowOf } from './meta.ts'

const tags = ['Analytics']
const Value = Type.Number({ description: 'USD.' })
const Series = Type.Array(Type.Object({ t: Type.String({ description: 'Start, ISO 8601.' }), v: Value }))

export const Charts = Type.Object(Object.fromEntries(SERIES.map((name) => [name, Series])))
export const ChartItems = Type.Array(
  Type.Object({
    t: Type.String({ description: 'Start of the point, ISO 8601.' }),
    ...Object.fromEntries(SERIES.map((name) => [name, Value])),
    withoutUsd: Type.Number({
      description: 'Trades whose USD value is not known: they are not in the volumes and fees.',
    }),
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
      const { chain: context } = request
      const window = windowOf(request.query.window)
      const length = RESOLUTIONS[resolutionOf(request.query.resolution)]
      const { at, since } = marketOf(context)
      const count = countBuckets(firstBucket(window, length, at.time, since), length, at.time)
      if (count > MAX_POINTS)
        throw new HttpError(400, `${count} points are more than ${MAX_POINTS}: take a shorter window or longer buckets`)
      return answerOfBlock(request, reply, async () => {
        const { history, state } = await historyOf(context)
        const { series, items } = chartJson(history, state, window, length)
        return { at: state.at, answer: { meta: metaOf(context, window), charts: jsonOf(series), items } }
      })
    },
  )
}

function resolutionOf(text: string | undefined): Resolution {
  return text !== undefined && Object.hasOwn(RESOLUTIONS, text) ? (text as Resolution) : '1d'
}
