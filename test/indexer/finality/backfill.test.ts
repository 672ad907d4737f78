// Workers that read separate ranges, one of them across the switch to Savanna, give the same rows as linear indexing.
import t from 'tap'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource, SourceBlock, StartPosition } from '../../../indexer/source/source.ts'
import { verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { sameChains } from '../replay/compare-chains.ts'
import { indexRecording, PROFILE } from '../replay/index-recording.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

/** A node on which all blocks of the recording are final. */
class FinalSource implements BlockSource {
  readonly name = 'final'

  async *blocks({ from, to }: StartPosition, signal: AbortSignal): AsyncGenerator<SourceBlock> {
    for await (const block of new ReplaySource(path).blocks({ from: 0, have: [] }, signal)) {
      if (to !== undefined && block.num > to) return
      if (block.num >= from) yield { ...block, head: { num: 9999, id: '' }, lib: { num: 103, id: '' } }
    }
  }
}

t.test('a backfill by workers follows finality in the order of the ranges', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t, { chains: ['live', 'linear', 'ranges'] })
  const { position } = await indexRecording(databaseUrl, 'linear', new FinalSource())
  const finality = { bridge: PROFILE.bridge, onUnfollowed: (_: number, reason: string) => t.fail(reason) }
  const over = new AbortController()
  const accounts = { ...PROFILE, wrap: 'wrap.svc' }
  const common = { chain: 'ranges', databaseUrl, finality, accounts, pollMs: 20 }
  const working = Array.from({ length: 2 }, () =>
    runWorker({
      ...common,
      source: new FinalSource(),
      ...{ systemAccount: 'eosio', tokenContracts: '*', signal: over.signal },
    }),
  )
  const made = await backfill({
    ...common,
    ...{ chainId: null, startBlock: 2, endBlock: position.num, rangeBlocks: 13, signal: over.signal },
  })
  over.abort()
  await Promise.all(working)
  t.equal(made?.num, position.num)
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int4 as n from ledger.bridge_logs where chain = 'ranges'`,
  )
  t.ok(rows[0]!.n > 20, `${rows[0]!.n} logs of the bridge`)
  await sameChains(t, pool, 'ranges', 'linear')
  t.test('a chain that was followed live has the same certificates and the same digest', async (t) => {
    await indexRecording(databaseUrl, 'live', new ReplaySource(path))
    const { rows: checked } = await pool.query<{ chain: string; n: number }>(
      `select chain, count(*) filter (where verified)::int4 as n from ledger.certificates group by 1 order by 1`,
    )
    t.match(checked, [{ chain: 'linear' }, { chain: 'live' }, { chain: 'ranges' }])
    const counts = checked.map(({ n }) => n)
    t.ok(counts[0]! >= 3 && new Set(counts).size === 1, JSON.stringify(checked))
    const digests = await Promise.all(['live', 'linear'].map((chain) => verifyChain(databaseUrl, chain)))
    t.same(digests[0]!.digest, digests[1]!.digest)
  })
})
