// Writes blocks with one swap each with the indexer's writer, at a fixed rate, so that answers must be made again as on
// a live chain. Each swap moves the price of its pool a little.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DecimalNumber } from '../../indexer/store/copy/numeric.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { Random } from '../../test/support/random.ts'
import { poolRow } from './pool-row.ts'

/** Default interval of blocks, ms. */
const BLOCK_MS = 500
const MINUTE = 60_000
/** Blocks from the head to the last irreversible one. */
const FINALITY = 6

export class SwapBlocks {
  private readonly client: pg.Client
  private readonly writer: ChainWriter
  private readonly chain: string
  private readonly random = new Random(2)
  private stopped = false
  private running: Promise<void> = Promise.resolve()
  written = 0

  private readonly blockMs: number

  private constructor(client: pg.Client, writer: ChainWriter, chain: string, blockMs: number) {
    this.blockMs = blockMs
    this.client = client
    this.writer = writer
    this.chain = chain
  }

  static async start(url: string, chain: string, pools: number, blockMs = BLOCK_MS): Promise<SwapBlocks> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null })
    const blocks = new SwapBlocks(client, writer, chain, blockMs)
    blocks.running = blocks.run(pools)
    return blocks
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.running
    await this.writer.close()
    await this.client.end()
  }

  private async run(pools: number): Promise<void> {
    for (let due = performance.now() + this.blockMs; !this.stopped; due += this.blockMs) {
      await delay(Math.max(0, due - performance.now()))
      // Busy pools more often, as in the rest of the history.
      await this.write(Math.floor(pools * this.random.next() ** 4))
    }
  }

  private async write(poolId: number): Promise<void> {
    const { chain, client } = this
    const { rows } = await client.query(
      'select block_num, block_id, block_time, lib_num from meta.position where chain = $1',
      [chain],
    )
    const pool = await poolRow(client, chain, poolId)
    if (pool === null) return
    const num = Number(rows[0].block_num) + 1
    const time = Number(rows[0].block_time) + this.blockMs
    const id = num.toString(16).padStart(64, '0')
    const { decimalsA, decimalsB, liquidity, tick, reserveB } = pool
    const reserveA = (pool.reserveA as bigint) + 1000n
    const sqrtPriceX64 = ((pool.sqrtPriceX64 as bigint) * 10_001n) / 10_000n
    const at = { chain, blockNum: num, blockTime: time, globalSeq: 10_000_000_000n + BigInt(num), trxId: id }
    const swap = {
      ...{ poolId: BigInt(poolId), sender: 'livetrader', recipient: 'livetrader', amountA: 1000n, amountB: -500n },
      ...{ decimalsA, decimalsB, sqrtPriceX64, liquidity, tick, reserveA, reserveB },
      usd: new DecimalNumber(1_000_000_000n, 8),
    }
    const prevId = rows[0].block_id
    const header = { chain, blockNum: num, blockId: id, prevId, blockTime: time, producer: 'producer1' }
    const batch = this.writer.newBatch()
    batch.add({
      ...{
        num,
        id,
        prevId,
        time,
        producer: 'producer1',
        lib: Math.max(Number(rows[0].lib_num), num - FINALITY),
        head: num,
      },
      ledger: [
        { table: 'blocks', row: header },
        { table: 'swaps', at, row: swap },
      ],
      state: [{ table: 'pools', row: { ...pool, reserveA, sqrtPriceX64 }, present: true }],
      candles: [{ kind: 'amm', id: BigInt(poolId), minute: time - (time % MINUTE) }],
    })
    await this.writer.commit(batch)
    this.written++
  }
}
