// Journeys over the hop contract in every status, from rows inserted by hand. Chain telos holds the ledger; wax is
// indexed too; the EVM chain of domain 1 is not.
import type { Pool } from 'pg'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { AT, addChain, insert, withdrawal } from './rows.ts'

const WAX = '1181148696416462999'
const ADDRESS = `0x${'Aa'.repeat(20)}`
const ONWARD = `1:${ADDRESS}|${WAX}:alice`
/** A reversible block: block 9 is the last irreversible one. */
const REVERSIBLE = 10

class Scene {
  readonly pool: Pool
  private sequence = 0
  private trx = 0

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Inserts rows of one transaction. */
  async add(...rows: [table: string, row: Record<string, unknown>][]): Promise<void> {
    const trx_id = Buffer.alloc(32)
    trx_id.writeUInt32BE(++this.trx)
    for (const [table, row] of rows)
      await insert(this.pool, `ledger.${table}`, { trx_id, global_seq: ++this.sequence, ...row })
  }

  /** Rows of a view by key. */
  async look(view = 'head.hops', columns = 'status'): Promise<Record<string, unknown>> {
    const { rows } = await this.pool.query(`select key, ${columns} from ${view} order by key`)
    return Object.fromEntries(rows.map(({ key, ...row }) => [key, columns === 'status' ? row.status : row]))
  }
}

async function scene(t: { teardown(work: () => Promise<void>): void }): Promise<Scene> {
  const { pool } = await testDatabase(t, { chains: ['telos', 'wax'] })
  for (const chain of ['telos', 'wax']) await addChain(pool, chain)
  await insert(pool, 'meta.accounts', { chain: 'telos', role: 'hop', account: 'hop.svc' })
  return new Scene(pool)
}

function deposit(nonce: number, more: Record<string, unknown> = {}): [string, Record<string, unknown>] {
  const token = { token_contract: 'eosio.token', token_symbol: 'WAX', token_decimals: 8, raw: 5, canonical: 5 }
  const parties = { bridge: 'bridge.svc', sender: 'alice', beneficiary: 'hop.svc', memo: ONWARD }
  return ['deposits', { chain: 'wax', nonce, ...token, ...parties, ...more }]
}

function event(
  type: string,
  nonce: number,
  more: Record<string, unknown> = {},
  domain = WAX,
): [string, Record<string, unknown>] {
  const quantity = { amount: 5, symbol: 'WAX', decimals: 8 }
  const row = { chain: 'telos', domain, nonce, type, account: 'hop.svc', ...quantity, ...more }
  return ['deposit_events', row]
}

const parked = (nonce: number, domain = WAX) =>
  event('parked', nonce, { memo: Buffer.from(ONWARD), refund_to: Buffer.from('alice') }, domain)
/** Members that the log of a bounce lacks: account and amount. */
const bounced = (nonce: number, withdrawalId: number) =>
  event('bounced', nonce, {
    ...{ account: null, amount: null, symbol: null, decimals: null },
    ...{ refund_to: Buffer.from('alice'), withdrawal_id: withdrawalId },
  })
const hop = (id: number, nonce: number, withdrawalId: number): [string, Record<string, unknown>] => {
  const way = { src_domain: WAX, src_nonce: nonce, dst_domain: 1, recipient: 'logged', back_domain: WAX, back: 'alice' }
  return ['hops', { chain: 'telos', id, ...way, amount: 5, symbol: 'WAX', decimals: 8, withdrawal_id: withdrawalId }]
}
const burn = (id: number, domain: string): [string, Record<string, unknown>] => [
  'withdrawals',
  withdrawal('telos', id, domain),
]
const settled = (id: number, released: boolean): [string, Record<string, unknown>] => [
  'withdrawal_events',
  { chain: 'telos', id, type: 'settled', released },
]
const key = (nonce: number, domain = WAX) => `d:${domain}:${nonce}`

t.test('a journey starts as arriving, whichever chain shows its deposit first', async (t) => {
  const made = await scene(t)
  await made.add(deposit(1, { block_num: REVERSIBLE }))
  await made.add(deposit(2))
  await made.add(parked(2))
  await made.add(parked(3, '1'))
  await made.add(event('forwarded', 3, {}, '1'))
  // None of these is a journey: deposits for another account, without a memo, or for the same name on another chain.
  await made.add(deposit(4, { beneficiary: 'bob' }))
  await made.add(deposit(5, { memo: '' }))
  await made.add(event('credited', 6))
  await made.add(event('parked', 7, { chain: 'wax', memo: Buffer.from(ONWARD) }))
  t.same(await made.look(), { [key(1)]: 'arriving', [key(2)]: 'arriving', [key(3, '1')]: 'arriving' })
  t.same(await made.look('final.hops'), { [key(2)]: 'arriving', [key(3, '1')]: 'arriving' })
  const columns = `chain, status, id, withdrawal_key, dst_domain, recipient, back_domain, back, sender, src_trx_id is not null as src_trx,
    start_time = '${AT}' as started, amount, quantity, symbol, decimals, block_num`
  const known = {
    ...{ status: 'arriving', id: null, withdrawal_key: null, dst_domain: '1', recipient: ADDRESS, back_domain: WAX },
    ...{ back: 'alice', sender: 'alice', src_trx: true, started: true, amount: '5', quantity: '0.00000005' },
    ...{ symbol: 'WAX', decimals: 8, block_num: null },
  }
  t.strictSame(await made.look('head.hops', columns), {
    [key(1)]: { chain: 'wax', ...known },
    [key(2)]: { chain: 'telos', ...known },
    [key(3, '1')]: { chain: 'telos', ...known, sender: null, src_trx: false },
  })
})

t.test('the configuration names the hop contract', async (t) => {
  const made = await scene(t)
  await made.add(deposit(1))
  await made.pool.query(`update meta.accounts set account = 'hop2.svc'`)
  t.same(await made.look(), {})
  await made.add(deposit(2, { beneficiary: 'hop2.svc' }))
  t.same(await made.look(), { [key(2)]: 'arriving' })
})

t.test('a journey is sending, delivered, bounced, returning, returned', async (t) => {
  const made = await scene(t)
  await made.add(deposit(1))
  await made.add(parked(1))
  await made.add(event('forwarded', 1), hop(0, 1, 0), burn(0, '1'))
  const status = async (side = 'head') => (await made.look(`${side}.hops`))[key(1)]
  t.equal(await status(), 'sending')
  t.strictSame(
    (await made.look('head.hops', 'id, withdrawal_key, recipient, sender, block_num, trx_id is not null as trx'))[
      key(1)
    ],
    { id: '0', withdrawal_key: 'w:0', recipient: 'logged', sender: 'alice', block_num: '5', trx: true },
    'the log wins over the memo',
  )
  await made.add(['withdrawal_events', { ...settled(0, false)[1], block_num: REVERSIBLE }])
  t.equal(await status(), 'bounced')
  t.equal(await status('final'), 'sending')
  await made.add(['withdrawal_events', { chain: 'telos', id: 0, type: 'refunded', account: 'hop.svc' }])
  t.equal(await status(), 'bounced', 'refunded to the hop contract')
  await made.add(['hop_returns', { chain: 'telos', id: 0, withdrawal_id: 1 }], burn(1, WAX))
  t.equal(await status(), 'returning')
  t.same(await made.look('head.hops', 'back_key, back_trx_id'), { [key(1)]: { back_key: 'w:1', back_trx_id: null } })
  await made.add(['withdrawal_events', { chain: 'wax', id: 1, type: 'paid', account: 'alice' }])
  t.equal(await status(), 'returned')
  t.match(await made.look('head.hops', 'back_trx_id, back_time'), { [key(1)]: { back_trx_id: /^0000000[0-9]0/ } })

  await made.add(parked(2, '1'))
  const toWax = hop(1, 2, 5)
  await made.add(['hops', { ...toWax[1], src_domain: '1', dst_domain: WAX }], burn(5, WAX))
  t.equal((await made.look())[key(2, '1')], 'sending')
  await made.add(['withdrawal_events', { chain: 'wax', id: 5, type: 'paid', account: 'bob' }])
  t.match(await made.look('head.hops', 'status, dst_trx_id, dst_time'), {
    [key(2, '1')]: { status: 'delivered', dst_trx_id: String, dst_time: Date },
  })
})

t.test('a deposit that bounces before it is sent on returns by the withdrawal of the bounce', async (t) => {
  const made = await scene(t)
  for (const nonce of [1, 2, 3]) await made.add(parked(nonce))
  await made.add(bounced(1, 7), burn(7, WAX))
  // The first withdrawal has the id 0, and a bounce without a withdrawal has the id 0 too.
  await made.add(burn(0, WAX), bounced(2, 0))
  await made.add(bounced(3, 0))
  t.same(await made.look(), { [key(1)]: 'returning', [key(2)]: 'returning', [key(3)]: 'bounced' })
  t.same(await made.look('head.hops', 'back_key, withdrawal_key'), {
    [key(1)]: { back_key: 'w:7', withdrawal_key: null },
    [key(2)]: { back_key: 'w:0', withdrawal_key: null },
    [key(3)]: { back_key: null, withdrawal_key: null },
  })
  t.same(await made.look('head.deposits', 'status, back_id, back_key, refund_to'), {
    [key(1)]: { status: 'bounced', back_id: '7', back_key: 'w:7', refund_to: 'alice' },
    [key(2)]: { status: 'bounced', back_id: '0', back_key: 'w:0', refund_to: 'alice' },
    [key(3)]: { status: 'bounced', back_id: null, back_key: null, refund_to: 'alice' },
  })
  for (const id of [0, 7]) await made.add(['withdrawal_events', { chain: 'wax', id, type: 'paid', account: 'alice' }])
  t.same(await made.look(), { [key(1)]: 'returned', [key(2)]: 'returned', [key(3)]: 'bounced' })
})

t.test('an invalid memo is shown as far as it can be decoded', async (t) => {
  const made = await scene(t)
  const memos = [
    Buffer.from([0, 255, 192, 193]),
    Buffer.from('1:bob'),
    Buffer.from(`${'9'.repeat(21)}:bob|1:alice`),
    Buffer.from('1:b\xffb|1:alice', 'latin1'),
    Buffer.from('1:a:b|1:alice'),
    Buffer.from('\\061:bob|1:alice'),
  ]
  for (const [nonce, memo] of memos.entries()) await made.add(event('parked', nonce, { memo }))
  const none = { status: 'arriving', dst_domain: null, recipient: null, back_domain: null, back: null }
  t.strictSame(
    await made.look('head.hops', Object.keys(none).join(', ')),
    Object.fromEntries(memos.map((_, nonce) => [key(nonce), none])),
  )
})

t.test('legs have their token, and a deposit its time of arrival', async (t) => {
  const made = await scene(t)
  const { pool } = made
  await made.add(deposit(1, { raw: 50 }))
  await made.add(parked(2), ['gateway_credits', { chain: 'telos', account: 'gateway.wax', domain: WAX, nonce: 9 }])
  await made.add(['gateway_credits', { chain: 'telos', account: 'gateway.wax', domain: WAX, details: '{}' }], parked(3))
  t.same(await made.look('head.deposits', `status, decimals, arrival_time = '${AT}' as arrived`), {
    [key(1)]: { status: 'provable', decimals: null, arrived: null },
    [key(2)]: { status: 'parked', decimals: 8, arrived: true },
    [key(3)]: { status: 'parked', decimals: 8, arrived: true },
  })
  t.same((await pool.query('select key, nonce from head.gateway_credits order by global_seq')).rows, [
    { key: key(9), nonce: '9' },
    { key: key(3), nonce: '3' },
  ])
  const [, row] = burn(1, WAX)
  await made.add(['withdrawals', { ...row, symbol: 'TOK', decimals: 1 }])
  await made.add(['withdrawals', { ...row, id: 2 }])
  await made.add(['withdrawals', { ...row, id: 3, symbol: 'TOK', decimals: 1 }])
  await made.add(['withdrawals', { ...row, id: 4 }])
  // The ledger counts first: the bridge's table loses its rows.
  for (const id of [3, 4]) {
    const kept = { chain: 'telos', id, domain: WAX, owner: 'carol', amount: 7, recipient: Buffer.from('alice') }
    await insert(pool, 'state.wdraws', { ...kept, symbol: 'WAX', decimals: 0, deadline: 0, fee: 0, status: 0 })
  }
  t.same(await made.look('head.withdrawals', 'owner, symbol, decimals, quantity, vault'), {
    'w:1': { owner: 'alice', symbol: 'TOK', decimals: 1, quantity: '0.7', vault: 'alice' },
    'w:2': { owner: 'alice', symbol: null, decimals: null, quantity: null, vault: 'alice' },
    'w:3': { owner: 'carol', symbol: 'TOK', decimals: 1, quantity: '0.7', vault: 'alice' },
    'w:4': { owner: 'carol', symbol: 'WAX', decimals: 0, quantity: '7', vault: 'alice' },
  })
})
