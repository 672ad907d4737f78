// Banned accounts and scam lists: every list of the contracts, each form of an entry, and its start time.
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { NOW, WAX_SCENE } from '../exchange/scene.ts'

const BANS = '/api/v3/analytics/bans/accounts'
const SCAMS = '/api/v2/config/scam-lists'
const DAY = 86_400_000

t.test('bans and scam lists', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  const day = (days: number) => new Date(NOW + days * DAY).toISOString().slice(0, 10)
  const base = testChain('wax')
  const scam = [
    { token: 'zoo.bad' },
    { token: 'abc.bad', from: day(-2) },
    { token: 'later.bad', from: day(2) },
    { token: 'gold-mint.bad' },
    { token: 'abc.bad' },
    { token: 'air-mint.bad', from: day(-1) },
  ]
  const api = await testApi(t, database, {
    chains: [
      { ...base, accounts: { ...base.accounts, otc: 'otc.svc' }, trust: { ...base.trust, scam } },
      testChain('empty'),
    ],
  })

  t.test('without bans the lists of all three contracts are empty', async (t) => {
    const { status, body } = await api.get(BANS)
    t.equal(status, 200)
    t.same(body.contracts, { dex: 'svcdexmain', swap: 'swap.svc', otc: 'otc.svc' })
    t.same(body.totals, { unique: 0, dex: 0, swap: 0, otc: 0 })
    t.same([body.bySource, body.items, body.errors], [{ dex: [], swap: [], otc: [] }, [], []])
    t.match(body.meta, { chain: 'wax', window: 'all' })
  })

  t.test('accounts of several rows and lists are listed once, with all their sources, by name', async (t) => {
    await pool.query(
      `insert into state.bans values ('wax', 'swap', 1, '{mallory,eve}'), ('wax', 'swap', 2, '{eve}'), ('wax', 'dex', 0, '{trudy,mallory}'),
         ('wax', 'otc', 7, '{mallory}'), ('wax', 'otc', 8, '{}')`,
    )
    const { body } = await api.get(BANS)
    t.same(body.totals, { unique: 3, dex: 2, swap: 2, otc: 1 })
    t.same(body.bySource, { dex: ['mallory', 'trudy'], swap: ['eve', 'mallory'], otc: ['mallory'] })
    t.same(body.items, [
      { account: 'eve', sources: ['swap'] },
      { account: 'mallory', sources: ['dex', 'swap', 'otc'] },
      { account: 'trudy', sources: ['dex'] },
    ])
    // Compared with independent SQL on the view.
    const { rows } = await pool.query(
      `select account, array_agg(distinct source order by source) as sources from head.bans group by 1 order by 1`,
    )
    t.same(
      body.items.map(({ account, sources }: { account: string; sources: string[] }) => ({
        account,
        sources: [...sources].sort(),
      })),
      rows,
    )
  })

  t.test('an account whose ban was lifted is not listed', async (t) => {
    await pool.query(`delete from state.bans where source = 'otc' or row_id = 1`)
    const { body } = await api.get(BANS)
    t.same(
      body.items.map(({ account }: { account: string }) => account),
      ['eve', 'mallory', 'trudy'],
    )
    t.same(body.totals, { unique: 3, dex: 2, swap: 1, otc: 0 })
  })

  t.test('scam lists: contracts and tokens in separate lists, each once, only entries in force', async (t) => {
    const { status, body } = await api.get(SCAMS)
    t.equal(status, 200)
    t.same(body, { scam_contracts: ['abc.bad', 'zoo.bad'], scam_tokens: ['air-mint.bad', 'gold-mint.bad'] })
  })

  t.test('a chain without data answers 503 with a reason, an unknown host 404', async (t) => {
    for (const path of [BANS, SCAMS]) {
      t.equal((await api.get(path, { host: 'empty.localhost' })).status, 503, path)
      const unknown = await api.get(path, { host: 'nowhere.localhost' })
      t.match([unknown.status, unknown.body], [404, { error: 'Unknown network' }], path)
    }
  })
})
