// Writes blocks with one swap each with the indexer's writer, and measures the time until every endpoint shows the
// swap.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ProjectedBlock } from '../../indexer/store/rows.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { poolRow } from './pool-row.ts'
import type { ApiProcess } from './server.ts'

export interface LiveSwaps {
  /** Milliseconds from giving a block to the writer until every endpoint has shown its swap, ascending. */
  times: number[]
  /** The same for the first blocks. */
  firstTimes: number[]
  /**
   * Milliseconds of the first request for the pools list after a block, of a second one, and of one for an unchanged
   * list.
   */
  lists: { first: number[]; again: number[]; unchanged: number[] }
}

const POOL = 0
/** Same interval as on a chain. */
const BLOCK_MS = 500
/** Interval of requests to an endpoint. Not shorter, because the client uses the server's two processors. */
const ASK_EVERY_MS = 5
/** The first blocks run code that is not yet compiled; their times are reported separately. */
const FIRST_BLOCKS = 5
/**
 * Blocks at the end during which the list of pools is also read. Measured separately, because reading megabytes would
 * delay the next block.
 */
const LIST_BLOCKS = 30

/** Writes blocks one by one and polls until the swap appears. Each endpoint has been requested once before. */
export async function liveSwaps(api: ApiProcess, url: string, chain: string, blocks: number): Promise<LiveSwaps> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null })
  const result: LiveSwaps = { times: [], firstTimes: [], lists: { first: [], again: [], unchanged: [] } }
  try {
    const pool = await poolRow(client, chain, POOL)
    if (pool === null) throw new Error(`${chain} has no pool ${POOL}`)
    const ticker = `${pool.symbolA}-${pool.contractA}_${pool.symbolB}-${pool.contractB}`.toLowerCase()
    await Promise.all(Object.keys(signs(ticker, '', '', 0)).map((path) => api.get(chain, path)))
    for (let i = -FIRST_BLOCKS; i < blocks + LIST_BLOCKS; i++) {
      const next = delay(BLOCK_MS)
      const batch = writer.newBatch()
      const block = await nextBlock(client, chain, pool)
      const started = performance.now()
      batch.add(block)
      const written = writer.commit(batch)
      await waitUntilShown(api, chain, ticker, sequenceOf(block.num).toString(), String(block.num), block.time)
      const { times, firstTimes } = result
      if (i < blocks) (i < 0 ? firstTimes : times).push(performance.now() - started)
      await written
      if (i < blocks) {
        await next
        continue
      }
      await readLists(api, chain, result.lists)
      await next
    }
  } finally {
    await writer.close()
    await client.end()
  }
  for (const times of [result.times, result.firstTimes, ...Object.values(result.lists)]) times.sort((a, b) => a - b)
  return result
}

/** Reads the list of pools: after a block, again, and by its tag. Adds the milliseconds to `lists`. */
async function readLists(api: ApiProcess, chain: string, lists: LiveSwaps['lists']): Promise<void> {
  const first = await api.get(chain, '/api/v2/swap/pools')
  const again = await api.get(chain, '/api/v2/swap/pools')
  const unchanged = await api.get(chain, '/api/v2/swap/pools', { 'if-none-match': String(again.headers.etag) })
  if (first.status !== 200 || unchanged.status !== 304) throw new Error('the pools list is not what it should be')
  lists.first.push(first.ms)
  lists.again.push(again.ms)
  lists.unchanged.push(unchanged.ms)
}

/** Global sequence of the swap in a block. */
function sequenceOf(num: number): bigint {
  return 10_000_000_000n + BigInt(num)
}

/** The block after the indexed one, with one swap that changes `pool`. */
async function nextBlock(client: pg.Client, chain: string, pool: Record<string, unknown>): Promise<ProjectedBlock> {
  const { rows } = await client.query('select block_num, block_id, block_time from meta.position where chain = $1', [
    chain,
  ])
  const num = Number(rows[0].block_num) + 1
  const time = Number(rows[0].block_time) + BLOCK_MS
  const id = num.toString(16).padStart(64, '0')
  const prevId = rows[0].block_id
  const producer = 'producer1'
  pool.reserveA = (pool.reserveA as bigint) + 1000n
  const at = { chain, blockNum: num, blockTime: time, globalSeq: sequenceOf(num), trxId: id }
  const { decimalsA, decimalsB, sqrtPriceX64, liquidity, tick, reserveA, reserveB } = pool
  const swap = {
    poolId: BigInt(POOL),
    sender: 'livetrader',
    recipient: 'livetrader',
    amountA: 1000n,
    amountB: -500n,
    ...{ decimalsA, decimalsB, sqrtPriceX64, liquidity, tick, reserveA, reserveB },
    usd: null,
  }
  return {
    ...{ num, id, prevId, time, producer },
    lib: num - 1,
    head: num,
    ledger: [
      { table: 'blocks', row: { chain, blockNum: num, blockId: id, prevId, blockTime: time, producer } },
      { table: 'swaps', at, row: swap },
    ],
    state: [{ table: 'pools', row: pool, present: true }],
    candles: [{ kind: 'amm', id: BigInt(POOL), minute: time - (time % 60_000) }],
  }
}

type Sign = (body: Buffer, block: string) => boolean

/** The endpoints, each with a check that its answer includes a swap. */
function signs(ticker: string, sequence: string, block: string, time: number): Record<string, Sign> {
  return {
    [`/api/v2/swap/pools/${POOL}`]: (_, at) => at === block,
    '/api/v2/swap/pools?tokenA=wax-eosio.token': (_, at) => at === block,
    [`/api/v2/swap/pools/${POOL}/swaps?limit=1`]: (body) => body.includes(sequence),
    [`/api/v2/swap/pools/${POOL}/candles?resolution=1&limit=1`]: (body) => {
      const [candle] = JSON.parse(body.toString()) as { time: number }[]
      return candle !== undefined && candle.time === time - (time % 60_000)
    },
    [`/api/v2/amm/historical_trades?ticker_id=${ticker}&limit=1`]: (body) => body.includes(sequence),
    '/api/v2/account/livetrader/swap-history?limit=1': (body) => body.includes(sequence),
    '/api/v2/amm/tickers?min_liquidity_usd=100000': (_, at) => at === block,
  }
}

/** Polls the endpoints in parallel until each has shown the swap. */
async function waitUntilShown(
  api: ApiProcess,
  chain: string,
  ticker: string,
  sequence: string,
  block: string,
  time: number,
) {
  await Promise.all(
    Object.entries(signs(ticker, sequence, block, time)).map(async ([path, isThere]) => {
      let known: Record<string, string> = {}
      for (;;) {
        const { status, body, headers } = await api.get(chain, path, known)
        if (status === 200 && isThere(body, String(headers['x-block-num']))) return
        known = { 'if-none-match': String(headers.etag) }
        await delay(ASK_EVERY_MS)
      }
    }),
  )
}
