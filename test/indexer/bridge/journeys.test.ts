// Journeys from wax over telos to an EVM chain and back, block by block. After every step, an empty block replaces the
// step's block, which then comes again. Each view must show its rows from before the step, then its rows from after it.
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { testDatabase } from '../../support/database.ts'
import { ForkingChain, type Step } from './forking-chain.ts'

const WAX = 1181148696416462999n
const ADDRESS = `0x${'aa'.repeat(20)}`
const MEMO = `1:${ADDRESS}|${WAX}:alice`
const encode = (text: string) => new TextEncoder().encode(text)
const quantity = { amount: 5_000_000n, precision: 6, symbol: 'USDC' }

const VIEWS = ['hops', 'deposits', 'withdrawals', 'hop_rows', 'withdrawal_rows', 'gateway_credits', 'transfers']

interface Place {
  chain: 'wax' | 'telos'
  /** The hop's status after the step. */
  status: string
}

type Stage = Place & Step

const bridge = (name: string, data: object) => ({ account: 'bridge.svc', name, data })
const hopLog = (name: string, data: object) => ({ account: 'hop.svc', name, data })

function deposited(nonce: bigint): Stage {
  const token = { token_contract: 'wrap.svc', token_symbol: { precision: 6, code: 'USDC' } }
  const amount = { raw: quantity.amount, canonical: quantity.amount }
  const parties = { bridge: 'bridge.svc', from: 'alice', beneficiary: 'hop.svc', memo: MEMO }
  return { chain: 'wax', status: 'arriving', actions: [bridge('deplog', { nonce, ...token, ...amount, ...parties })] }
}

function parked(nonce: bigint): Stage {
  const proof = { relayer: 'relayer.svc', nonce, proof: Uint8Array.of(1, 2) }
  const park = { domain: WAX, nonce, receiver: 'hop.svc', quantity, memo: encode(MEMO), refund_to: encode('alice') }
  const actions = [{ account: 'gateway.wax', name: 'credit', data: proof }, bridge('parklog', park)]
  return { chain: 'telos', status: 'arriving', actions }
}

/** A burn by the hop contract: its transfer, the bridge's log and row. */
function burn(id: bigint, domain: bigint, recipient: Uint8Array, owner = 'hop.svc'): Required<Step> {
  const { amount } = quantity
  const target = { domain, recipient, deadline: 1_800_000_000n, fee: 0n }
  const side = { vault: encode('bridge.svc'), token: encode('wrap.svc'), memo: new Uint8Array() }
  const transfer = { from: 'hop.svc', to: 'bridge.svc', quantity, memo: '' }
  return {
    actions: [
      { account: 'wrap.svc', name: 'transfer', data: transfer },
      bridge('wdlog', { id, ...target, ...side, amount }),
    ],
    rows: [{ code: 'bridge.svc', table: 'wdraws', key: id, data: { id, owner, quantity, ...target, status: 0 } }],
  }
}

function hopRow(nonce: bigint, wdId: bigint, status: number) {
  const way = { dst_domain: 1n, recipient: ADDRESS, back_domain: WAX, back: 'alice' }
  const data = { id: nonce, src_domain: WAX, src_nonce: nonce, ...way, quantity, wd_id: wdId, status }
  return { code: 'hop.svc', table: 'hops', key: nonce, data }
}

function sent(nonce: bigint, wdId: bigint): Stage {
  const out = burn(wdId, 1n, new Uint8Array(20).fill(0xaa))
  const row = hopRow(nonce, wdId, 0)
  const { status: _, ...logged } = row.data
  const forward = bridge('fwdlog', { domain: WAX, nonce, receiver: 'hop.svc', quantity })
  const actions = [...out.actions, hopLog('hoplog', logged), forward]
  return { chain: 'telos', status: 'sending', actions, rows: [...out.rows, row] }
}

function settled(nonce: bigint, wdId: bigint, released: boolean): Stage {
  return {
    ...{ chain: 'telos', status: released ? 'delivered' : 'bounced' },
    actions: [bridge('settlelog', { id: wdId, released })],
    rows: [hopRow(nonce, wdId, released ? 1 : 2)],
  }
}

function refunded(wdId: bigint): Stage {
  const actions = [bridge('refundlog', { id: wdId, owner: 'hop.svc', quantity })]
  return { chain: 'telos', status: 'bounced', actions }
}

function sentBack(nonce: bigint, wdId: bigint, backId: bigint): Stage {
  const back = burn(backId, WAX, encode('alice'))
  const actions = [...back.actions, hopLog('returnlog', { id: nonce, wd_id: backId })]
  return { chain: 'telos', status: 'returning', actions, rows: [...back.rows, hopRow(nonce, wdId, 3)] }
}

function bounced(nonce: bigint, backId: bigint): Stage {
  const back = burn(backId, WAX, encode('alice'), 'bridge.svc')
  const log = bridge('bouncelog', { domain: WAX, nonce, refund_to: encode('alice'), wd_id: backId })
  return { chain: 'telos', status: 'returning', actions: [...back.actions, log], rows: back.rows }
}

function paid(id: bigint): Stage {
  return { chain: 'wax', status: 'returned', actions: [bridge('paylog', { id, recipient: 'alice', quantity })] }
}

async function open(t: Test): Promise<{ pool: Pool; chains: Record<'wax' | 'telos', ForkingChain> }> {
  const { url, pool } = await testDatabase(t, { chains: ['telos', 'wax'] })
  const common = { bridge: 'bridge.svc', wrap: 'wrap.svc' }
  const telos = await ForkingChain.open({
    ...{ url, chain: 'telos' },
    accounts: { ...common, hop: 'hop.svc', gateways: [{ account: 'gateway.wax', domain: WAX }] },
    abis: {
      ...{ 'bridge.svc': 'bridge.svc.telos', 'hop.svc': 'hop.svc', 'wrap.svc': 'wrap.svc' },
      'gateway.wax': 'gateway',
    },
  })
  const abis = { 'bridge.svc': 'bridge.svc.wax' }
  const wax = await ForkingChain.open({ url, chain: 'wax', accounts: common, abis })
  t.teardown(() => Promise.all([telos.close(), wax.close()]))
  return { pool, chains: { wax, telos } }
}

/** All rows of the bridge's views. */
async function picture(pool: Pool, side: 'head' | 'final'): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const view of VIEWS) {
    const { rows } = await pool.query<{ line: string }>(`select v::text as line from ${side}.${view} v order by 1`)
    found[view] = rows.map(({ line }) => line)
  }
  return found
}

async function status(pool: Pool, side: 'head' | 'final', nonce: bigint): Promise<string | undefined> {
  const { rows } = await pool.query(`select status from ${side}.hops where src_domain = $1 and src_nonce = $2`, [
    ...[WAX, nonce],
  ])
  if (rows.length > 1) throw new Error(`${rows.length} journeys of one deposit`)
  return rows[0]?.status
}

const journeys: [name: string, stages: (nonce: bigint, id: bigint) => Stage[]][] = [
  ['delivered', (nonce, id) => [deposited(nonce), parked(nonce), sent(nonce, id), settled(nonce, id, true)]],
  [
    'expired, recovered and returned',
    (nonce, id) => [
      ...[deposited(nonce), parked(nonce), sent(nonce, id), settled(nonce, id, false), refunded(id)],
      ...[sentBack(nonce, id, id + 1n), paid(id + 1n)],
    ],
  ],
  ['bounced before it is passed on', (nonce, id) => [deposited(nonce), parked(nonce), bounced(nonce, id), paid(id)]],
  ['of which the ledger tells first', (nonce, id) => [parked(nonce), sent(nonce, id), deposited(nonce)]],
]

t.test('journeys through forks', async (t) => {
  const { pool, chains } = await open(t)
  for (const [index, [name, stages]] of journeys.entries()) {
    t.test(name, async (t) => {
      const nonce = BigInt(index)
      let before: string | undefined
      // The first withdrawal has the id 0.
      for (const { chain, status: told, ...step } of stages(nonce, BigInt(10 * index))) {
        const after = told === 'arriving' && before !== undefined ? before : told
        const where = `${chain}: ${step.actions.map((action) => action.name).join(', ')}`
        const earlier = await picture(pool, 'head')
        await chains[chain].push(step)
        t.equal(await status(pool, 'head', nonce), after, `${where} makes it ${after}`)
        t.equal(await status(pool, 'final', nonce), before, `${where}: final views wait`)
        const made = await picture(pool, 'head')
        t.strictNotSame(made, earlier, `${where} is seen`)
        await chains[chain].fork()
        t.strictSame(await picture(pool, 'head'), earlier, `${where} is gone with its block`)
        await chains[chain].fork(step)
        const again = await picture(pool, 'head')
        t.same(counts(again), counts(made), `${where} comes again`)
        t.equal(await status(pool, 'head', nonce), after)
        await chains[chain].settle()
        t.equal(await status(pool, 'final', nonce), after, `${where} is final`)
        t.strictSame(await picture(pool, 'final'), await picture(pool, 'head'), `${where}: both sides are the same`)
        before = after
      }
    })
  }
  t.test('the whole way is told', async (t) => {
    const { rows } = await pool.query(
      `select chain, src_nonce::int4 as nonce, sender, src_trx_id is not null as source, recipient, back, withdrawal_key, back_key,
         dst_trx_id is not null as ended, back_trx_id is not null as back_ended, quantity from head.hops order by nonce`,
    )
    const parties = { chain: 'telos', sender: 'alice', source: true, recipient: ADDRESS, back: 'alice' }
    const whole = { ...parties, quantity: '5.000000' }
    t.strictSame(rows, [
      { ...whole, nonce: 0, withdrawal_key: 'w:0', back_key: null, ended: true, back_ended: false },
      { ...whole, nonce: 1, withdrawal_key: 'w:10', back_key: 'w:11', ended: true, back_ended: true },
      { ...whole, nonce: 2, withdrawal_key: null, back_key: 'w:20', ended: false, back_ended: true },
      { ...whole, nonce: 3, withdrawal_key: 'w:30', back_key: null, ended: false, back_ended: false },
    ])
    const legs = await pool.query('select key, owner, symbol, decimals from head.withdrawals order by id')
    const token = { symbol: 'USDC', decimals: 6 }
    t.strictSame(legs.rows, [
      ...['w:0', 'w:10', 'w:11'].map((key) => ({ key, owner: 'hop.svc', ...token })),
      { key: 'w:20', owner: 'bridge.svc', ...token },
      { key: 'w:30', owner: 'hop.svc', ...token },
    ])
  })
})

function counts(pictures: Record<string, string[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(pictures).map(([view, rows]) => [view, rows.length]))
}
