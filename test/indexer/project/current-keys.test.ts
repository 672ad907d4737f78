// The key derived from a row's table, scope and primary key equals the key from its values, for a real node's rows.
import t from 'tap'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { TABLES } from '../../../indexer/project/projections.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import { recordedBlocks } from '../../support/ship-frames.ts'
import { PROFILE } from '../replay/index-recording.ts'

type Row = Record<string, unknown>

t.test('rows that cannot be decoded have the same keys as rows that can', async (t) => {
  const projector = new Projector({ chain: 'test', accounts: { ...PROFILE, wrap: 'wrap.svc' }, tokenContracts: '*' })
  const watch = new Watch({ ...projector.wanted, system: 'eosio' })
  const book = new AbiBook()
  const compared = new Map<string, number>()
  for (const block of await recordedBlocks()) {
    const decoded = decodeBlock(block, watch, book)
    for (const row of decoded.rows) {
      const alone = { ...decoded, abiChanges: [], actions: [], rows: [row] }
      const made = projector.project(alone).state[0]
      // The same row as a removal, without its value.
      const refused = { ...row, present: false, raw: new Uint8Array(), reasonCode: 'TRUNCATED', reason: 'too short' }
      const gone = projector.project({ ...alone, rows: [], undecodedRows: [refused] }).state[0]
      if (made === undefined && gone === undefined) continue
      const { table, row: key } = gone as { table: string; row: Row }
      const values = (made?.row ?? {}) as Row
      const same = Object.entries(key).every(([name, value]) => String(values[name]) === String(value))
      if (made?.table !== table || !same) t.fail(`${row.code}/${row.table} ${row.primaryKey}`, { made, gone })
      compared.set(table, (compared.get(table) ?? 0) + 1)
    }
  }
  for (const table of ['pools', 'ticks', 'positions', 'orders', 'markets', 'balances', 'supplies', 'wdraws'])
    t.ok((compared.get(table) ?? 0) > 0, `${table}: ${compared.get(table)} rows`)
})

t.test('every projection of current rows declares their key', async (t) => {
  const without = TABLES.filter(({ current }) => current === undefined).map(
    ({ contract, table }) => `${contract}/${table}`,
  )
  t.same(without, ['oracle/datapoints'])
})
