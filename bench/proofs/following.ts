// Speed of following finality in a backfill: alone, and as part of indexing blocks without other data.
import pg from 'pg'
import { FinalityFollower } from '../../core/finality/follower.ts'
import { keepStart } from '../../finality-store/savanna.ts'
import { indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { benchDatabase } from '../support/database.ts'
import { type SavannaBlocks, savannaBlocks } from './savanna-blocks.ts'

const BLOCKS = 60_000
const PASSES = 3
const FINALIZERS = 21

/** Prints blocks per second. @param leaves  size of the finality tree */
export async function benchFollowing(leaves: number): Promise<void> {
  const made = savannaBlocks(BLOCKS, leaves, FINALIZERS)
  const rate = (seconds: number) => Math.round(BLOCKS / seconds).toLocaleString('en-US')
  const alone = best(Array.from({ length: PASSES }, () => follow(made)))
  const size = `${BLOCKS.toLocaleString('en-US')} blocks, tree of ${leaves.toLocaleString('en-US')} leaves`
  console.log(`following ${size}, ${FINALIZERS} finalizers:`)
  console.log(`  digests, linkage, tree, claims and rows of every block: ${rate(alone)} blocks/s`)
  const database = await benchDatabase('headwater_bench_following')
  try {
    const without: number[] = []
    const following: number[] = []
    for (let i = 0; i < PASSES; i++) {
      without.push(await index(`without${i}`, database.url, made, false))
      following.push(await index(`following${i}`, database.url, made, true))
    }
    console.log(`  indexed into PostgreSQL with it, indexes included: ${rate(best(following))} blocks/s`)
    console.log(`  the same empty blocks indexed without it: ${rate(best(without))} blocks/s`)
  } finally {
    await database.close()
  }
}

const best = (seconds: readonly number[]): number => Math.min(...seconds)

function follow({ start, blocks }: SavannaBlocks): number {
  const follower = new FinalityFollower({ chain: 'bench', bridge: 'bridge.svc', start })
  const started = performance.now()
  let rows = 0
  for (const block of blocks) rows += follower.follow(block, false).length
  const seconds = (performance.now() - started) / 1000
  if (!follower.isConfirmed || rows !== 2 * blocks.length) throw new Error(`${rows} rows of ${blocks.length} blocks`)
  return seconds
}

async function index(chain: string, databaseUrl: string, { start, blocks }: SavannaBlocks, isFollowed: boolean) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  if (isFollowed) await keepStart(client, chain, start)
  const source: BlockSource<PackedBlock> = {
    name: 'made',
    async *blocks() {
      yield* blocks
    },
  }
  const started = performance.now()
  await indexChain({
    ...{ chain, databaseUrl, source, accounts: { bridge: 'bridge.svc' }, systemAccount: 'eosio', tokenContracts: [] },
    ...{ chainId: null, startBlock: start.lineage.blockNum + 1, signal: new AbortController().signal },
    finality: isFollowed ? { bridge: 'bridge.svc' } : undefined,
    events: {
      ...{ opened() {}, committed() {}, decoded() {}, forked() {} },
      retrying(error) {
        throw error
      },
    },
  })
  const seconds = (performance.now() - started) / 1000
  const { rows } = await client.query('select count(*)::int4 as n from ledger.finality where chain = $1', [chain])
  await client.end()
  if (rows[0].n !== (isFollowed ? blocks.length : 0)) throw new Error(`${rows[0].n} rows of finality`)
  return seconds
}
