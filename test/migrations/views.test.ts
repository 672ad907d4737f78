// The views for rows whose counterpart was removed, is on another chain, or has no name. Rows are inserted by hand,
// because no recording has such rows.
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { AT, addChain, insert, withdrawal } from './rows.ts'

const WAX = '1181148696416462999'
const TELOS = '5073219243131244279'
/** A chain id. Its first 8 bytes are the domain 72623859790382856. */
const CHAIN_ID = `0102030405060708${'00'.repeat(24)}`

t.test('candles of removed pools and markets keep their decimals', async (t) => {
  const { pool } = await testDatabase(t)
  await addChain(pool, 'wax')
  const swap = { sender: 'a', recipient: 'a', amount_a: -300, amount_b: 5000, liquidity: 1, tick: 0, reserve_a: 0 }
  const price = 2n ** 64n
  const decimals = { decimals_a: 2, decimals_b: 3 }
  await insert(pool, 'ledger.swaps', {
    ...swap,
    ...decimals,
    chain: 'wax',
    pool_id: 4,
    reserve_b: 0,
    sqrt_price_x64: price,
  })
  await insert(pool, 'ledger.deals', {
    chain: 'wax',
    market_id: 6,
    type: 'buy',
    bidder: 'a',
    asker: 'b',
    amount_base: 12345,
    amount_target: 678,
    decimals_base: 4,
    decimals_target: 1,
    unit_price: 250000000,
  })
  await pool.query(
    `select meta.refresh_candles('wax', '{amm,spot}', '{4,6}', array_fill($1::timestamptz, '{2}'), null)`,
    ['2026-01-01 00:00:00+00'],
  )
  for (const side of ['head', 'final']) {
    const { rows } = await pool.query(
      `select market_kind, open::float8, close::float8, volume_base, volume_target from ${side}.candles where resolution = '1' order by 1`,
    )
    t.same(
      rows,
      [
        // The price is one raw unit of B for one of A; B has one more decimal.
        { market_kind: 'amm', open: 0.1, close: 0.1, volume_base: '3.00', volume_target: '5.000' },
        { market_kind: 'spot', open: 2.5, close: 2.5, volume_base: '1.2345', volume_target: '67.8' },
      ],
      side,
    )
  }
})

t.test('withdrawals are paid on the chain of their domain', async (t) => {
  const { pool } = await testDatabase(t)
  await addChain(pool, 'wax')
  await addChain(pool, 'telos')
  await addChain(pool, 'xpr')
  await addChain(pool, 'alone')
  const status = async (view: string) =>
    Object.fromEntries(
      (await pool.query(`select chain || ' ' || id as leg, status from head.${view} order by 1`)).rows.map((row) => [
        row.leg,
        row.status,
      ]),
    )
  // Two ledgers, wax and xpr, each with a withdrawal of id 1. Telos pays the withdrawal of wax.
  await insert(pool, 'ledger.withdrawals', withdrawal('wax', 1, TELOS))
  await insert(pool, 'ledger.withdrawals', withdrawal('xpr', 1, '1'))
  await insert(pool, 'ledger.withdrawals', withdrawal('alone', 1, '99'))
  await insert(pool, 'ledger.withdrawals', { ...withdrawal('alone', 2, '1'), global_seq: 2 })
  await insert(pool, 'ledger.withdrawal_events', { chain: 'telos', id: 1, type: 'paid' })
  t.same(await status('withdrawals'), {
    'alone 1': 'provable',
    'alone 2': 'provable',
    'wax 1': 'released',
    'xpr 1': 'provable',
  })
  // A ledger settles only its own withdrawals. A chain without a known name pays its own, but not those to an EVM
  // chain.
  await insert(pool, 'ledger.withdrawal_events', { chain: 'xpr', id: 1, type: 'settled', released: false })
  await insert(pool, 'ledger.withdrawal_events', { chain: 'alone', id: 1, type: 'paid' })
  await insert(pool, 'ledger.withdrawal_events', { chain: 'alone', id: 2, type: 'paid', global_seq: 2 })
  const settled = {
    'alone 1': 'released',
    'alone 2': 'provable',
    'wax 1': 'released',
    'xpr 1': 'expired',
  }
  t.same(await status('withdrawals'), settled)

  const hop = { src_domain: WAX, dst_domain: TELOS, recipient: 'alice', back_domain: WAX, back: 'alice', amount: 7 }
  for (const chain of ['wax', 'xpr'])
    await insert(pool, 'ledger.hops', {
      ...hop,
      chain,
      id: 3,
      src_nonce: 8,
      symbol: 'TOK',
      decimals: 0,
      withdrawal_id: 1,
    })
  t.same(await status('hops'), { 'wax 3': 'delivered', 'xpr 3': 'bounced' })
  await insert(pool, 'ledger.hop_returns', { chain: 'xpr', id: 3, withdrawal_id: 2, global_seq: 2 })
  await insert(pool, 'ledger.withdrawals', { ...withdrawal('xpr', 2, WAX), global_seq: 2 })
  t.equal((await status('hops'))['xpr 3'], 'returning')
  await insert(pool, 'ledger.withdrawal_events', { chain: 'wax', id: 2, type: 'paid', global_seq: 2 })
  t.equal((await status('hops'))['xpr 3'], 'returned')
})

t.test('deposits of every chain are shown', async (t) => {
  const { pool } = await testDatabase(t)
  const chains: [chain: string, chainId: string | null, key: string | null][] = [
    ['wax', null, `d:${WAX}:1`],
    ['xpr', null, 'd:4057084141687023600:1'],
    ['vaulta', null, 'd:12439917377594391589:1'],
    ['dev-net-2', CHAIN_ID, 'd:72623859790382856:1'],
    ['high', `ff${'00'.repeat(31)}`, 'd:18374686479671623680:1'],
    ['nameless', null, null],
  ]
  const token = { token_contract: 'tok', token_symbol: 'TOK', token_decimals: 0, raw: 1, canonical: 1 }
  for (const [chain, chainId] of chains) {
    await addChain(pool, chain, chainId)
    const row = { ...token, chain, nonce: 1, bridge: 'b', sender: 'alice', beneficiary: 'bob', memo: '' }
    await insert(pool, 'ledger.deposits', row)
  }
  const { rows } = await pool.query('select chain, key, status from head.deposits')
  t.same(
    rows.sort((a, b) => (a.chain < b.chain ? -1 : 1)),
    chains.map(([chain, , key]) => ({ chain, key, status: 'provable' })).sort((a, b) => (a.chain < b.chain ? -1 : 1)),
  )
  // The ledger's rows are joined by domain.
  await insert(pool, 'ledger.deposit_events', { chain: 'wax', nonce: 1, domain: '72623859790382856', type: 'credited' })
  const joined = await pool.query(`select chain, status from head.deposits where key = 'd:72623859790382856:1'`)
  t.same(joined.rows, [{ chain: 'wax', status: 'credited' }])
})

t.test('an orphaned block that is indexed again is no longer orphaned', async (t) => {
  const { pool } = await testDatabase(t)
  await addChain(pool, 'wax')
  const block = { chain: 'wax', block_num: 5, prev_id: Buffer.alloc(32), block_time: AT, producer: 'p' }
  for (const byte of [1, 2])
    await insert(pool, 'ledger.orphaned_blocks', { ...block, block_id: Buffer.alloc(32, byte) })
  await insert(pool, 'ledger.blocks', { ...block, block_id: Buffer.alloc(32, 2) })
  const { rows } = await pool.query('select block_id from head.orphaned_blocks')
  t.same(rows, [{ block_id: '01'.repeat(32) }])
})
