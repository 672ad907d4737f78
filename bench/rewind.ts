// A rewind of 360 blocks with their ledger rows, current state and candles, as part of the commit of the new branch's
// first block. Repeats forks on the same history; each figure is one commit.
// Usage: node --import tsx bench/rewind.ts [forks]
import { ChainWriter } from '../indexer/store/writer.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { SyntheticBlocks } from './support/synthetic-blocks.ts'

const DEPTH = 360
const LEDGER_ROWS = 2000
const HISTORY = 20_000
const forks = Number(process.argv[2] || 20)

const database = await benchDatabase('headwater_bench_rewind')
const writer = await ChainWriter.open({ chain: 'bench', databaseUrl: database.url, chainId: null })
try {
  console.log(hardware())
  const chain = new SyntheticBlocks('bench')
  const history = writer.newBatch()
  for (let i = 0; i < HISTORY; i++) history.add(chain.final(i % 2 === 0 ? 6 : 5))
  await writer.commit(history)
  await writer.buildIndexes()
  const times: number[] = []
  let removed = 0
  for (let fork = 0; fork < forks; fork++) {
    const from = chain.next
    const before = chain.rows
    for (let i = 0; i < DEPTH; i++) {
      const batch = writer.newBatch()
      batch.add(chain.reversible(i * LEDGER_ROWS < (chain.rows - before) * DEPTH ? 4 : 6))
      await writer.commit(batch)
    }
    removed = chain.rows - before
    chain.forkTo(from)
    const batch = writer.newBatch()
    batch.add(chain.reversible(5))
    const started = performance.now()
    await writer.commit(batch)
    times.push(performance.now() - started)
    chain.forkTo(from)
    const again = writer.newBatch()
    again.add(chain.final(5))
    await writer.commit(again)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(1)
  console.log(
    `rewind of ${DEPTH} blocks with ${removed} ledger rows, their state and candles, and the new branch's first block:`,
  )
  console.log(`  median ${at(0.5)} ms, worst of ${forks} ${at(1)} ms, fsync included`)
} finally {
  await writer.close()
  await database.close()
}
