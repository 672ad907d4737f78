// Two sessions build the same index of a chain: one of them may be left of a process that was killed or hangs, because a
// session goes on until its statement is over.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'

const BUILD = `select meta.build_index('wax', 'ledger.swaps', 'transaction')`

for (const end of ['commit', 'rollback'] as const) {
  t.test(`the second session waits for the first one, whose transaction ends with ${end}`, async (t) => {
    const { pool } = await testDatabase(t, { chains: ['wax'] })
    const left = await pool.connect()
    const next = await pool.connect()
    try {
      const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid')
      await left.query('begin')
      await left.query(BUILD)
      const building = next.query(BUILD)
      while (!(await isWaiting(rows[0]?.pid))) await setTimeout(10)
      await left.query(end)
      await building
      t.equal(await countIndexes(), 1)
    } finally {
      left.release()
      next.release()
    }

    async function isWaiting(pid: number | undefined): Promise<boolean> {
      const waiting = await pool.query('select from pg_locks where pid = $1 and not granted', [pid])
      return waiting.rows.length > 0
    }

    async function countIndexes(): Promise<number> {
      const found = await pool.query(`select from pg_indexes where indexname = 'swaps__wax_transaction'`)
      return found.rows.length
    }
  })
}
