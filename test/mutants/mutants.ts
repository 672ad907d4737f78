// Bugs that an indexer can have, as small changes of the source. The named test must fail for each; a bug that survives
// shows a gap in the test. The text to be changed must occur exactly once in its file.

export interface Mutant {
  name: string
  file: string
  from: string
  to: string
  /** `simulation`, or a test file. */
  suite: string
  /** Whether `npm test` plants it; all are planted in long runs. */
  quick?: boolean
}

const WRITER_SQL = 'migrations/code/functions/050_writer.sql'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a fork leaves the rows of one table',
    file: WRITER_SQL,
    from: `c.relname <> 'orphaned_blocks'`,
    to: `c.relname not in ('orphaned_blocks', 'order_events')`,
    suite: 'simulation',
    quick: true,
  },
  {
    name: 'a fork removes rows from the block after the first one',
    file: WRITER_SQL,
    from: `execute format('delete from ledger.%I where block_num between $1 and $2', name || '__' || chain_name)`,
    to: `execute format('delete from ledger.%I where block_num between $1 + (case when %1$L like ''deals%%'' then 1 else 0 end) and $2', name || '__' || chain_name)`,
    suite: 'simulation',
  },
  {
    name: 'the position moves in a transaction of its own',
    file: 'indexer/store/writer.ts',
    from: 'await this.writeBlocks(batch, result)',
    to: `this.script.add('commit; begin'); await this.writeBlocks(batch, result)`,
    suite: 'simulation',
    quick: true,
  },
  {
    name: 'ABIs of a lost branch stay in force',
    file: 'indexer/run.ts',
    from: 'abis.rewind(block)',
    to: '',
    suite: 'simulation',
    quick: true,
  },
  {
    name: 'candles stay as the lost branch left them',
    file: WRITER_SQL,
    from: 'perform meta.restore_candles(chain_name, from_block);',
    to: '',
    suite: 'simulation',
  },
  {
    name: 'current rows are replaced without being kept for a rewind',
    file: 'indexer/store/state.ts',
    from: 'if (undoBlock !== null) script.add',
    to: `if (undoBlock !== null && table.name !== 'balances') script.add`,
    suite: 'simulation',
  },
  {
    name: 'equal actions of a transaction count once',
    file: 'indexer/project/projector.ts',
    from: 'for (const action of block.actions) {',
    to: `const digests = new Set<string>()
    for (const action of block.actions) {
      const digest = JSON.stringify([action.trxId, action.account, action.name, action.data], (_, v) => (typeof v === 'bigint' ? String(v) : v))
      if (digests.has(digest)) continue
      digests.add(digest)`,
    suite: 'simulation',
  },
  {
    name: 'blocks that are not there yet count as irreversible',
    file: 'indexer/store/position.ts',
    from: 'Math.min(block.lib, block.num)',
    to: 'Math.min(block.lib, block.num) + (block.lib >= block.num ? 1 : 0)',
    suite: 'simulation',
  },
  {
    name: 'before-images are forgotten while a rewind may need them',
    file: 'indexer/store/writer.ts',
    from: 'this.forgetUndo(Math.min(batch.lib, last.num))',
    to: 'this.forgetUndo(last.num)',
    suite: 'simulation',
    quick: true,
  },
  {
    name: 'the queue between node and indexer has no bound',
    file: 'indexer/source/ship/credits.ts',
    from: 'const fitting = Math.floor((this.#budget - queued) / this.#estimate)',
    to: 'const fitting = this.#maximum',
    suite: 'test/indexer/source/ship.test.ts',
  },
  {
    name: 'a failed write is noticed with the next block only',
    file: 'indexer/session.ts',
    from: `this.failure = { error }
      this.over.abort()`,
    to: 'this.failure = { error }',
    suite: 'test/indexer/run.test.ts',
  },
  {
    name: 'a writer does not look whether it still is the one',
    file: WRITER_SQL,
    from: 'p.writer = token and',
    to: '',
    suite: 'test/crash/two-writers.test.ts',
  },
  {
    name: 'a second writer takes the chain from the first',
    file: 'migrations/code/functions/080_leases.sql',
    from: 'if until > clock_timestamp() or backend.is_working or backend.has_worked then',
    to: 'if false then',
    suite: 'test/crash/two-writers.test.ts',
  },
]
