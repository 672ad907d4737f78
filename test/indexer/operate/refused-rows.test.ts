import t from 'tap'
import { RefusedRows } from '../../../indexer/operate/refused-rows.ts'

t.test('the first ten undecodable rows are logged, then one line says that there are more', async (t) => {
  const lines: [string, Record<string, unknown>][] = []
  let now = 1_000_000
  const rows = new RefusedRows({
    chain: 'wax',
    warn: (message, fields) => lines.push([message, fields]),
    now: () => now,
  })
  const place = {
    contract: 'swap.svc',
    table: 'pools',
    scope: 'swap.svc',
    reasonCode: 'TRUNCATED',
    reason: 'too short',
  }
  const note = (block: number) => rows.note({ ...place, block, primaryKey: 7n })
  for (let block = 1; block <= 500; block++) note(block)
  t.equal(lines.length, 11)
  t.same(lines[0]?.[1], {
    ...{ chain: 'wax', block: 1, contract: 'swap.svc', table: 'pools', scope: 'swap.svc', primaryKey: '7' },
    ...{ code: 'TRUNCATED', reason: 'too short' },
  })
  t.match(lines[10]?.[0], /more rows/)
  now += 60_000
  note(501)
  t.match(lines.slice(11), [
    ['rows of contracts could not be decoded', { chain: 'wax', rows: 500 }],
    [/a row of a contract/, { block: 501 }],
  ])
})
