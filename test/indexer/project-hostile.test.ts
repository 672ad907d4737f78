// Any contract may use the type names of a token contract for its own types. Such rows are not tokens, and must not
// stop the indexer.
import t from 'tap'
import type { DecodedBlock } from '../../indexer/decode/decoded.ts'
import { Projector } from '../../indexer/project/projector.ts'

const position = { num: 7, id: `00000007${'ab'.repeat(28)}` }
const packed = { frame: new Uint8Array(), start: 0, end: 0 }

function block(data: Record<string, unknown>, row: Record<string, unknown>): DecodedBlock {
  const action = { globalSeq: 1n, trxId: 'ab'.repeat(32), ordinal: 1, creatorOrdinal: 0, ...packed }
  const place = { code: 'evil', scope: 'alice', scopeRaw: 1n, primaryKey: 1n, present: true, ...packed }
  return {
    ...position,
    prevId: `00000006${'cd'.repeat(28)}`,
    time: Date.parse('2026-01-01T00:00:00.000Z'),
    producer: 'producer1',
    lib: position,
    head: position,
    actions: [{ ...action, account: 'evil', name: 'transfer', data }],
    rows: [
      { ...place, table: 'accounts', data: { balance: row } },
      { ...place, table: 'stat', data: { supply: row, max_supply: row, issuer: 'alice' } },
    ],
    undecoded: [],
    undecodedRows: [],
    abiChanges: [],
  }
}

const asset = { amount: 5n, precision: 4, symbol: 'TOK' }
const transfer = { from: 'alice', to: 'bob', quantity: asset, memo: '' }

const hostile: [string, Record<string, unknown>][] = [
  ['no precision', { amount: 5n, symbol: 'TOK' }],
  ['an amount beyond 63 bits', { ...asset, amount: 1n << 63n }],
  ['a symbol that is no symbol', { ...asset, symbol: 'x'.repeat(10_000) }],
  ['an amount that is a number', { ...asset, amount: 5 }],
  ['a precision that is text', { ...asset, precision: '4' }],
]

t.test('values that only share names with a token yield no rows', (t) => {
  const projector = new Projector({ chain: 'test', accounts: {}, tokenContracts: '*' })
  for (const [what, value] of hostile) {
    const rows = projector.project(block({ ...transfer, quantity: value }, value))
    t.same(
      rows.ledger.map(({ table }) => table),
      ['blocks'],
      what,
    )
    t.same(rows.state, [], what)
  }
  for (const from of ['x'.repeat(5000), 'Not A Name', 7]) {
    const rows = projector.project(block({ ...transfer, from }, { amount: 5n }))
    t.same(
      rows.ledger.map(({ table }) => table),
      ['blocks'],
      String(from).slice(0, 20),
    )
  }
  t.end()
})

t.test('a standard token yields rows', (t) => {
  const projector = new Projector({ chain: 'test', accounts: {}, tokenContracts: '*' })
  const rows = projector.project(block(transfer, asset))
  t.same(
    rows.ledger.map(({ table }) => table),
    ['blocks', 'transfers'],
  )
  t.same(
    rows.state.map(({ table }) => table),
    ['balances', 'balance_hours', 'supplies'],
  )
  t.end()
})

t.test(
  'actions and rows of a configured token contract are watched by name, so that undecodable ones are stored',
  (t) => {
    const projector = new Projector({ chain: 'test', accounts: { wrap: 'wrap.svc' }, tokenContracts: ['usdt.svc'] })
    t.ok(projector.wanted.actions.get('usdt.svc')?.has('transfer'))
    t.ok(projector.wanted.actions.get('wrap.svc')?.has('transfer'))
    t.ok(projector.wanted.tables.get('usdt.svc')?.has('accounts'))
    t.end()
  },
)
