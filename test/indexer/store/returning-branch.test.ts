// A replaced branch comes back and may be replaced again; the records of its blocks follow.
import t from 'tap'
import type { ProjectedBlock } from '../../../indexer/store/rows.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const idOf = (num: number, branch: string) =>
  num.toString(16).padStart(8, '0') + branch.charCodeAt(0).toString(16).repeat(28)

/** A block of a branch; all branches fork at block 3. */
function block(num: number, branch: string): ProjectedBlock {
  const [id, prevId] = [idOf(num, num < 3 ? '0' : branch), idOf(num - 1, num < 4 ? '0' : branch)]
  const time = START + num * 500
  const row = { chain: 'test', blockNum: num, blockId: id, prevId, blockTime: time, producer: 'producer1' }
  return {
    ...{ num, id, prevId, time, producer: 'producer1', lib: 2, head: 4 },
    ...{ ledger: [{ table: 'blocks', row }], state: [], candles: [] },
  }
}

t.test('blocks that are canonical again are not among the replaced ones, until they are replaced again', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['test'] })
  const writer = await ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
  t.teardown(() => writer.close())
  const follow = async (branch: string, to = 4) => {
    for (let num = 3; num <= to; num++) {
      const batch = writer.newBatch()
      batch.add(block(num, branch))
      await writer.commit(batch)
    }
    const { rows } = await pool.query(
      'select block_num::int as num, block_id as id, replaced_at as at from head.orphaned_blocks order by 1, 2',
    )
    return rows
  }
  const names = (rows: { id: string }[]) => rows.map(({ id }) => id)
  const both = (branch: string) => [idOf(3, branch), idOf(4, branch)]
  const first = writer.newBatch()
  first.add(block(2, 'A'))
  await writer.commit(first)

  t.same(await follow('A'), [])
  const replaced = await follow('B')
  t.same(names(replaced), both('A'))
  t.same(names(await follow('A', 3)), [idOf(3, 'B'), idOf(4, 'A'), idOf(4, 'B')], 'one block is back, the next not yet')
  t.same(names(await follow('A')), both('B'), 'the first branch is canonical again')
  const { rows: all } = await pool.query(
    "select encode(block_id, 'hex') as id from ledger.orphaned_blocks order by block_num, 1",
  )
  t.same(
    names(all),
    [idOf(3, 'A'), idOf(3, 'B'), idOf(4, 'A'), idOf(4, 'B')],
    'the ledger keeps every header that was undone',
  )

  const again = await follow('C')
  t.same(names(again), [idOf(3, 'A'), idOf(3, 'B'), idOf(4, 'A'), idOf(4, 'B')])
  for (const { num, id, at } of again.filter(({ id }) => both('A').includes(id))) {
    const before = replaced.find((row) => row.id === id)!
    t.ok(at > before.at, `block ${num} was replaced last now, not then`)
  }
})
