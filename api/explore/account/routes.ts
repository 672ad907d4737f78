// The endpoints of an account: as of the head, and its value by hour.
import { nextTurn } from '../../../core/scheduler.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { LIMITS } from '../../kit/limits.ts'
import { marketOf } from '../../kit/parameters.ts'
import { type MarkRow, markOf } from '../../kit/snapshot.ts'
import type { MarketState } from '../../live-market/model.ts'
import { readTogether } from '../../live-market/together.ts'
import { hoursUpTo } from '../hours-range.ts'
import { AccountParams } from '../schema.ts'
import { type AccountRows, accountAnswer, MAX_ACCOUNT_ROWS } from './answer.ts'
import { type HourRows, hourValues } from './hours.ts'
import { MAX_MOVES, MAX_POSITIONS } from './position-hours.ts'
import { AccountAnswer, ValueAnswer, ValueQuery } from './schema.ts'
import { ACCOUNT_HOURS, ACCOUNT_ROWS } from './sql.ts'

const tags = ['Explorer']
const PATH = '/api/v3/explore/account/:account'
const HOUR_MS = 3_600_000
const TURN_MS = 10

export function accountRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'An account: balances, positions, open orders and their values',
    params: AccountParams,
    response: { 200: AccountAnswer },
  }
  api.get(PATH, { schema }, async (request, reply) => {
    const { account } = request.params
    const { chain: context } = request
    const { read, state } = await readTogether(context, async () => {
      const values = [context.chain, account, MAX_ACCOUNT_ROWS + 1]
      const { rows } = await context.pool.query<AccountRows & MarkRow>({
        name: 'explore-account',
        text: ACCOUNT_ROWS,
        values,
      })
      const [row] = rows
      if (row === undefined) return null
      const { isWhole, balances, positions, orders } = row
      return { at: markOf(row), rows: { isWhole, balances, positions, orders } }
    })
    mark(request, reply, state.at)
    request.taggedByContent = true
    return accountAnswer(state, account, read.rows)
  })
}

export function accountValueRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'Value of an account by hour: balances and positions',
    params: AccountParams,
    querystring: ValueQuery,
    response: { 200: ValueAnswer },
  }
  api.get(`${PATH}/value`, { schema }, async (request, reply) => {
    const { chain: context, query } = request
    const { account } = request.params
    const limit = query.limit ? Math.min(query.limit, LIMITS.tokenHoursMost) : LIMITS.tokenHours
    const { read, state } = await readTogether(context, async () => {
      const now = marketOf(context)
      // The hour of the block is not over.
      const to = Math.min(query.to ?? Number.MAX_SAFE_INTEGER, now.at.time - HOUR_MS)
      const range = hoursUpTo(now.at.time, to, limit)
      const { contracts, symbols } = trustedTokens(now)
      const times = [range.from, range.before].map((second) => new Date(second * 1000).toISOString())
      const { rows } = await context.pool.query<HourRows & MarkRow>({
        name: 'explore-account-hours',
        text: ACCOUNT_HOURS,
        values: [context.chain, account, contracts, symbols, ...times, MAX_MOVES, MAX_POSITIONS + 1],
      })
      const [row] = rows
      return row === undefined ? null : { at: markOf(row), row, range }
    })
    mark(request, reply, state.at)
    request.taggedByContent = true
    const { row, range } = read
    const isOldest = row.since === null || range.from <= row.since
    return {
      block: state.at.block,
      account,
      hours: await inTurns(hourValues(row)),
      next: isOldest ? null : String(range.from * 1000 - HOUR_MS),
    }
  })
}

/** Lets other requests run every few milliseconds: hours of an account with very many positions take longer. */
async function inTurns<T>(values: Iterable<T>): Promise<T[]> {
  const all: T[] = []
  let since = performance.now()
  for (const value of values) {
    all.push(value)
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return all
}

/** Anyone can give a token of their own any price, so values are of trusted tokens alone. */
function trustedTokens({ tokens, prices }: MarketState) {
  const trusted = [...tokens.values()].filter(({ id }) => prices.quote(id).isTrusted)
  return { contracts: trusted.map(({ contract }) => contract), symbols: trusted.map(({ symbol }) => symbol) }
}
