// The explorer: facts by transaction, block and account, each with its finality.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { answerAt } from '../kit/answer.ts'
import { cursorParameters, cursorText } from '../kit/cursor.ts'
import { historyStart, startText } from '../kit/history-start.ts'
import { LIMITS } from '../kit/limits.ts'
import { type MarkRow, markOf, readPage } from '../kit/snapshot.ts'
import { accountRoute, accountValueRoute } from './account/routes.ts'
import { ACTIVITY, type Dataset, type FactRow, factJson } from './facts.ts'
import { largeTradesRoute } from './market/large-trades.ts'
import { liquidityRoute } from './market/liquidity.ts'
import { positionsRoute } from './market/positions.ts'
import { marketTradesRoute, poolTradesRoute } from './market/trades.ts'
import {
  AccountParams,
  ActivityAnswer,
  ActivityQuery,
  BlockAnswer,
  BlockParams,
  BlockQuery,
  PageQuery,
  TransactionAnswer,
  TransactionParams,
} from './schema.ts'
import { searchRoutes } from './search/routes.ts'
import { ACTIVITY_FACTS, BLOCK, BLOCK_FACTS, TRANSACTION_FACTS } from './sql.ts'
import { tokenRoutes } from './token/routes.ts'

const tags = ['Explorer']
const PATH = '/api/v3/explore'
/** Largest global sequence that the database holds. */
const MAX_SEQUENCE = 2n ** 63n - 1n
const COVERED = 'Actions of the contracts that this service watches; other actions of the transaction are not indexed.'

export function exploreRoutes(api: Api): void {
  transactionRoute(api)
  blockRoute(api)
  activityRoutes(api)
  searchRoutes(api)
  accountRoute(api)
  accountValueRoute(api)
  tokenRoutes(api)
  positionsRoute(api)
  liquidityRoute(api)
  largeTradesRoute(api)
  marketTradesRoute(api)
  poolTradesRoute(api)
}

function transactionRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'Every fact of a transaction',
    params: TransactionParams,
    response: { 200: TransactionAnswer },
  }
  api.get(`${PATH}/tx/:id`, { schema }, async (request, reply) => {
    const { chain, pool } = request.chain
    const id = request.params.id.toLowerCase()
    const statement = { name: 'explore_tx', text: TRANSACTION_FACTS, values: [chain, id] }
    const page = answerAt(request, reply, await readPage<FactRow>(pool, statement, 'sequence'))
    if (page === null) return reply
    if (page.rows.length === 0)
      throw new HttpError(
        404,
        `No indexed fact has the transaction ${id}: ${startText(await historyStart(pool, chain))}`,
      )
    return { block: page.at.block, transaction: id, contracts: COVERED, facts: page.rows.map(factJson) }
  })
}

interface BlockRow extends MarkRow {
  num: number | null
  id: string
  prevId: string
  time: number
  producer: string
  isFinal: boolean
}

function blockRoute(api: Api): void {
  const schema = {
    tags,
    summary: 'A block and its facts, in order',
    params: BlockParams,
    querystring: BlockQuery,
    response: { 200: BlockAnswer },
  }
  api.get(`${PATH}/block/:block`, { schema }, async (request, reply) => {
    const { after = '-1', limit } = request.query
    if (BigInt(after) > MAX_SEQUENCE)
      throw new HttpError(400, 'after is not a sequence: take `next` of the previous page')
    const read = answerAt(
      request,
      reply,
      await readBlock(request.chain, request.params.block.toLowerCase(), after, limitOf(limit)),
    )
    return read === null ? reply : read.answer
  })
}

/** Maximum number of reads until header and facts are as of the same block of the chain. */
const MAX_ATTEMPTS = 5

/**
 * @param text  number or id of a block
 * @returns null when the chain has no indexed block
 * @throws HttpError 404 when the block is not indexed, 503 when each attempt met a new block
 */
async function readBlock({ chain, pool }: ChainContext, text: string, after: string, limit: number) {
  const id = text.length === 64 ? text : null
  // The id begins with the number.
  const num = id === null ? Number(text) : Number.parseInt(id.slice(0, 8), 16)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { rows } = await pool.query<BlockRow>({ name: 'explore_block', text: BLOCK, values: [chain, num] })
    const header = rows[0]
    if (header === undefined) return null
    if (header.num === null || (id !== null && header.id !== id))
      throw new HttpError(404, `Block ${text} is not indexed: ${startText(await historyStart(pool, chain))}`)
    const time = new Date(header.time).toISOString()
    const statement = { name: 'explore_block_facts', text: BLOCK_FACTS, values: [chain, num, time, after, limit] }
    const page = await readPage<FactRow>(pool, statement, 'sequence')
    // A fork may have come between the two statements.
    if (page === null || page.at.id !== header.atId) continue
    const { rows: facts } = page
    const answer = {
      block: header.atBlock,
      num,
      id: header.id,
      previous: header.prevId,
      time,
      producer: header.producer,
      final: header.isFinal,
      facts: facts.map(factJson),
      next: facts.length < limit ? null : (facts.at(-1)?.sequence ?? null),
    }
    return { at: markOf(header), answer }
  }
  throw new HttpError(503, 'Blocks come too fast to read one. Try again in a moment.')
}

function activityRoutes(api: Api): void {
  const response = { 200: ActivityAnswer }
  const params = AccountParams
  api.get(
    `${PATH}/account/:account/activity`,
    {
      schema: {
        tags,
        summary: 'What an account did, over all datasets, newest first',
        params,
        querystring: ActivityQuery,
        response,
      },
    },
    (request, reply) =>
      sendActivity(request, reply, request.params.account, datasetsOf(request.query.kind), request.query),
  )
  const transfers = ACTIVITY.filter(({ name }) => name === 'transfers')
  api.get(
    `${PATH}/account/:account/transfers`,
    {
      schema: {
        tags,
        summary: 'Transfers of watched tokens from and to an account, newest first',
        params,
        querystring: PageQuery,
        response,
      },
    },
    (request, reply) => sendActivity(request, reply, request.params.account, transfers, request.query),
  )
}

async function sendActivity(
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
  datasets: readonly Dataset[],
  { cursor, limit: wanted }: { cursor?: string; limit?: number },
) {
  const { chain, pool } = request.chain
  const limit = limitOf(wanted)
  const values = [chain, account, ...cursorParameters(cursor), limit, datasets.map(({ name }) => name)]
  const statement = { name: 'explore_activity', text: ACTIVITY_FACTS, values }
  const [read, start] = await Promise.all([readPage<FactRow>(pool, statement, 'sequence'), historyStart(pool, chain)])
  const page = answerAt(request, reply, read)
  if (page === null || start === null) return reply
  const last = page.rows.at(-1)
  const isFull = last !== undefined && page.rows.length >= limit
  return {
    block: page.at.block,
    account,
    firstBlock: start.block,
    firstBlockTime: start.time === null ? null : new Date(start.time).toISOString(),
    facts: page.rows.map(factJson),
    next: isFull ? cursorText(last) : null,
  }
}

/** @throws HttpError 400 for a dataset that has no accounts */
function datasetsOf(kind: string | undefined): readonly Dataset[] {
  if (kind === undefined || kind === '') return ACTIVITY
  const names = kind.split(',')
  const unknown = names.find((name) => !ACTIVITY.some((one) => one.name === name))
  if (unknown !== undefined)
    throw new HttpError(400, `kind ${unknown} is unknown: use some of ${ACTIVITY.map(({ name }) => name).join(', ')}`)
  return ACTIVITY.filter(({ name }) => names.includes(name))
}

function limitOf(wanted = 0): number {
  return wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.poolSwapsMost)
}
