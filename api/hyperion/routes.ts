// Calls of the Hyperion v2 API that the ledger answers exactly: transfers and balances of tokens. Others are refused
// with a code.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { fail, HttpError } from '../http/failures.ts'
import { mark } from '../http/freshness.ts'
import type { Api } from '../http/typed.ts'
import { type HistoryStart, historyStart, startText } from '../kit/history-start.ts'
import { toNumber } from '../kit/numbers.ts'
import { type MarkRow, markOf, type Statement } from '../kit/snapshot.ts'
import { actionOf, coverageOf, type TransferRow, timeText } from './answer.ts'
import { mayScan, readBounded } from './bounded.ts'
import { healthRoute } from './health.ts'
import { HyperionRefusal } from './refusal.ts'
import {
  accountOf,
  actionsRequest,
  LIMITS,
  type Query,
  refuseUnknown,
  type TransferRequest,
  transfersRequest,
} from './request.ts'
import {
  ActionsAnswer,
  ActionsQuery,
  TokensAnswer,
  TokensQuery,
  TransactionAnswer,
  TransactionQuery,
  TransfersAnswer,
  TransfersQuery,
} from './schema.ts'
import { TIME_FROM, TIME_TO, TOKENS, TRANSACTION_TRANSFERS, transfersStatement, wayOf } from './sql.ts'

const tags = ['Hyperion']

export function hyperionRoutes(api: Api): void {
  api.register(async (scope) => {
    scope.setErrorHandler(answerRefusal)
    const hyperion = scope as unknown as Api
    actionsRoute(hyperion)
    transfersRoute(hyperion)
    transactionRoute(hyperion)
    tokensRoute(hyperion)
    healthRoute(hyperion)
  })
}

/** Refusals have their code; other errors use the common format. */
function answerRefusal(error: FastifyError | HyperionRefusal, _request: FastifyRequest, reply: FastifyReply): unknown {
  if (!(error instanceof HyperionRefusal)) throw error
  if (error.statusCode === 503) reply.header('retry-after', '1')
  return fail(reply, error.statusCode, error.message, { code: error.code })
}

function actionsRoute(api: Api): void {
  const summary = 'Transfers as actions, as Hyperion answers them'
  const schema = { tags, summary, querystring: ActionsQuery, response: { 200: ActionsAnswer } }
  api.get('/v2/history/get_actions', { schema }, async (request, reply) => {
    const { page } = await readTransfers(request, reply, actionsRequest(request.query as Query, request.chain.config))
    return page
  })
}

function transfersRoute(api: Api): void {
  const summary = 'Transfers by sender, receiver or token, as Hyperion answers them'
  const schema = { tags, summary, querystring: TransfersQuery, response: { 200: TransfersAnswer } }
  api.get('/v2/history/get_transfers', { schema }, async (request, reply) => {
    const wanted = transfersRequest(request.query as Query, request.chain.config)
    const { page, rows } = await readTransfers(request, reply, wanted)
    const sum = rows.reduce((all, { amount, decimals }) => all + toNumber(amount, decimals), 0)
    return { ...page, action_count: rows.length, total_amount: sum }
  })
}

async function readTransfers(request: FastifyRequest, reply: FastifyReply, wanted: TransferRequest) {
  const started = performance.now()
  const { chain, pool } = request.chain
  const { account, from, to, contracts, symbol, skip, limit, sort } = wanted
  const way = wayOf(wanted)
  const start = await historyStart(pool, chain)
  refuseBefore(wanted.before, start)
  const [after, before] = await Promise.all([
    timeOf(request, wanted.after, TIME_FROM, '-infinity'),
    timeOf(request, wanted.before, TIME_TO, 'infinity'),
  ])
  // One row more than wanted tells whether there are more.
  const values = [chain, after, before, skip + limit + 1, contracts, symbol, from, to, account]
  const name = `hyperion-${way}-${sort}`
  const statement = { name, text: transfersStatement(way, sort), values }
  const read = await readRows<TransferRow>(request, reply, statement, { start, isBounded: mayScan(wanted) })
  const rows = read.rows.slice(skip, skip + limit)
  const hasMore = read.rows.length > skip + limit
  const page = {
    ...read.common(started),
    total: { value: Math.min(read.rows.length, skip + limit), relation: hasMore ? 'gte' : 'eq' },
    actions: rows.map(actionOf),
  }
  return { page, rows }
}

/** @throws HyperionRefusal 404 for a range that ends before the indexed history */
function refuseBefore(before: string | undefined, start: HistoryStart | null): void {
  if (before === undefined || start === null) return
  const isNumber = /^\d+$/.test(before)
  const isOlder = isNumber ? Number(before) < start.block : start.time !== null && Date.parse(before) < start.time
  if (isOlder) throw new HyperionRefusal('history', `before ${before}: ${startText(start)}`, 404)
}

/** The bound of a time or a block number. */
async function timeOf(
  request: FastifyRequest,
  moment: string | undefined,
  text: string,
  none: string,
): Promise<string> {
  if (moment === undefined) return none
  if (!/^\d+$/.test(moment)) return new Date(moment).toISOString()
  const { chain, pool } = request.chain
  const { rows } = await pool.query<{ time: Date }>(text, [chain, moment])
  // No block is that high, or that low: nothing is on its side.
  return rows[0]?.time.toISOString() ?? (none === 'infinity' ? '-infinity' : 'infinity')
}

function transactionRoute(api: Api): void {
  const summary = 'Transfers of a transaction, as Hyperion answers them'
  const schema = { tags, summary, querystring: TransactionQuery, response: { 200: TransactionAnswer } }
  api.get('/v2/history/get_transaction', { schema }, async (request, reply) => {
    const started = performance.now()
    refuseUnknown(request.query, new Set(['id', 'block_hint']))
    const id = request.query.id?.toLowerCase() ?? ''
    if (!/^[0-9a-f]{64}$/.test(id)) throw new HyperionRefusal('parameter', 'id must be 64 hexadecimal digits')
    const statement = { name: 'hyperion-transaction', text: TRANSACTION_TRANSFERS, values: [request.chain.chain, id] }
    const { rows, common } = await readRows<TransferRow>(request, reply, statement)
    if (rows.length === 0)
      throw new HyperionRefusal(
        'transaction',
        `no indexed transfer has the transaction ${id}; other actions are not covered, and ${startText(await historyStart(request.chain.pool, request.chain.chain))}`,
        404,
      )
    return { ...common(started), executed: true, trx_id: id, actions: rows.map(actionOf) }
  })
}

function tokensRoute(api: Api): void {
  const summary = 'Balances of an account, as Hyperion answers them'
  const schema = { tags, summary, querystring: TokensQuery, response: { 200: TokensAnswer } }
  api.get('/v2/state/get_tokens', { schema }, async (request, reply) => {
    const started = performance.now()
    const query = request.query as Query
    refuseUnknown(query, new Set(['account', 'skip', 'limit']))
    const account = accountOf(String(query.account ?? ''), 'account')
    const [skip, limit] = [Number(query.skip ?? 0), Number(query.limit ?? 50)]
    if (!(skip >= 0 && limit >= 0 && limit <= LIMITS.limitMost && skip + limit <= LIMITS.reach))
      throw new HyperionRefusal('depth', `limit is at most ${LIMITS.limitMost}, and with skip ${LIMITS.reach}`)
    const values = [request.chain.chain, account, Math.floor(skip), Math.floor(limit)]
    interface Row {
      symbol: string
      precision: number
      amount: string
      contract: string
      isWhole: boolean
    }
    const statement = { name: 'hyperion-tokens', text: TOKENS, values }
    const { rows, first, common } = await readRows<Row>(request, reply, statement)
    if (!first.isWhole)
      throw new HyperionRefusal(
        'history',
        'balances that have not changed since the indexed history began are unknown: it began without the full state of the chain',
        404,
      )
    const tokens = rows.map(({ symbol, precision, amount, contract }) => ({
      symbol,
      precision,
      amount: toNumber(amount, precision),
      contract,
    }))
    return { ...common(started), account, tokens }
  })
}

/** Rows of one block, and the members that every answer has. @throws HttpError 503 when the chain is not indexed */
async function readRows<Row extends { contract: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  statement: Statement,
  { start, isBounded = false }: { start?: HistoryStart | null; isBounded?: boolean } = {},
) {
  const { chain, pool, config } = request.chain
  type Read = Row & MarkRow & { lib: number }
  const since = start === undefined ? await historyStart(pool, chain) : start
  const { rows } = isBounded ? await readBounded<Read>(pool, statement) : await pool.query<Read>(statement)
  const [first] = rows
  if (first === undefined) throw new HttpError(503, `${chain}: data is being loaded. Try again in a moment.`)
  const at = markOf(first)
  // The answer depends on the block alone, except for its time.
  mark(request, reply, at)
  const common = (started: number) => ({
    query_time_ms: Math.round((performance.now() - started) * 1000) / 1000,
    lib: first.lib,
    last_indexed_block: at.block,
    last_indexed_block_time: timeText(at.time),
    coverage: coverageOf(config, since),
  })
  return { rows: rows.filter(({ contract }) => contract !== null), first, common }
}
