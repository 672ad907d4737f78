// The on-chain feed for trackers of decentralised exchanges. It ends at the last irreversible block, so its answers
// never change. Also the newest swaps of the chain, up to the head.
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { LIMITS } from '../../kit/limits.ts'
import { decimalText, toNumber } from '../../kit/numbers.ts'
import { marketOf } from '../../kit/parameters.ts'
import { type MarkRow, markOf, readPage } from '../../kit/snapshot.ts'
import { CHAIN_START } from '../../kit/whole-state.ts'
import { type EventRow, onchainEvents } from './events.ts'
import { newestSwaps } from './newest-swaps.ts'
import { Asset, Events, EventsQuery, IdQuery, LatestBlock, NewestQuery, NewestSwaps, Pair } from './schema.ts'
import { CREATION, EVENTS, LATEST_BLOCK, SUPPLY } from './sql.ts'

const tags = ['On-chain feed']
const path = '/api/v3/feed/onchain'
const NEWEST = 20
const MAX_NEWEST = 100
/** Millionths in a hundredth of a percent. */
const FEE_PER_BPS = 100

export function onchainRoutes(api: Api): void {
  blockRoutes(api)
  listingRoutes(api)
  api.get(
    '/api/v3/swaps/newest',
    {
      schema: {
        tags: ['AMM pools'],
        summary: 'Newest swaps of all pools',
        querystring: NewestQuery,
        response: { 200: NewestSwaps },
      },
    },
    async (request, reply) => {
      const { chain, pool, market } = request.chain
      const { at } = marketOf(request.chain)
      const { limit = NEWEST } = request.query
      const most = limit === 0 ? MAX_NEWEST : Math.min(limit, MAX_NEWEST)
      const page = answerAt(request, reply, await newestSwaps(pool, chain, at, most))
      return page === null ? reply : page.rows.map((row) => newest(row, market.state?.pools.get(Number(row.poolId))))
    },
  )
}

function blockRoutes(api: Api): void {
  api.get(
    `${path}/latest-block`,
    {
      schema: {
        tags,
        summary: 'The last irreversible block: events up to it never change',
        response: { 200: LatestBlock },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { rows } = await pool.query<MarkRow & { num: number | null; time: number }>({
        name: 'onchain-latest',
        text: LATEST_BLOCK,
        values: [chain],
      })
      const row = rows[0]
      const read = row === undefined ? null : { at: markOf(row), ...row }
      const latest = answerAt(request, reply, read)
      if (latest === null) return reply
      if (latest.num === null) throw new HttpError(404, 'No block is irreversible yet.')
      return { block: { blockNumber: latest.num, blockTimestamp: Math.floor(latest.time) } }
    },
  )

  api.get(
    `${path}/events`,
    {
      schema: {
        tags,
        summary: `Swaps and liquidity events of at most ${LIMITS.onchainBlocks} blocks`,
        querystring: EventsQuery,
        response: { 200: Events },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { fromBlock, toBlock } = request.query
      if (toBlock < fromBlock) throw new HttpError(400, 'toBlock must not be below fromBlock')
      if (toBlock - fromBlock >= LIMITS.onchainBlocks)
        throw new HttpError(400, `at most ${LIMITS.onchainBlocks} blocks can be asked for at once`)
      type Row = EventRow & MarkRow & { firstBlock: number; lastBlock: number | null; sequence: string | null }
      const { rows } = await pool.query<Row>({
        name: 'onchain-events',
        text: EVENTS,
        values: [chain, fromBlock, toBlock],
      })
      const first = rows[0]
      const read = answerAt(request, reply, first === undefined ? null : { at: markOf(first), ...first })
      if (read === null) return reply
      const { firstBlock, lastBlock } = read
      if (lastBlock === null || toBlock > lastBlock)
        throw new HttpError(400, `toBlock is above the latest block, ${lastBlock ?? 'no block is indexed yet'}`)
      // Part of a range would look like the whole range with fewer events.
      if (fromBlock < firstBlock && firstBlock > CHAIN_START)
        throw new HttpError(400, `history begins with block ${firstBlock}`)
      return { events: onchainEvents(rows.filter(({ sequence }) => sequence !== null)) }
    },
  )
}

function listingRoutes(api: Api): void {
  api.get(
    `${path}/asset`,
    {
      schema: {
        tags,
        summary: 'One token, as indexers want it',
        querystring: IdQuery('Token id.'),
        response: { 200: Asset },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const token = marketOf(request.chain).tokens.get(request.query.id.toLowerCase())
      if (token === undefined) throw new HttpError(404, `There is no token ${request.query.id}.`)
      const { id, contract, symbol, decimals } = token
      type Row = { supply: string | null; decimals: number }
      const statement = { name: 'onchain-supply', text: SUPPLY, values: [chain, contract, symbol] }
      const page = answerAt(request, reply, await readPage<Row>(pool, statement, 'supply'))
      if (page === null) return reply
      const found = page.rows[0]
      const supply = found?.supply ? decimalText(BigInt(found.supply), found.decimals) : undefined
      const supplies = supply === undefined ? {} : { totalSupply: supply, circulatingSupply: supply }
      return { asset: { id, name: symbol, symbol, decimals, ...supplies, metadata: { contract } } }
    },
  )

  api.get(
    `${path}/pair`,
    {
      schema: {
        tags,
        summary: 'One pool, as indexers want it',
        querystring: IdQuery('Pool id.'),
        response: { 200: Pair },
      },
    },
    async (request, reply) => {
      const { chain, pool: database, config } = request.chain
      const wanted = request.query.id
      const pool = /^\d{1,15}$/.test(wanted) ? marketOf(request.chain).pools.get(Number(wanted)) : undefined
      if (pool === undefined) throw new HttpError(404, `There is no pool ${wanted}.`)
      const { id, a, b, fee } = pool
      type Row = { block: number | null; time: number; trxId: string }
      const statement = { name: 'onchain-creation', text: CREATION, values: [chain, id] }
      const page = answerAt(request, reply, await readPage<Row>(database, statement, 'block'))
      if (page === null) return reply
      const [created] = page.rows
      const creation =
        created === undefined
          ? {}
          : {
              createdAtBlockNumber: created.block as number,
              createdAtBlockTimestamp: Math.floor(created.time),
              createdAtTxnId: created.trxId,
            }
      const dexKey = config.accounts.amm ?? 'amm'
      return {
        pair: { id: String(id), dexKey, asset0Id: a.id, asset1Id: b.id, ...creation, feeBps: fee / FEE_PER_BPS },
      }
    },
  )
}

interface PoolSymbols {
  a: { symbol: string }
  b: { symbol: string }
}

/** @param pool  undefined when the pool has been removed since */
function newest(row: EventRow, pool: PoolSymbols | undefined) {
  return {
    id: row.sequence,
    time: new Date(row.time * 1000).toISOString(),
    block: row.block,
    trx: row.trxId,
    pool: Number(row.poolId),
    sender: row.maker,
    tokenA: toNumber(row.amountA, row.decimalsA),
    tokenB: toNumber(row.amountB, row.decimalsB),
    symbolA: pool?.a.symbol ?? '',
    symbolB: pool?.b.symbol ?? '',
  }
}
