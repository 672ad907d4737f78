// The search against the tables of the database, over a recorded chain.
import type { Pool } from 'pg'
import t from 'tap'
import type { Found } from '../../../api/explore/search/found.ts'
import { parseSearch } from '../../../api/explore/search/query.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

t.test('the forms of a text', (t) => {
  const id = '0000002a'.padEnd(64, 'b')
  t.match(parseSearch(' Alice.X '), { account: 'alice.x', words: ['alice.x'], hash: null, block: null, leg: null })
  t.match(parseSearch('5'), { pool: 5, market: 5, block: { num: 5, idStart: '' }, account: '5' })
  t.match(parseSearch('pool:7'), { pool: 7, market: null, block: null, words: [] })
  t.match(parseSearch(`0x${id.toUpperCase()}`), { hash: id, block: null })
  t.match(parseSearch(id), { hash: id, block: { num: 42, idStart: id } })
  t.match(parseSearch(id.slice(0, 12)), { hash: null, block: { num: 42, idStart: id.slice(0, 12) } })
  t.match(parseSearch('w:12'), { leg: { kind: 'withdrawal', id: 12n } })
  t.match(parseSearch('D:1:18446744073709551615'), { leg: { domain: 1n, nonce: 18446744073709551615n } })
  t.equal(parseSearch('w:18446744073709551616').leg, null)
  t.same(parseSearch('TLM/wax').words, ['tlm', 'wax'])
  t.equal(parseSearch('0123456789abcdef').account, null, 'no name has a 0')
  t.end()
})

/** Columns with names of accounts, as the database's own catalogue has them. */
async function accounts(pool: Pool): Promise<string[]> {
  const columns = [
    'state.balances account, state.positions owner, state.orders account, ledger.swaps sender, ledger.swaps recipient',
    'ledger.transfers from_account, ledger.transfers to_account, ledger.deals bidder, ledger.deals asker',
    'ledger.position_events owner, ledger.order_events account, ledger.incentive_events account, ledger.claim_events owner',
    'ledger.deposit_events account, ledger.deposits sender, ledger.deposits beneficiary, ledger.withdrawals sender',
    'ledger.withdrawal_events account',
  ].flatMap((line) => line.split(', ').map((one) => one.split(' ')))
  const { rows } = await pool.query(
    `${columns.map(([table, column]) => `select ${column} as name from ${table} where ${column} is not null`).join(' union ')} order by 1`,
  )
  return rows.map(({ name }) => name)
}

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const search = async (text: string, more = '') => {
    const { status, body } = await api.get(`/api/v3/explore/search?q=${encodeURIComponent(text)}${more}`)
    t.equal(status, 200, text)
    return body.results as Found[]
  }
  const ids = async (text: string, kind: string) => (await search(text, `&kind=${kind}&limit=100`)).map(({ id }) => id)

  t.test('accounts by the start of their names, whatever table names them', async (t) => {
    const all = await accounts(pool)
    t.ok(all.length > 10, `${all.length} accounts`)
    for (const start of new Set(all.flatMap((name) => [name.slice(0, 1), name.slice(0, 3), name])))
      t.same((await ids(start, 'account')).sort(), all.filter((name) => name.startsWith(start)).slice(0, 100), start)
    const [name] = all as [string]
    t.match((await search(name.toUpperCase()))[0], { kind: 'account', id: name, chain: 'wax', score: 95 })
    t.same(await ids('zzzzzzzzzzzzj', 'account'), [])
  })

  t.test('tokens, pools and markets', async (t) => {
    const { rows: pools } = await pool.query('select * from head.pools order by liquidity desc')
    const { rows: markets } = await pool.query('select * from head.markets')
    const idsOf = (rows: Record<string, unknown>[], key: string) => rows.map((row) => String(row[key])).sort()
    for (const { symbol_a: symbol, contract_a: contract, pool_id: id } of pools.slice(0, 8)) {
      const token = `${symbol.toLowerCase()}-${contract}`
      t.match((await search(token))[0], { kind: 'token', id: token, label: symbol, detail: contract, score: 95 })
      t.ok((await ids(symbol.slice(0, 2), 'token')).includes(token), 'the start of a symbol')
      t.ok((await ids(contract, 'token')).includes(token), 'the contract')
      const of = pools.filter(
        (one) =>
          [one.symbol_a, one.symbol_b].some((part) => part.toLowerCase() === symbol.toLowerCase()) ||
          [one.contract_a, one.contract_b].some((part) => part.includes(symbol.toLowerCase())) ||
          [one.symbol_a, one.symbol_b].some((part) => part.toLowerCase().includes(symbol.toLowerCase())),
      )
      t.same((await ids(symbol, 'pool')).sort(), idsOf(of, 'pool_id').slice(0, 100))
      t.match((await search(`pool:${id}`))[0], { kind: 'pool', id: String(id), score: 100 })
      t.equal((await search(`pool:${id}`)).length, 1)
      t.ok((await search(String(id))).some((one) => one.kind === 'pool' && one.id === String(id)))
    }
    for (const row of markets.slice(0, 5)) {
      const { market_id: id, base_symbol: base, target_symbol: target, base_contract: contract } = row
      t.match((await search(`market:${id}`))[0], { kind: 'market', id: String(id), label: `${base}/${target}` })
      t.ok((await ids(`${target} ${base}`, 'market')).includes(String(id)), 'a pair in either order')
      const ticker = `${base}-${contract}_${target}-${row.target_contract}`
      t.match((await search(ticker, '&kind=market'))[0], { id: String(id), score: 70 }, 'a ticker')
    }
    t.same(await search('pool:999999'), [])
  })

  t.test('blocks by number and by the start of the id, with their finality', async (t) => {
    const { rows } = await pool.query(
      `select b.block_num::int4 as num, encode(b.block_id, 'hex') as id, producer, b.block_num <= p.lib_num as final
       from ledger.blocks b, meta.position p order by 1 desc limit 3`,
    )
    for (const { num, id, producer, final } of rows) {
      const expected = { kind: 'block', id: String(num), detail: `${id} by ${producer}`, final }
      t.match((await search(String(num), '&kind=block'))[0], { ...expected, score: 85 })
      for (const text of [id, id.slice(0, 12).toUpperCase()])
        t.match((await search(text))[0], { ...expected, score: 100 })
    }
    t.same(await ids('ffffffff00', 'block'), [])
    t.same(await ids('4294967296', 'block'), [])
  })

  t.test('transactions by their ids, and their bridge transfers', async (t) => {
    const { rows } = await pool.query(
      `(select encode(trx_id, 'hex') as id, block_num, null as key from ledger.swaps limit 5)
       union all (select encode(trx_id, 'hex'), block_num, 'w:' || id from ledger.withdrawals limit 5)
       union all (select encode(trx_id, 'hex'), block_num, 'd:' || domain || ':' || nonce from ledger.deposit_events limit 5)`,
    )
    t.ok(rows.some(({ key }) => key?.startsWith('w:')))
    t.ok(rows.some(({ key }) => key?.startsWith('d:')))
    for (const { id, block_num: num, key } of rows) {
      const found = await search(id)
      t.match(found[0], { kind: 'transaction', id, detail: new RegExp(`^block ${num}: `), score: 100 })
      if (key !== null) t.ok(found.some((one) => one.kind === 'bridge' && one.id === key))
    }
    t.same(await search('ab'.repeat(32)), [])
  })

  t.test('the transaction that ended a withdrawal, on its own chain or on another one', async (t) => {
    const [released, settled] = ['e1'.repeat(32), 'e2'.repeat(32)]
    const { rows } = await pool.query('select id::text, chain, block_num::text as num from ledger.withdrawals limit 1')
    const { id, chain, num } = rows[0]
    await pool.query(`select meta.add_chain('ethereum'), meta.build_indexes('ethereum')`)
    for (const [table, trx, more] of [
      ['withdrawal_outcomes', released, `'released', decode('aa', 'hex'), 0`],
      ['withdrawal_events', settled, `'settled'`],
    ] as const) {
      const columns = table === 'withdrawal_events' ? 'id, type' : 'id, type, contract, log_index'
      await pool.query(
        `insert into ledger.${table} (chain, block_num, block_time, global_seq, trx_id, ${columns})
         values ($1, ${num}, now(), 1, decode($2, 'hex'), $3, ${more})`,
        [table === 'withdrawal_events' ? chain : 'ethereum', trx, id],
      )
      t.same(await ids(trx, 'bridge'), [`w:${id}`], table)
    }
  })

  t.test('bridge transfers by their keys', async (t) => {
    const { rows } = await pool.query(
      `(select 'w:' || id as key, sender as "from" from ledger.withdrawals limit 4)
       union all (select distinct 'd:' || domain || ':' || nonce, null from ledger.deposit_events limit 4)`,
    )
    t.ok(rows.length > 4)
    for (const { key, from } of rows) {
      const [found] = await search(key)
      t.match(found, { kind: 'bridge', id: key, score: 100 })
      if (from !== null) t.match(found?.detail, new RegExp(`^from ${from} to `))
    }
    t.same(await ids('w:18446744073709551615', 'bridge'), [])
  })

  t.test('limits, order and mistakes', async (t) => {
    const all = await search('e', '&limit=100')
    t.same(
      all.map(({ score }) => score),
      all.map(({ score }) => score).sort((x, y) => y - x),
      'best first',
    )
    const few = await search('e', '&limit=4')
    t.ok(few.length <= 4)
    for (const kind of new Set(few.map((one) => one.kind)))
      t.ok(few.filter((one) => one.kind === kind).length <= 2, `${kind} fills half of the list at most`)
    for (const bad of ['', '?q=', '?q=%20', `?q=${'a'.repeat(101)}`, '?q=a&kind=planets', '?q=a&limit=-1'])
      t.equal((await api.get(`/api/v3/explore/search${bad}`)).status, 400, bad)
    for (const odd of ["'", '%', '\\', '<script>', '🦊', 'a\tb', '../..', 'pool:', 'w:', '_', '//'])
      t.ok(Array.isArray(await search(odd)), odd)
    t.equal((await api.get('/api/v3/explore/search?q=a%00')).status, 200)
  })

  t.test('a search reads indexes, and no table from its start', async (t) => {
    const client = await pool.connect()
    try {
      await client.query('set enable_seqscan = off')
      const { ACCOUNTS_FROM, TRANSACTION, BLOCK_FOUND, LEGS_OF_TRANSACTION } = await import(
        '../../../api/explore/search/sql.ts'
      )
      for (const [text, values] of [
        [ACCOUNTS_FROM, ['wax', 'a', 'azzzz', 20]],
        [TRANSACTION, ['wax', 'ab'.repeat(32)]],
        [BLOCK_FOUND, ['wax', 5, '']],
        [LEGS_OF_TRANSACTION, ['ab'.repeat(32)]],
      ] as const) {
        const { rows } = await client.query(`explain (costs off) ${text}`, [...values])
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        // With sequential scans off, one stands in a plan only where no index serves.
        t.notMatch(plan, /Seq Scan on (?!position|meta)/)
      }
    } finally {
      client.release()
    }
  })
})
