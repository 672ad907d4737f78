// Two indexed days of both simulated chains with their bridge, with candles and scores, for tests of the SQL page.
// History ends in the middle of a day; its last blocks are reversible.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SILENT } from '../../api/http/log.ts'
import { indexChains } from '../../bin/index-chains.ts'
import { loadConfig } from '../../config/load.ts'
import { startDevnet } from '../../devnet/devnet.ts'
import { ExchangeSimulation } from '../../devnet/simulation/exchange-simulation.ts'
import { countHours } from '../../indexer/derive/hours/count.ts'
import { BOARDS, refreshBoard } from '../../indexer/jobs/refresh-boards.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import type { Contents } from '../support/database.ts'

const FOLDER = new URL('../../config/demo/', import.meta.url).pathname
const NAMES = ['wax', 'telos'] as const

/** Options of `testDatabase` for these chains. */
export const DEVNET_HISTORY: Contents = {
  chains: NAMES,
  scene: { name: 'devnet_history', write: ({ url }) => indexDevnetHistory(url) },
}

interface History {
  days?: number
  seed?: number
  /** Milliseconds between blocks. */
  interval?: number
}

/** @param databaseUrl  URL of a migrated database */
async function indexDevnetHistory(
  databaseUrl: string,
  { days = 2, seed = 11, interval = 600_000 }: History = {},
): Promise<void> {
  const end = Date.parse('2026-03-10T15:30:00Z')
  const simulation = (setting: ConstructorParameters<typeof ExchangeSimulation>[0]) => new ExchangeSimulation(setting)
  const net = await startDevnet({
    chains: NAMES,
    simulation,
    days,
    seed,
    end,
    interval,
    lastHourInterval: 60_000,
    live: false,
  })
  const stop = new AbortController()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // The pool ends before its connections, and their database may be dropped in between.
  pool.on('error', () => {})
  try {
    await net.ready
    const { config } = loadConfig({ env: {}, folder: FOLDER, program: { chains: [...NAMES] } })
    const chains = config.chains.map((chain) => {
      const { ship, http, firstBlock } = net.chains.find(({ name }) => name === chain.chain)!
      const start = { startBlock: firstBlock, fullStateBlock: firstBlock }
      return { ...chain, source: { ...chain.source, urls: [ship], http, ...start } }
    })
    const metrics = new IndexerMetrics()
    const { signal } = stop
    const indexing = indexChains({ chains, databaseUrl, signal, log: SILENT, metrics, onProgress() {} })
    const heads = net.chains.map(({ name, chain }) => ({ name, num: chain.head.num }))
    await Promise.race([untilIndexed(pool, heads), indexing])
    stop.abort()
    await indexing
    for (const { chain } of chains) {
      // The indexer builds indexes with the first block that it commits alone, and this history may end before that.
      await pool.query('select meta.build_indexes($1)', [chain])
      await countHours({ chain, databaseUrl })
    }
    for (const board of BOARDS) await refreshBoard(databaseUrl, board)
    await pool.query('vacuum analyze')
  } finally {
    stop.abort()
    await pool.end()
    await net.stop()
  }
}

async function untilIndexed(pool: pg.Pool, heads: { name: string; num: number }[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ chain: string; num: string }>(
      'select chain, block_num::text as num from head.position',
    )
    const at = new Map(rows.map(({ chain, num }) => [chain, Number(num)]))
    if (heads.every(({ name, num }) => (at.get(name) ?? 0) >= num)) return
    await sleep(50)
  }
}
