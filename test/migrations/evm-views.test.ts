// Legs with one end on an EVM chain, in every status, from rows inserted by hand. Chain telos holds the ledger and
// mainnet is the indexed EVM chain; block 9 is the last irreversible one of both. Also: queries for a key or a party
// use indexes.
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { testDatabase } from '../support/database.ts'
import { addChain, insert } from './rows.ts'

const ADDRESS = `0x${'aa'.repeat(20)}`
const PARTY = Buffer.alloc(20, 0xaa)
const TOKEN = Buffer.alloc(20, 0x70)
const VAULT = Buffer.alloc(20, 0x11)
const REVERSIBLE = 10

async function scene(t: Test): Promise<Pool> {
  const { pool } = await testDatabase(t, { chains: ['telos', 'mainnet', 'bsc'] })
  await addChain(pool, 'telos')
  await addChain(pool, 'mainnet', 'eip155:1')
  await insert(pool, 'meta.accounts', { chain: 'telos', role: 'hop', account: 'hop.svc' })
  return pool
}

let sequence = 0
const place = () => ({ global_seq: ++sequence, trx_id: Buffer.alloc(32, sequence) })

function deposit(pool: Pool, nonce: number, more: object = {}): Promise<void> {
  const parties = { contract: VAULT, log_index: 0, token: TOKEN, from_address: PARTY, refund_to: PARTY }
  const amounts = { amount: '5000000000000000000', canonical: 500000000, fill_fee: 0, filler: 0 }
  const row = { chain: 'mainnet', nonce, ...parties, ...amounts, telos_to: 'alice', memo: Buffer.alloc(0) }
  return insert(pool, 'ledger.vault_deposits', { ...place(), ...row, ...more })
}

function arrived(pool: Pool, type: string, nonce: number, more: object = {}): Promise<void> {
  const quantity = { amount: 500000000, symbol: 'ETH', decimals: 8 }
  const row = { chain: 'telos', domain: 1, nonce, type, account: 'alice', ...quantity, ...more }
  return insert(pool, 'ledger.deposit_events', { ...place(), ...row })
}

function burn(pool: Pool, id: number, more: object = {}): Promise<void> {
  const side = { vault: VAULT, token: TOKEN, recipient: PARTY, memo: Buffer.alloc(0) }
  const row = { chain: 'telos', id, domain: 1, ...side, amount: 7, deadline: 0, fee: 1, sender: 'alice' }
  return insert(pool, 'ledger.withdrawals', { ...place(), ...row, ...more })
}

function outcome(pool: Pool, type: string, id: number, more: object = {}): Promise<void> {
  const row = { chain: 'mainnet', id, type, contract: VAULT, log_index: 0 }
  return insert(pool, 'ledger.withdrawal_outcomes', { ...place(), ...row, ...more })
}

function bridge(pool: Pool, type: string, id: number, more: object = {}): Promise<void> {
  return insert(pool, 'ledger.withdrawal_events', { ...place(), chain: 'telos', id, type, ...more })
}

async function statuses(pool: Pool, view: string): Promise<Record<string, string>> {
  const { rows } = await pool.query(`select key, status from ${view} order by key`)
  return Object.fromEntries(rows.map(({ key, status }) => [key, status]))
}

t.test('a deposit of an EVM chain is seen, then provable, then has the status given by the ledger', async (t) => {
  const pool = await scene(t)
  for (const nonce of [1, 2, 3, 4, 5, 6]) await deposit(pool, nonce, nonce === 1 ? { block_num: REVERSIBLE } : {})
  await arrived(pool, 'credited', 3)
  const waiting = { memo: Buffer.from('note'), refund_to: PARTY }
  for (const nonce of [4, 5, 6]) await arrived(pool, 'parked', nonce, waiting)
  await arrived(pool, 'forwarded', 5)
  await arrived(pool, 'bounced', 6, { account: null, amount: null, symbol: null, decimals: null, withdrawal_id: 9 })
  t.same(await statuses(pool, 'head.deposits'), {
    ...{ 'd:1:1': 'seen', 'd:1:2': 'provable', 'd:1:3': 'credited' },
    ...{ 'd:1:4': 'parked', 'd:1:5': 'forwarded', 'd:1:6': 'bounced' },
  })
  t.notOk('d:1:1' in (await statuses(pool, 'final.deposits')), 'a block that may go is not in the final views')

  const { rows } = await pool.query(
    `select chain, domain, nonce, owner, recipient, token, amount, refund_to, src_time is not null as timed, length(src_trx_id) as trx
     from head.deposits where key in ('d:1:2', 'd:1:3') order by key`,
  )
  const same = {
    domain: '1',
    owner: ADDRESS,
    recipient: 'alice',
    amount: '500000000',
    refund_to: ADDRESS,
    timed: true,
    trx: 64,
  }
  t.same(rows, [
    { ...same, chain: 'mainnet', nonce: '2', token: `0x${'70'.repeat(20)}` },
    { ...same, chain: 'telos', nonce: '3', token: 'ETH' },
  ])
})

t.test('a fork removes the deposit’s row but not the ledger’s status', async (t) => {
  const pool = await scene(t)
  await deposit(pool, 1, { block_num: REVERSIBLE })
  await arrived(pool, 'credited', 1)
  await pool.query(`delete from ledger.vault_deposits`)
  t.same(await statuses(pool, 'head.deposits'), { 'd:1:1': 'credited' })
})

t.test('the bridge’s route gives the token of a deposit before it arrives', async (t) => {
  const pool = await scene(t)
  const wrapped = { wrapped_contract: 'wrap.svc', wrapped_symbol: 'ETH', wrapped_decimals: 8 }
  const limits = { scale: '10000000000', min: 1, max: 2, backing: 3, deposits_open: true, withdrawals_open: true }
  await insert(pool, 'state.bridge_routes', {
    chain: 'telos',
    id: 1,
    domain: 1,
    vault: VAULT,
    token: TOKEN,
    ...wrapped,
    ...limits,
  })
  await deposit(pool, 1)
  const { rows } = await pool.query('select token, decimals from head.deposits')
  t.same(rows, [{ token: 'ETH', decimals: 8 }])
})

t.test('the logs of its vault and its withdrawals contract decide the status of a withdrawal', async (t) => {
  const pool = await scene(t)
  for (let id = 1; id <= 9; id++) await burn(pool, id, id === 1 ? { block_num: REVERSIBLE } : {})
  await outcome(pool, 'proved', 3)
  await outcome(pool, 'released', 4)
  await outcome(pool, 'proved', 4)
  await outcome(pool, 'voided', 5)
  await outcome(pool, 'expired', 6)
  await outcome(pool, 'expired', 7)
  await bridge(pool, 'settled', 7, { released: false })
  await bridge(pool, 'refunded', 7, { account: 'alice', amount: 7, symbol: 'ETH', decimals: 8 })
  await outcome(pool, 'released', 8, { block_num: REVERSIBLE })
  await bridge(pool, 'settled', 9, { released: true })
  const expected = {
    ...{ 'w:1': 'burned', 'w:2': 'provable', 'w:3': 'provable', 'w:4': 'released', 'w:5': 'expired' },
    ...{ 'w:6': 'expired', 'w:7': 'refunded', 'w:8': 'released', 'w:9': 'released' },
  }
  t.same(await statuses(pool, 'head.withdrawals'), expected)
  const { 'w:1': _, ...final } = { ...expected, 'w:8': 'provable' }
  t.same(await statuses(pool, 'final.withdrawals'), final)
})

t.test('an outcome on another chain does not count', async (t) => {
  const pool = await scene(t)
  await addChain(pool, 'bsc', 'eip155:56')
  await burn(pool, 1)
  await outcome(pool, 'released', 1, { chain: 'bsc' })
  t.same(await statuses(pool, 'head.withdrawals'), { 'w:1': 'provable' })
})

t.test('a journey from an EVM chain begins when its vault takes the deposit', async (t) => {
  const pool = await scene(t)
  const memo = Buffer.from('1181148696416462999:bob|1:0xcd')
  await deposit(pool, 1, { telos_to: 'hop.svc', memo, block_num: REVERSIBLE })
  const { rows } = await pool.query(
    'select key, status, dst_domain, recipient, back_domain, back, sender from head.hops',
  )
  const way = { dst_domain: '1181148696416462999', recipient: 'bob', back_domain: '1', back: '0xcd', sender: ADDRESS }
  t.same(rows, [{ key: 'd:1:1', status: 'arriving', ...way }])
})

t.test('a journey to an EVM chain is delivered when its vault releases', async (t) => {
  const pool = await scene(t)
  const domains = { src_domain: '1181148696416462999', dst_domain: 1, back_domain: '1181148696416462999' }
  const hop = { chain: 'telos', id: 1, src_nonce: 5, ...domains, recipient: ADDRESS, back: 'alice', amount: 7 }
  await insert(pool, 'ledger.hops', { ...place(), ...hop, symbol: 'ETH', decimals: 8, withdrawal_id: 1 })
  await burn(pool, 1)
  t.same(Object.values(await statuses(pool, 'head.hops')), ['sending'])
  await outcome(pool, 'released', 1)
  t.same(Object.values(await statuses(pool, 'head.hops')), ['delivered'])
})

t.test('the chain id of an EVM chain determines its domain, whatever its name', async (t) => {
  const pool = await scene(t)
  await addChain(pool, 'sepolia', 'eip155:11155111')
  const { rows } = await pool.query(
    `select chain, domain from meta.chain_domains where chain in ('mainnet', 'sepolia', 'bsc') order by 1`,
  )
  t.same(rows, [
    { chain: 'bsc', domain: '56' },
    { chain: 'mainnet', domain: '1' },
    { chain: 'sepolia', domain: '11155111' },
  ])
})

t.test('queries for a key or a party scan no table', async (t) => {
  const pool = await scene(t)
  await fill(pool)
  const questions = {
    'a deposit': 'select * from head.deposits where domain = 1 and nonce = 77',
    'a withdrawal': 'select * from head.withdrawals where id = 77',
    'a journey': 'select * from head.hops where src_domain = 1 and src_nonce = 77',
    'the legs of an address': `select * from head.bridge_parties where party = '0x${'00'.repeat(18)}004d' order by block_time desc limit 20`,
    'the legs of an account': `select * from head.bridge_parties where party = 'user77' order by block_time desc limit 20`,
  }
  for (const [what, question] of Object.entries(questions)) {
    const { rows } = await pool.query(`explain (format json) ${question}`)
    t.same(scanned(rows[0]['QUERY PLAN'][0].Plan), [], what)
    t.ok((await pool.query(question)).rows.length > 0, `${what} is found`)
  }
})

/** Twenty thousand legs of each kind. */
async function fill(pool: Pool): Promise<void> {
  const at = `'2026-01-01'::timestamptz + g * interval '1 second', g, 5, decode(lpad(to_hex(g), 64, '0'), 'hex')`
  const bytes = `decode(lpad(to_hex(g), 40, '0'), 'hex')`
  const common = 'chain, block_time, global_seq, block_num, trx_id'
  await pool.query(`
    insert into ledger.vault_deposits (${common}, nonce, contract, log_index, token, from_address, amount, canonical, telos_to, refund_to, fill_fee, filler, memo)
      select 'mainnet', ${at}, g, '\\x11', 0, '\\x70', ${bytes}, 5, 5, 'user' || g, ${bytes}, 0, 0, '' from generate_series(1, 20000) g;
    insert into ledger.deposit_events (${common}, nonce, domain, type, account, amount, symbol, decimals)
      select 'telos', ${at}, g, 1, 'credited', 'user' || g, 5, 'ETH', 8 from generate_series(1, 19000) g;
    insert into ledger.withdrawals (${common}, id, domain, vault, token, recipient, amount, deadline, fee, memo, sender)
      select 'telos', ${at}, g, 1, '\\x11', '\\x70', ${bytes}, 5, 5, 0, '', 'user' || g from generate_series(1, 20000) g;
    insert into ledger.withdrawal_outcomes (${common}, id, type, contract, log_index)
      select 'mainnet', ${at}, g, 'released', '\\x11', 0 from generate_series(1, 19000) g;
    insert into ledger.hops (${common}, id, src_domain, src_nonce, dst_domain, recipient, back_domain, back, amount, symbol, decimals, withdrawal_id)
      select 'telos', ${at}, g, 1, g, 1, '0x' || encode(${bytes}, 'hex'), 1, 'user' || g, 5, 'ETH', 8, g from generate_series(1, 20000) g`)
  for (const chain of ['telos', 'mainnet']) await pool.query('select meta.build_indexes($1)', [chain])
  await pool.query('analyze')
}

/** Tables of more than a few rows that a plan scans completely. */
function scanned(plan: {
  'Node Type': string
  'Relation Name'?: string
  'Plan Rows': number
  Plans?: object[]
}): string[] {
  const large = /^(vault_deposits__mainnet|(deposit_events|withdrawals|hops)__telos|withdrawal_outcomes__mainnet)$/
  const own =
    plan['Node Type'].startsWith('Seq Scan') && large.test(plan['Relation Name'] ?? '') ? [plan['Relation Name']!] : []
  return [...own, ...(plan.Plans ?? []).flatMap((inner) => scanned(inner as Parameters<typeof scanned>[0]))]
}
