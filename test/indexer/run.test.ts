// Indexing as a whole, from a source to the database.
import t from 'tap'
import { RetryableError } from '../../core/errors.ts'
import { type IndexOptions, indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../indexer/source/source.ts'
import { testDatabase } from '../support/database.ts'
import { branchOf, GENESIS, withLib } from '../support/synthetic-chain.ts'

/** Blocks 2 to `count + 1` without content. */
function emptyBlocks(count: number, branch?: string): PackedBlock[] {
  const nothing = { traces: Uint8Array.of(0), deltas: Uint8Array.of(0) }
  return branchOf(GENESIS, count, branch).map((block) => ({ ...block, ...nothing }))
}

function options(url: string, source: BlockSource): IndexOptions {
  return {
    chain: 'quiet',
    databaseUrl: url,
    source,
    accounts: {},
    systemAccount: 'eosio',
    tokenContracts: '*',
    chainId: null,
    startBlock: 2,
    // Their headers have action roots, but the blocks have no actions.
    checksActions: false,
    signal: new AbortController().signal,
    events: { opened() {}, decoded() {}, forked() {}, retrying() {}, committed() {} },
  }
}

t.test('a write that fails is tried again, although no further block comes', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['quiet'] })
  const blocks = emptyBlocks(3)
  const quiet: BlockSource = {
    name: 'quiet',
    async *blocks({ from }, signal) {
      yield* blocks.filter(({ num }) => num >= from)
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  }
  const stop = new AbortController()
  let failures = 0
  await indexChain({
    ...options(url, quiet),
    signal: stop.signal,
    onPoint: (point) => {
      if (point === 'ready' && failures++ === 0) throw new RetryableError('DATABASE_UNAVAILABLE', 'gone for a moment')
    },
    events: { opened() {}, decoded() {}, forked() {}, retrying() {}, committed: () => stop.abort() },
  })
  const { rows } = await pool.query(`select block_num::int4 as num from ledger.blocks where chain = 'quiet' order by 1`)
  t.same(rows, [{ num: 2 }, { num: 3 }, { num: 4 }])
})

t.test('a fork that replaces the first block starts the chain over, also after a restart', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['quiet'] })
  const starts: StartPosition[] = []
  const playing = (...blocks: PackedBlock[]): BlockSource => ({
    name: 'playing',
    async *blocks(start) {
      starts.push(start)
      yield* withLib(blocks, GENESIS)
    },
  })
  const found = async () => {
    const { rows } = await pool.query(
      `select p.first_block::int4 as first, p.block_id as last, p.state_block::int4 as state,
         array(select encode(b.block_id, 'hex') from ledger.blocks b where b.chain = p.chain order by b.block_num) as ids
       from meta.position p where p.chain = 'quiet'`,
    )
    return rows
  }
  const expected = (blocks: PackedBlock[]) => {
    const ids = blocks.map((block) => block.id)
    return [{ first: 2, last: ids.at(-1), state: 2, ids }]
  }
  const [old, second, third] = [emptyBlocks(3), emptyBlocks(4, 'second'), emptyBlocks(2, 'third')]
  await indexChain({ ...options(url, playing(...old, ...second)), fullStateBlock: 2 })
  t.same(await found(), expected(second))
  await indexChain({ ...options(url, playing(...third)), fullStateBlock: 2 })
  t.same(await found(), expected(third))
  const have = second.map(({ num, id }) => ({ num, id }))
  t.match(starts, [
    { from: 2, have: [], lib: undefined },
    { from: 6, have, lib: GENESIS.num },
  ])
})

t.test('rows do not wait for a full batch where blocks take long', async (t) => {
  const { url } = await testDatabase(t, { chains: ['quiet'] })
  const source: BlockSource = {
    name: 'there already',
    async *blocks() {
      yield* emptyBlocks(16)
    },
  }
  const commits: number[] = []
  await indexChain({
    ...options(url, source),
    events: {
      ...{ opened() {}, forked() {}, retrying() {} },
      decoded() {
        const until = performance.now() + 250
        while (performance.now() < until);
      },
      committed: (_last, blocks) => commits.push(blocks),
    },
  })
  t.equal(
    commits.reduce((sum, blocks) => sum + blocks, 0),
    16,
  )
  t.ok(Math.max(...commits) <= 5, `4 seconds of blocks in commits of ${commits}`)
})
