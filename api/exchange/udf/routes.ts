// Endpoints for charting libraries, with the same candles as the other endpoints.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { RESOLUTIONS } from '../../../core/candles/resolution.ts'
import { fail } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { marketOf } from '../../kit/parameters.ts'
import { readHistory, resolutionOf } from './history.ts'
import { Found, HistoryQuery, SearchQuery, SymbolQuery, UdfConfig, UdfHistory, UdfSymbol } from './schema.ts'
import { currencyOf, findSymbol, namesOf, priceScale, searchSymbols } from './symbols.ts'

const tags = ['Charts']
const path = '/api/v3/udf'
const TYPE = 'crypto'
const FOUND = 30
const MAX_FOUND = 100
const MINUTES = RESOLUTIONS.filter((resolution) => /^\d+$/.test(resolution))

export function udfRoutes(api: Api): void {
  settingsRoutes(api)
  symbolRoutes(api)

  api.get(
    `${path}/history`,
    {
      errorHandler: refuseInput,
      schema: { tags, summary: 'Bars of a symbol', querystring: HistoryQuery, response: { 200: UdfHistory } },
    },
    async (request, reply) => {
      const { symbol, resolution: name, ...range } = request.query
      const resolution = resolutionOf(name)
      if (resolution === null) return refuse(reply, 400, `resolution must be one of ${RESOLUTIONS.join(', ')}`)
      const listed = findSymbol(marketOf(request.chain), symbol)
      if (listed === null) return unknown(reply, symbol)
      const read = answerAt(request, reply, await readHistory(request.chain, listed, { resolution, ...range }))
      return read === null ? reply : read.history
    },
  )
}

function settingsRoutes(api: Api): void {
  api.get(
    `${path}/config`,
    {
      config: { withoutMarket: true },
      schema: { tags, summary: 'What charts can ask for', response: { 200: UdfConfig } },
    },
    () => ({
      supported_resolutions: [...RESOLUTIONS],
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      exchanges: [
        { value: '', name: 'All', desc: 'Pools and order books' },
        { value: 'amm', name: 'AMM', desc: 'Pools' },
        { value: 'spot', name: 'Spot', desc: 'Order books' },
      ],
      symbols_types: [{ name: 'Crypto', value: TYPE }],
    }),
  )

  api.get(
    `${path}/time`,
    {
      schema: {
        tags,
        summary: 'Time of the last block, Unix seconds',
        response: { 200: Type.Integer({ description: 'Unix seconds.' }) },
      },
    },
    (request) => Math.floor(marketOf(request.chain).at.time / 1000),
  )
}

function symbolRoutes(api: Api): void {
  api.get(
    `${path}/symbols`,
    {
      errorHandler: refuseInput,
      schema: {
        tags,
        summary: 'What a chart needs to know of a symbol',
        querystring: SymbolQuery,
        response: { 200: UdfSymbol },
      },
    },
    (request, reply) => {
      const listed = findSymbol(marketOf(request.chain), request.query.symbol)
      if (listed === null) return unknown(reply, request.query.symbol)
      const { symbol, ticker, description, exchange } = namesOf(listed)
      const currency = currencyOf(listed)
      return {
        name: symbol,
        ticker,
        description,
        type: TYPE,
        session: '24x7',
        timezone: 'Etc/UTC',
        exchange,
        listed_exchange: exchange,
        format: 'price',
        minmov: 1,
        pricescale: priceScale(listed),
        has_intraday: true,
        has_daily: true,
        has_weekly_and_monthly: true,
        intraday_multipliers: MINUTES,
        supported_resolutions: [...RESOLUTIONS],
        currency_code: currency.symbol,
        volume_precision: currency.decimals,
        data_status: 'streaming',
      }
    },
  )

  api.get(
    `${path}/search`,
    {
      errorHandler: refuseInput,
      schema: {
        tags,
        summary: 'Symbols with a text in their names',
        querystring: SearchQuery,
        response: { 200: Found },
      },
    },
    (request) => {
      const { query = '', type, exchange, limit = FOUND } = request.query
      if (type !== undefined && type.toLowerCase() !== TYPE) return []
      const most = limit === 0 ? MAX_FOUND : Math.min(limit, MAX_FOUND)
      const wanted = { query, exchange: exchange?.toLowerCase(), limit: most }
      return searchSymbols(marketOf(request.chain), wanted).map((names) => ({
        ...names,
        full_name: `${names.exchange}:${names.ticker}`,
        type: TYPE,
      }))
    },
  )
}

function unknown(reply: FastifyReply, symbol: string): never {
  return refuse(reply, 404, `There is no symbol ${symbol}.`)
}

/** Requests that violate the schema get an error in the charts' format; other errors are left to the server. */
function refuseInput(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  if (error.validation === undefined) throw error
  refuse(reply, 400, error.message)
}

/** Refuses a request with the common error members and those that charts read. */
function refuse(reply: FastifyReply, statusCode: number, message: string): never {
  return fail(reply, statusCode, message, { s: 'error', errmsg: message }) as never
}
