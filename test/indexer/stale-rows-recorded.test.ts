// A real node's recording with damaged rows. One indexer, workers, and indexing in sessions mark the same rows as
// stale: the current rows that are older than the chain.
import t from 'tap'
import { contractRows } from '../../indexer/decode/deltas.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { planBackfill } from '../../indexer/jobs/plan.ts'
import { takeOverRanges } from '../../indexer/jobs/take-over.ts'
import { runWorker } from '../../indexer/jobs/worker.ts'
import { Projector, type RefusedRow } from '../../indexer/project/projector.ts'
import { type IndexOptions, indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { testDatabase } from '../support/database.ts'
import { recordedBlocks } from '../support/ship-frames.ts'
import { sameRows } from './bootstrap/compare.ts'
import { quiet } from './bootstrap/random-exchange.ts'
import { PROFILE } from './replay/index-recording.ts'

const accounts = { ...PROFILE, wrap: 'wrap.svc' }
const { wanted } = new Projector({ chain: 'test', accounts, tokenContracts: '*' })
const watch = new Watch({ ...wanted, system: 'eosio' })
const DAMAGED = new Set(['pools', 'buyorder', 'sellorder', 'wdraws', 'balances'])

/** Every third change of some tables contains an invalid symbol. The oracle learns the outcome of each row. */
function damage(block: PackedBlock, note: (row: string, isDamaged: boolean, present: boolean) => void): PackedBlock {
  if (!block.deltas) return block
  const deltas = block.deltas.slice()
  for (const { code, scope, table, primaryKey, present, start, end } of contractRows(deltas, watch)) {
    if (!DAMAGED.has(table) || !(code in { 'swap.svc': 1, svcdexmain: 1, 'bridge.svc': 1 })) continue
    const at = deltas.indexOf(0x57, start) // the W of WAX
    const isDamaged = (block.num + Number(primaryKey)) % 3 === 0 && at >= 0 && at < end && deltas[at + 1] === 0x41
    if (isDamaged) deltas[at] = 0x01
    note(`${code} ${scope} ${table} ${primaryKey}`, isDamaged, present)
  }
  return { ...block, deltas }
}

class ListSource implements BlockSource {
  readonly name = 'list'
  private readonly list: readonly PackedBlock[]

  constructor(list: readonly PackedBlock[]) {
    this.list = list
  }

  async *blocks({ from, to = Infinity }: { from: number; to?: number }) {
    for (const block of this.list) if (block.num >= from && block.num <= to) yield block
  }
}

t.test('marks of a damaged history', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['whole', 'sessions', 'workers'] })
  const marks = new Map<string, number>()
  const recorded = await recordedBlocks()
  const last = recorded.at(-1)!
  const end = { num: last.num, id: last.id }
  const list = recorded.map((block) => ({
    ...damage(block, (row, isDamaged, present) => {
      if (isDamaged && present) marks.set(row, block.num)
      else marks.delete(row)
    }),
    lib: end,
    head: end,
  }))
  const source = new ListSource(list)
  const refused: RefusedRow[] = []
  const options = {
    ...{
      databaseUrl: url,
      source,
      accounts,
      systemAccount: 'eosio',
      tokenContracts: '*',
      chainId: null,
      startBlock: 2,
    },
    events: { ...quiet, refused: (row: RefusedRow) => refused.push(row) },
    signal: new AbortController().signal,
  } satisfies Omit<IndexOptions, 'chain'>

  await indexChain({ ...options, chain: 'whole' })
  const found = `select contract || ' ' || scope || ' ' || table_name || ' ' || primary_key || ' since ' || changed_block as line
    from final.stale_rows where chain = $1`
  const lines = async (chain: string) => (await pool.query(found, [chain])).rows.map(({ line }) => line).sort()
  t.ok(marks.size > 5, `${marks.size} rows are damaged at the end`)
  t.same(await lines('whole'), [...marks].map(([row, num]) => `${row} since ${num}`).sort())
  const { rows: counted } = await pool.query(
    `select count(*)::int as n from ledger.undecoded_rows where chain = 'whole'`,
  )
  t.equal(refused.length, counted[0].n, 'each is reported')
  t.match(refused[0], { contract: String, table: String, scope: String, reasonCode: 'INVALID_SYMBOL', block: Number })
  const { rows: pools } = await pool.query(
    `select s.primary_key from head.stale_rows s join head.pools p on p.chain = s.chain and s.current_table = 'pools'
       and s.current_key = array[p.pool_id::text] where s.chain = 'whole'`,
  )
  t.ok(pools.length > 0, 'the view tells which pools are stale')

  for (let to = 2; to <= end.num; to += 60) {
    await indexChain({ ...options, chain: 'sessions', endBlock: Math.min(end.num, to + 59) })
  }
  await sameRows(t, pool, ['state', 'ledger'], 'whole', 'sessions', ['ledger.orphaned_blocks'])

  const boss = await startBoss({ databaseUrl: url, maintenanceSeconds: 1 })
  t.teardown(() => boss.stop({ graceful: false, wait: true }))
  const plan = { chain: 'workers', databaseUrl: url, startBlock: 2, endBlock: end.num, rangeBlocks: 50 }
  let ranges = await planBackfill(boss, plan)
  const stop = new AbortController()
  // All ranges are read before the first one is taken over: no worker knows the marks before its range.
  const finished = () => {
    if (--ranges === 0) stop.abort()
  }
  await runWorker({ ...options, chain: 'workers', signal: stop.signal, pollMs: 10, events: { finished } })
  const reopened: string[] = []
  const events = { reopened: (_: number, reason: string) => reopened.push(reason) }
  // A range that was read without the earlier ABIs is read again.
  const again = new AbortController()
  const helper = runWorker({ ...options, chain: 'workers', signal: again.signal, pollMs: 10, events: {} })
  await takeOverRanges({
    chain: 'workers',
    databaseUrl: url,
    chainId: null,
    accounts,
    boss,
    events,
    signal: options.signal,
    pollMs: 20,
  })
  again.abort()
  await helper
  await sameRows(t, pool, ['state', 'ledger'], 'whole', 'workers', ['ledger.orphaned_blocks'])
  t.comment(`${reopened.length} ranges were read again`)
})
