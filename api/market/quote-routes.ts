// Endpoints that quote trades of a pair: price and depth.

import { mark, notModified } from '../http/freshness.ts'
import { sendJson } from '../http/json-text.ts'
import type { Api } from '../http/typed.ts'
import { LIMITS } from '../kit/limits.ts'
import { marketOf } from '../kit/parameters.ts'
import { tokenObject } from '../kit/token-object.ts'
import { midText } from '../kit/values.ts'
import type { TokenRef } from '../live-market/model.ts'
import { parseAmount } from './amount.ts'
import { cachedDepth, SLIPPAGE } from './depth.ts'
import { findToken, MarketRequestError } from './find.ts'
import { DEFAULT_LEVELS, parseLevels } from './levels.ts'
import { roundTrip } from './pair-price.ts'
import { answers, DepthAnswer, DepthQuery, PriceAnswer, PriceQuery } from './schema.ts'

const tags = ['Market API']

export function quoteRoutes(api: Api): void {
  api.get(
    '/api/v3/market/price',
    { schema: { tags, summary: 'The price of a pair', querystring: PriceQuery, response: answers(PriceAnswer) } },
    (request) => {
      const state = marketOf(request.chain)
      const base = findToken(state, request.query.base)
      const quote = findToken(state, request.query.quote)
      const answer = {
        block: state.at.block,
        base: tokenObject(base),
        quote: tokenObject(quote),
        mid: midText(state.prices, base.id, quote.id),
      }
      if (request.query.amount === undefined) return answer
      const amount = amountOf(request.query.amount, base)
      const { router } = request.chain
      const route = (from: TokenRef, to: TokenRef, raw: bigint) =>
        router.exactIn({ input: from.id, output: to.id, amount: raw, slippage: SLIPPAGE })
      return { ...answer, ...roundTrip(route, base, quote, amount) }
    },
  )

  api.get(
    '/api/v3/market/depth',
    {
      schema: {
        tags,
        summary: 'How much of a pair can be traded at levels of price impact',
        querystring: DepthQuery,
        response: answers(DepthAnswer),
      },
    },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const { impact = DEFAULT_LEVELS } = request.query
      const input = findToken(state, request.query.input)
      const output = findToken(state, request.query.output)
      if (input === output) throw new MarketRequestError(400, 'Input and output are the same token', SAME_RULE)
      const impacts = parseLevels(impact)
      if (impacts === null) throw new MarketRequestError(400, 'Invalid impact', IMPACT_RULE)
      const depth = await cachedDepth(request.chain, { input, output, impacts })
      if (mark(request, reply, depth.at)) return notModified(reply)
      return sendJson(reply, depth.text)
    },
  )
}

const IMPACT_RULE = `Levels are percent from 0 to 100, separated by commas, at most ${LIMITS.marketDepthLevels}: ${DEFAULT_LEVELS}.`
const SAME_RULE = 'A depth is of two different tokens.'

function amountOf(text: string, { id, decimals }: TokenRef): bigint {
  const amount = parseAmount(text, decimals)
  if (amount !== null) return amount
  const rule = `The amount is a number above 0 with at most ${decimals} decimals, which are those of ${id}.`
  throw new MarketRequestError(400, 'Invalid amount', rule)
}
