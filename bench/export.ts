// Exports a million swaps as CSV and as Parquet, compared with the server's own COPY of the same rows without a file.
// Files are read back and compared with SQL.
// Usage: node --expose-gc --import tsx bench/export.ts [swaps]
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { exportView, type Format } from '../indexer/export/export.ts'
import { sourceColumn } from '../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../indexer/export/parquet/writer.ts'
import { findView } from '../indexer/export/view.ts'
import { sumsOfCsv, sumsOfParquet } from './export/sums.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const PER_BLOCK = 5
const MB = 2 ** 20
const ROUNDS = 3

const database = await benchDatabase('headwater_bench_export')
const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-export-'))
const client = new pg.Client(database.url)
await client.connect()
try {
  console.log(hardware())
  await fill()
  const { rows } = await client.query(
    `select count(*)::int8 as rows, sum(amount_a)::text as a, sum(quantity_b)::text as b, sum(usd)::text as usd,
       sum(sqrt_price_x64)::text as prices from final.swaps`,
  )
  const expected = rows[0]
  await compare()
  await writerAlone()
  const csv = await sumsOfCsv(join(folder, 'swaps.csv'))
  const parquet = await sumsOfParquet(join(folder, 'swaps.parquet'))
  for (const [name, found] of [['csv', csv] as const, ['parquet', parquet] as const]) {
    const isSame = Object.entries(found).every(([key, value]) => value === expected[key])
    console.log(
      `${name} read back: ${isSame ? 'the sums of SQL' : `OTHER SUMS ${JSON.stringify({ found, expected })}`}`,
    )
  }
} finally {
  await client.end()
  await rm(folder, { recursive: true })
  await database.close()
}

/**
 * Swaps of 100 pools, five in each block, as the indexer would have written them; the last 100 blocks are reversible.
 */
async function fill(): Promise<void> {
  const blocks = Math.ceil(swaps / PER_BLOCK)
  await client.query(`select meta.add_chain('bench')`)
  await client.query(
    `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
     values ('bench', repeat('0b', 32), 1, $1, repeat('0a', 32), now(), $2, $1, gen_random_uuid())`,
    [blocks, blocks - 100],
  )
  await client.query(
    `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
       decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd, pool_fee, path)
     select 'bench', i % 100, timestamptz '2026-01-01' + i / ${PER_BLOCK} * interval '500 ms', 10000000000 + i, 1 + i / ${PER_BLOCK},
       sha256(int8send(i)), 'trader' || i % 500, 'trader' || i % 500, 1000000 + i * 7919 % 1000000007, -(500000 + i * 104729 % 100000007),
       8, 6, 18446744073709551616 + i::numeric * 1000003, 10000000000000 + i % 1000, i % 2000, 900000000000 + i, 500000000000 - i,
       round((1 + i % 100000)::numeric / 7, 8), 3000, 0
     from generate_series(0::int8, $1::int8 - 1) i`,
    [swaps],
  )
  await client.query(`select meta.build_indexes('bench')`)
  await client.query('vacuum analyze ledger.swaps')
}

interface Measured {
  /** Rows a second. */
  rate: number
  /** Rows per second of this process's CPU time over all threads; unlike `rate`, independent of other load. */
  cpuRate: number
  size: number
  growth: number
}

/** COPY and both exports in turn, so that other load affects all of them; the best round of each counts. */
async function compare(): Promise<void> {
  const best: Partial<Record<'copy' | Format, Measured>> = {}
  const keep = (name: 'copy' | Format, found: Measured) => {
    if (found.rate > (best[name]?.rate ?? 0)) best[name] = found
  }
  await copyAlone()
  for (let round = 0; round < ROUNDS; round++) {
    keep('copy', { rate: await copyAlone(), cpuRate: 0, size: 0, growth: 0 })
    keep('csv', await measure('csv'))
    keep('parquet', await measure('parquet'))
  }
  const rival = best.copy?.rate ?? 0
  console.log(`COPY of the server: ${count(rival)} rows/s, the best of ${ROUNDS} rounds, as below`)
  for (const format of ['csv', 'parquet'] as const) {
    const { rate, cpuRate, size, growth } = best[format] as Measured
    const ratio = (rate / rival).toFixed(2)
    console.log(
      `${format}: ${count(rate)} rows/s (${ratio} of COPY), ${count(cpuRate)} rows a second of CPU here, ${size} MB, ${growth} MB more memory at the peak`,
    )
  }
  console.log(`load at the end ${os.loadavg()[0]?.toFixed(1)}: more than 2 means that other work took part of the time`)
}

/** Rows per second of CPU time over all threads, for the Parquet writer reading from memory. */
async function writerAlone(): Promise<void> {
  const view = await findView(client, 'final.swaps')
  const sources = view.columns.map(sourceColumn)
  const list = sources.map(({ expression }) => expression).join(', ')
  const rows = client.query(
    copyTo(`copy (select ${list} from final.swaps v order by chain, block_num, global_seq limit 300000)
      to stdout (format binary)`),
  )
  const chunks: Buffer[] = []
  for await (const chunk of rows) chunks.push(chunk)
  let [cpuRate, wallRate, bytes] = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    bytes = 0
    const sink = new ParquetSink(sources, (written) => {
      bytes += written.length
    })
    const before = process.cpuUsage()
    const started = performance.now()
    sink.begin()
    for (const chunk of chunks) await sink.add(chunk)
    await sink.end()
    const { user, system } = process.cpuUsage(before)
    cpuRate = Math.max(cpuRate, sink.rows / ((user + system) / 1e6))
    wallRate = Math.max(wallRate, (sink.rows / (performance.now() - started)) * 1000)
    bytes /= sink.rows
  }
  console.log(
    `writer alone: ${count(cpuRate)} rows a second of CPU, ${count(wallRate)} rows/s, ${bytes.toFixed(0)} bytes a row`,
  )
}

/** Rows per second of the server's COPY; its output is discarded. */
async function copyAlone(): Promise<number> {
  const stream = client.query(
    copyTo('copy (select * from final.swaps order by chain, block_num, global_seq) to stdout (format csv)'),
  )
  const started = performance.now()
  for await (const _ of stream);
  return (stream.rowCount / (performance.now() - started)) * 1000
}

async function measure(format: Format): Promise<Measured> {
  const out = join(folder, `swaps.${format}`)
  const options = { url: database.url, view: 'final.swaps', format, out }
  await exportView({ ...options, toBlock: Math.ceil(swaps / PER_BLOCK / 10) })
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const rows = await exportView({ ...options, onRows: watch })
  const rate = (rows / (performance.now() - started)) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate,
    cpuRate: rows / ((user + system) / 1e6),
    size: Math.round(statSync(out).size / MB),
    growth: Math.round((peak - before) / MB),
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
