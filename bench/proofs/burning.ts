// Speed of indexing blocks near the head, each with a burn and a certificate: with and without following finality.

import pg from 'pg'
import { itemAt, required } from '../../core/required.ts'
import { indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { Telos } from '../../test/proofs/telos.ts'
import { benchDatabase } from '../support/database.ts'

const FINALIZERS = 21
const PASSES = 3
const ADDRESS = `0x${'c1'.repeat(20)}`

/** Prints blocks per second and the longest time between commits. @param count  number of blocks, each with a burn */
export async function benchBurning(count: number): Promise<void> {
  const blocks = burningBlocks(count)
  const database = await benchDatabase('headwater_bench_burning')
  try {
    const without: Pass[] = []
    const following: Pass[] = []
    for (let i = 0; i < PASSES; i++) {
      without.push(await index(`without${i}`, database.url, blocks, false))
      following.push(await index(`following${i}`, database.url, blocks, true))
    }
    console.log(`${count.toLocaleString('en-US')} blocks up to the head, a burn and ${FINALIZERS} finalizers in each:`)
    for (const [what, passes] of [['finality followed', following] as const, ['without', without] as const]) {
      const { seconds, waited } = passes.reduce((a, b) => (a.seconds < b.seconds ? a : b))
      const rate = Math.round(blocks.length / seconds).toLocaleString('en-US')
      console.log(`  ${what}: ${rate} blocks/s, ${Math.round(waited * 1000)} ms at most between commits`)
    }
  } finally {
    await database.close()
  }
}

function burningBlocks(count: number): PackedBlock[] {
  const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }], FINALIZERS)
  for (let i = 0; i < count; i++) telos.withdraw('USDC', 1n, 1, ADDRESS)
  const { chain } = telos
  const blocks: PackedBlock[] = []
  for (let num = chain.firstBlock; num <= chain.head.num; num++) {
    const { prevId, ...stored } = required(chain.block(num), 'block')
    blocks.push({ kind: 'packed', ...stored, prevId: prevId ?? '0'.repeat(64), head: chain.head, lib: chain.lib })
  }
  return blocks
}

interface Pass {
  seconds: number
  /** Longest time between commits, seconds. */
  waited: number
}

async function index(
  chain: string,
  databaseUrl: string,
  blocks: readonly PackedBlock[],
  isFollowed: boolean,
): Promise<Pass> {
  const source: BlockSource<PackedBlock> = {
    name: 'made',
    async *blocks() {
      yield* blocks
    },
  }
  const started = performance.now()
  let last = started
  let waited = 0
  await indexChain({
    ...{ chain, databaseUrl, source, accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' }, systemAccount: 'eosio' },
    ...{ tokenContracts: '*', chainId: null, startBlock: itemAt(blocks, 0).num, signal: new AbortController().signal },
    finality: isFollowed ? { bridge: 'bridge.svc' } : undefined,
    events: {
      ...{ opened() {}, decoded() {}, forked() {} },
      committed() {
        waited = Math.max(waited, performance.now() - last)
        last = performance.now()
      },
      retrying(error) {
        throw error
      },
    },
  })
  const seconds = (performance.now() - started) / 1000
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int4 as n, (select count(*)::int4 from ledger.bridge_logs where chain = $1 and name = 'wdlog') as burns
     from ledger.finality where chain = $1`,
    [chain],
  )
  await client.end()
  const { n, burns } = rows[0]
  if (isFollowed ? n !== blocks.length || burns < n - 2 : n > 0)
    throw new Error(`${n} rows of finality, ${burns} burns`)
  return { seconds, waited: waited / 1000 }
}
