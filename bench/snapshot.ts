// A start from a node's snapshot: time and memory to read the wanted rows from a plain and a compressed file, and to
// write them and the first block to PostgreSQL. Processor time excludes the database server.
// Usage: node --import tsx bench/snapshot.ts [rows] [seed]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { blockId, packBlockHeader, packSignedBlock } from '../core/antelope/block.ts'
import { indexChain } from '../indexer/run.ts'
import { readSnapshot } from '../indexer/source/snapshot/snapshot.ts'
import type { BlockSource, PackedBlock } from '../indexer/source/source.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { type GeneratedSnapshot, generateSnapshot } from './support/snapshot-generator.ts'

const rows = Number(process.argv[2] || 1_400_000)
const seed = Number(process.argv[3] || 1)

const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
const plain = join(folder, 'snapshot.bin')
const database = await benchDatabase('headwater_bench_snapshot')
try {
  console.log(hardware())
  const { bytes, ...snapshot } = generateSnapshot(rows, seed)
  writeFileSync(plain, bytes)
  execFileSync('zstd', ['-q', '-3', plain])
  console.log(`${rows} rows, ${snapshot.balances} of them balances, ${Math.round(bytes.length / 1e6)} MB`)
  await measured('read, nothing wanted', () => read(plain, false))
  await measured('read, everything wanted', () => read(plain, true))
  await measured('read compressed, everything wanted', () => read(`${plain}.zst`, true))
  await measured('into PostgreSQL, compressed', () => index(`${plain}.zst`, snapshot))
  await check(snapshot.balances)
} finally {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measured(what: string, work: () => Promise<unknown>): Promise<void> {
  const [began, used] = [performance.now(), process.cpuUsage()]
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }, 50)
  await work()
  clearInterval(watch)
  const { user, system } = process.cpuUsage(used)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const cpu = ((user + system) / 1e6).toFixed(1)
  console.log(`${what}: ${seconds} s, ${cpu} s of the processor, ${Math.round(memory / 2 ** 20)} MiB at the peak`)
}

async function read(path: string, wants: boolean): Promise<void> {
  let found = 0
  const reading = { onAbi() {}, onRow: () => found++ }
  await readSnapshot(path, { ...reading, wantsAbi: () => wants, wantsTable: () => wants })
  if (wants && found < rows) throw new Error(`${found} rows`)
}

function index(path: string, { num, id, chainId }: Omit<GeneratedSnapshot, 'bytes'>) {
  const none = new Uint8Array(32)
  const header = packBlockHeader({
    ...{ timestamp: 1_600_000_001, producer: 'eosio', confirmed: 0, scheduleVersion: 0, newProducers: null },
    ...{ previous: id, headerExtensions: [], transactionMroot: none, actionMroot: none },
  })
  const at = { num: num + 1, id: blockId(header, num + 1) }
  const block = packSignedBlock(header, new Uint8Array(66), [], [])
  const empty = { traces: Uint8Array.of(0), deltas: Uint8Array.of(0), finality: null }
  const source: BlockSource = {
    name: 'one block',
    async *blocks() {
      yield { kind: 'packed', ...at, prevId: id, head: at, lib: at, block, ...empty } satisfies PackedBlock
    },
  }
  return indexChain({
    ...{ chain: 'bench', databaseUrl: database.url, source, chainId, startBlock: 2, endBlock: at.num },
    ...{ accounts: { amm: 'swap.svc' }, systemAccount: 'eosio', tokenContracts: '*', snapshot: { path } },
    checksActions: false,
    signal: new AbortController().signal,
    events: {
      ...{ opened() {}, committed() {}, decoded() {}, forked() {} },
      retrying(error) {
        throw error
      },
    },
  })
}

/** Every balance must be there. */
async function check(balances: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const result = await client.query(`select count(*)::int as n from state.balances where chain = 'bench'`)
  await client.end()
  if (result.rows[0].n !== balances) throw new Error(`${result.rows[0].n} balances instead of ${balances}`)
  console.log(`${balances} balances in the database`)
}
