// Endpoints of pool candles: by pool, or by pair, for its most valuable pool.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { bucketStart, type Resolution as ResolutionName } from '../../../core/candles/resolution.ts'
import { HttpError } from '../../http/failures.ts'
import { sendBytes } from '../../http/json-text.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { cachedAnswer } from '../../kit/answer-cache.ts'
import { type PoolCandleRequest, poolCandles, VOLUME_FIELDS, type VolumeField } from '../../kit/candles/pool-candles.ts'
import { PoolCandle, Resolution } from '../../kit/candles/schema.ts'
import { poolsOfPair } from '../../kit/find.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count, Flag, Moment, marketOf } from '../../kit/parameters.ts'
import { worthOf } from '../../kit/worth.ts'
import type { LivePool, MarketState } from '../../live-market/model.ts'

const tags = ['AMM pools']

const CandleQuery = {
  resolution: Resolution,
  from: Moment('Unix milliseconds; needs `to`. The first candle is the one that contains it.'),
  to: Moment('Unix milliseconds. The last candle is the one that contains it. Default: the block’s time.'),
  limit: Count(`Maximum number of candles; the newest are returned. Default and maximum ${LIMITS.candlesMost}.`),
  reverse: Flag('True: prices of B in A. Default: of A in B.'),
  volumeField: Type.Optional(
    Type.Enum([...VOLUME_FIELDS], {
      description: 'Unit of the volume. Default `volumeUSD`. For a pair, A is the token given as `tokenA`.',
    }),
  ),
}

interface CandleValues {
  resolution: ResolutionName
  from?: number
  to?: number
  limit?: number
  reverse?: boolean
  volumeField?: VolumeField
}

const PoolParams = Type.Object({
  poolId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Pool.' }),
})
const PairQuery = Type.Object({
  tokenA: Type.String({ description: 'Token id.' }),
  tokenB: Type.String({ description: 'Token id.' }),
  ...CandleQuery,
})
const PairCandles = Type.Object({
  candles: Type.Array(PoolCandle),
  poolId: Type.Number({ description: 'The most valuable active pool of the pair.' }),
  isReversed: Type.Boolean({ description: 'Whether the pool has the tokens in the other order.' }),
})

export function candleRoutes(api: Api): void {
  api.get(
    '/api/v2/swap/pools/:poolId/candles',
    {
      schema: {
        tags,
        summary: 'Candles of a pool, oldest first',
        params: PoolParams,
        querystring: Type.Object(CandleQuery),
        response: { 200: Type.Array(PoolCandle) },
      },
    },
    async (request, reply) => {
      const { poolId } = request.params
      const since = () => marketOf(request.chain).pools.get(poolId)?.changed ?? null
      const stretch = (time: number) => bucketStart(request.query.resolution, time)
      return cachedAnswer(request, reply, { since, stretch }, async () => {
        return candlesOf(request, reply, poolId, candleRequest(request.query))
      })
    },
  )

  api.get(
    '/api/v2/swap/candles',
    {
      schema: {
        tags,
        summary: 'Candles of a pair, from its deepest pool',
        querystring: PairQuery,
        response: { 200: PairCandles },
      },
    },
    async (request, reply) => {
      const { tokenA, tokenB, ...query } = request.query
      const pool = deepestPool(marketOf(request.chain), tokenA.toLowerCase(), tokenB.toLowerCase())
      if (pool === null) throw new HttpError(404, `There is no active pool of ${tokenA} and ${tokenB}.`)
      const isReversed = pool.a.id !== tokenA.toLowerCase()
      const wanted = candleRequest(query)
      const ofPool = isReversed ? reversed(wanted) : wanted
      const candles = await candlesOf(request, reply, pool.id, ofPool)
      if (candles === null) return reply
      const start = Buffer.from('{"candles":')
      const end = Buffer.from(`,"poolId":${pool.id},"isReversed":${isReversed}}`)
      return sendBytes(reply, Buffer.concat([start, candles, end]))
    },
  )
}

/** `from` is ignored without `to`. */
function candleRequest({ from, to, limit = 0, reverse = false, ...query }: CandleValues): PoolCandleRequest {
  return {
    resolution: query.resolution,
    from: to === undefined ? undefined : from,
    to,
    limit: limit === 0 ? LIMITS.candlesMost : Math.min(limit, LIMITS.candlesMost),
    reverse,
    volumeField: query.volumeField ?? 'volumeUSD',
  }
}

/** The request for a pool with the two tokens in the other order. */
function reversed(wanted: PoolCandleRequest): PoolCandleRequest {
  const volumeField = REVERSED_VOLUME[wanted.volumeField]
  return { ...wanted, reverse: !wanted.reverse, volumeField }
}

const REVERSED_VOLUME = { volumeA: 'volumeB', volumeB: 'volumeA', volumeUSD: 'volumeUSD' } as const

/** @returns the candles' JSON; null when the reply was already sent @throws HttpError 404 for a pool that never existed */
async function candlesOf(
  request: FastifyRequest,
  reply: FastifyReply,
  poolId: number,
  wanted: PoolCandleRequest,
): Promise<Buffer | null> {
  const { chain, pool } = request.chain
  const answer = await poolCandles(pool, chain, poolId, wanted)
  if (answer === null) throw new HttpError(404, `There is no pool ${poolId}.`)
  return answerAt(request, reply, answer)?.json ?? null
}

/** The most valuable active pool of a pair; the first of equal ones. */
function deepestPool(state: MarketState, x: string, y: string): LivePool | null {
  const pools = poolsOfPair(state, x, y).filter(({ active }) => active)
  return pools.sort(worthOf(state).byValue)[0] ?? null
}
