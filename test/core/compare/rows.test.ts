// Rows of two sides. The last rows of each may be missing.
import t from 'tap'
import { differingRows } from '../../../core/compare/rows.ts'
import type { BlockRows } from '../../../core/compare/side.ts'

const COLUMNS = ['block_num', 'name', 'amount']

function rows(pairs: Record<string, string>, more = false): BlockRows {
  return {
    columns: COLUMNS,
    key: ['block_num', 'name'],
    rows: Object.entries(pairs).map((pair) => ['9', ...pair]),
    more,
  }
}

t.test('whole sides', async (t) => {
  t.same(differingRows([rows({ a: '1', b: '2', c: '3' }), rows({ b: '5', c: '3', d: '4' })]), [
    { key: { block_num: '9', name: 'a' }, kind: 'extra', columns: {} },
    { key: { block_num: '9', name: 'b' }, kind: 'changed', columns: { amount: ['2', '5'] } },
    { key: { block_num: '9', name: 'd' }, kind: 'missing', columns: {} },
  ])
})

t.test('rows after the last key of a cut side are not compared', async (t) => {
  const first = { key: { block_num: '9', name: 'a' }, kind: 'extra', columns: {} }
  // The second side is cut later, because it has one row less: `c` may be on the first side too.
  t.same(differingRows([rows({ a: '1', b: '2' }, true), rows({ b: '2', c: '3' }, true)]), [first])
  t.same(differingRows([rows({ b: '2' }, true), rows({ a: '1', b: '2', c: '3' })]), [{ ...first, kind: 'missing' }])
  t.same(differingRows([rows({ a: '1', b: '2', c: '3' }), rows({ b: '2' }, true)]), [first])
})

t.test('keys are in the order of their bytes, as in the database', async (t) => {
  // UTF-16 has U+1F600 before U+FF5E, UTF-8 after it.
  t.same(differingRows([rows({ '～': '1' }, true), rows({ '～': '1', '😀': '2' })]), [])
  t.same(differingRows([rows({ '10': '1' }, true), rows({ '10': '1', '9': '2' })]), [])
})
