// Endpoints of a token: facts, holders, prices by hour.
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { significant } from '../../kit/digits.ts'
import { holdersAt } from '../../kit/holders.ts'
import { LIMITS } from '../../kit/limits.ts'
import { decimalText } from '../../kit/numbers.ts'
import { marketOf } from '../../kit/parameters.ts'
import { type MarkRow, markOf } from '../../kit/snapshot.ts'
import { tokenObject } from '../../kit/token-object.ts'
import { priceOf, rawValue, UNKNOWN } from '../../kit/values.ts'
import type { MarketState, TokenRef } from '../../live-market/model.ts'
import { readTogether } from '../../live-market/together.ts'
import { hoursUpTo } from '../hours-range.ts'
import { valueMembers } from '../values.ts'
import { tokenDistributionRoute } from './distribution.ts'
import { type HourRows, hourPrices, pathOf } from './hours.ts'
import { HoldersAnswer, HoldersQuery, PricesAnswer, PricesQuery, TokenAnswer, TokenParams } from './schema.ts'
import { TOKEN_HOLDERS, TOKEN_HOURS } from './sql.ts'
import { partsOf } from './token-id.ts'
import { tokenTransfersRoute } from './transfers.ts'

const tags = ['Explorer']
const PATH = '/api/v3/explore/token/:tokenId'
/** Holders in the answer of a token. */
const TOP = 10
const HOUR = 3600
/** Sorts after every holder. */
const FIRST = { amount: '9223372036854775807', account: 'z'.repeat(14) }

interface HolderRows {
  isWhole: boolean
  supply: string | null
  maxSupply: string | null
  issuer: string | null
  decimals: number | null
  holders: { account: string; amount: string; isFinal: boolean }[]
}

export function tokenRoutes(api: Api): void {
  const schema = {
    tags,
    summary: 'A token: price, supply and holders',
    params: TokenParams,
    response: { 200: TokenAnswer },
  }
  api.get(PATH, { schema }, async (request, reply) => {
    const { chain: context } = request
    const { rows, state, token } = await readHolders(context, request.params.tokenId, FIRST, TOP)
    const counted = (await holdersAt(context, state.at.time, [token.id])).get(token.id)
    // The read of the sample may take longer than a block: what follows is of the first read's state alone.
    mark(request, reply, rows.at)
    request.taggedByContent = true
    return {
      ...rows.answer,
      holders:
        counted === undefined
          ? null
          : {
              count: counted.count,
              change1h: counted.change1h,
              change24h: counted.change24h,
              truncated: counted.truncated,
            },
    }
  })
  holdersRoute(api)
  tokenDistributionRoute(api)
  pricesRoute(api)
  tokenTransfersRoute(api)
}

function holdersRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'Holders of a token, the largest first',
    params: TokenParams,
    querystring: HoldersQuery,
    response: { 200: HoldersAnswer },
  }
  api.get(`${PATH}/holders`, { schema }, async (request, reply) => {
    const { cursor, limit: wanted = 0 } = request.query
    const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.tradesMost)
    const [amount = FIRST.amount, account = FIRST.account] = cursor?.split('-') ?? []
    if (BigInt(amount) > BigInt(FIRST.amount)) throw new HttpError(400, 'cursor: take `next` of the previous page')
    const { rows, token } = await readHolders(request.chain, request.params.tokenId, { amount, account }, limit)
    if (rows.answer.top === null)
      throw new HttpError(404, `The balances of ${token.id} are not watched: its holders are not known`)
    mark(request, reply, rows.at)
    request.taggedByContent = true
    const { token: of, top, complete } = rows.answer
    return { block: rows.at.block, token: of, holders: top, complete, next: rows.next }
  })
}

/** Reads a token with a page of its holders. @throws HttpError 404 for a token that neither trades nor is watched */
async function readHolders(
  context: ChainContext,
  text: string,
  after: { amount: string; account: string },
  limit: number,
) {
  const { contract, symbol } = partsOf(text)
  const { read, state } = await readTogether(context, async () => {
    const values = [context.chain, contract, symbol, after.amount, after.account, limit]
    const { rows } = await context.pool.query<HolderRows & MarkRow>({
      name: 'explore-holders',
      text: TOKEN_HOLDERS,
      values,
    })
    return rows[0] === undefined ? null : { at: markOf(rows[0]), row: rows[0] }
  })
  const { row } = read
  const token = knownToken(state, text, row.decimals)
  const last = row.holders.at(-1)
  const next = last !== undefined && row.holders.length >= limit ? `${last.amount}-${last.account}` : null
  // The state changes at the next `await`, so the answer is made here.
  return { rows: { at: state.at, answer: tokenAnswer(state, token, row), next }, state, token }
}

function tokenAnswer(state: MarketState, token: TokenRef, row: HolderRows) {
  const { prices, poolsOf, booksOf } = state
  const price = priceOf(prices, token.id) ?? UNKNOWN
  const worth = (raw: bigint) => valueMembers(rawValue(prices, token.id, raw), prices)
  const supply = row.supply === null ? null : BigInt(row.supply)
  const holders = row.holders.map(({ account, amount, isFinal }) => ({
    account,
    amount: decimalText(BigInt(amount), token.decimals),
    share: supply === null || supply === 0n ? null : significant({ numerator: BigInt(amount), denominator: supply }),
    ...worth(BigInt(amount)),
    final: isFinal,
  }))
  return {
    block: state.at.block,
    token: tokenObject(token),
    price: price.system,
    priceUsd: price.usd,
    pools: poolsOf.get(token.id)?.size ?? 0,
    markets: booksOf.get(token.id)?.size ?? 0,
    supply:
      supply === null
        ? null
        : {
            amount: decimalText(supply, token.decimals),
            max: decimalText(BigInt(row.maxSupply ?? 0), token.decimals),
            issuer: row.issuer ?? '',
            ...worth(supply),
          },
    top: supply === null ? null : holders,
    complete: row.isWhole,
  }
}

function pricesRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'Prices of a token by hour',
    params: TokenParams,
    querystring: PricesQuery,
    response: { 200: PricesAnswer },
  }
  api.get(`${PATH}/prices`, { schema }, async (request, reply) => {
    const { chain: context, query } = request
    const { to, limit: wanted = 0 } = query
    const limit = wanted === 0 ? LIMITS.tokenHours : Math.min(wanted, LIMITS.tokenHoursMost)
    const token = knownToken(marketOf(context), request.params.tokenId, null)
    const { read, state } = await readTogether(context, async () => {
      const path = pathOf(marketOf(context), token.id)
      const readHours = async (time: number) => {
        const range = hoursUpTo(time, to, limit)
        const times = [range.from, range.before].map((second) => new Date(second * 1000).toISOString())
        const values = [context.chain, path?.legs.map(({ pool }) => pool) ?? [], ...times]
        const { rows } = await context.pool.query<HourRows & MarkRow>({
          name: 'explore-hours',
          text: TOKEN_HOURS,
          values,
        })
        return rows[0] === undefined ? null : { at: markOf(rows[0]), row: rows[0], range, path }
      }
      const found = await readHours(marketOf(context).at.time)
      // The database may be in a later hour than the market was.
      const isOther = found !== null && hoursUpTo(found.at.time, to, limit).from !== found.range.from
      return isOther ? await readHours(found.at.time) : found
    })
    const { row, range, path } = read
    const at = {
      now: Math.floor(state.at.time / 1000),
      usdNow: state.prices.usd,
      systemDecimals: state.prices.systemToken.decimals,
    }
    mark(request, reply, state.at)
    request.taggedByContent = true
    const isOldest = row.since === null || range.from <= row.since
    return {
      block: state.at.block,
      token: tokenObject(token),
      path: path === null ? null : path.legs.map(({ pool }) => pool),
      hours: hourPrices(row, path, range, at),
      next: isOldest ? null : String((range.from - HOUR) * 1000),
    }
  })
}

/** @param decimals  precision of a watched token; null when it is not watched @throws HttpError 404 */
function knownToken({ tokens }: MarketState, text: string, decimals: number | null): TokenRef {
  const id = text.toLowerCase()
  const token = tokens.get(id)
  if (token !== undefined) return token
  if (decimals === null)
    throw new HttpError(404, `No pool and no market trades ${id}, and its balances are not watched`)
  return { id, ...partsOf(text), decimals }
}
