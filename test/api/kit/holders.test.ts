// Holder counts from hourly samples, compared with the inserted samples.
import t from 'tap'
import { AllHolders, holdersAt } from '../../../api/kit/holders.ts'
import { testDatabase } from '../../support/database.ts'

const HOUR = 3_600_000
const AT = Date.parse('2026-03-18T09:41:17.500Z')
const LAST = Date.parse('2026-03-18T09:00:00Z')
const [TLM, WAX, OLD] = ['tlm-alien.worlds', 'wax-eosio.token', 'old-tokens.dev'] as const

t.test('holders and their changes', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax'), meta.add_chain('telos')`)
  const sample = (chain: string, token: string, hoursAgo: number, holders: number, truncated = false) =>
    pool.query('insert into derive.holder_samples values ($1, $2, $3, $4, $5, 7)', [
      chain,
      token,
      new Date(LAST - hoursAgo * HOUR),
      holders,
      truncated,
    ])
  // The first entry is an hour that is still being counted. The hour 6 hours ago has no sample.
  for (const [hours, holders] of [
    [-1, 999],
    [0, 120],
    [1, 125],
    [5, 1],
    [7, 2],
    [24, 100],
    [25, 3],
  ] as const)
    await sample('wax', TLM, hours, holders)
  await sample('wax', WAX, 1, 5, true)
  await sample('wax', OLD, 60, 5)
  await sample('telos', TLM, 0, 7)
  const wax = { chain: 'wax', pool }

  t.test('AN-15 the newest sample, and its change over 1, 6 and 24 hours', async (t) => {
    t.same(
      await holdersAt(wax, AT),
      new Map([
        [TLM, { count: 120, change1h: -5, change6h: null, change24h: 20, truncated: false }],
        [WAX, { count: 5, change1h: null, change6h: null, change24h: null, truncated: true }],
      ]),
    )
  })

  t.test('samples of given tokens, at an earlier time, of another chain', async (t) => {
    t.same(
      await holdersAt(wax, LAST - 1, [TLM]),
      new Map([[TLM, { count: 125, change1h: null, change6h: 123, change24h: 122, truncated: false }]]),
    )
    t.same(
      [...(await holdersAt({ chain: 'telos', pool }, AT)).values()].map(({ count }) => count),
      [7],
    )
    t.equal((await holdersAt(wax, AT, [])).size, 0)
  })
  t.test('samples of all tokens are read again after new samples and at the start of an hour', async (t) => {
    const reads: string[] = []
    const query = (text: string, values: unknown[]) => {
      if (text.includes('holder_samples')) reads.push(String(values[1]))
      return pool.query(text, values)
    }
    const all = new AllHolders({ chain: 'wax', pool: { query } as unknown as typeof pool })
    const count = async (at: number) => (await all.at(at)).get(TLM)?.count
    const refreshed = (hours: number) =>
      pool.query(
        `insert into derive.score_snapshots (chain, valid_from, token_id, score) values ('wax', $1, 'wax-eosio.token', 1)`,
        [new Date(LAST + hours * HOUR)],
      )
    t.same([await count(AT), await count(AT)], [120, 120])
    t.equal(reads.length, 2, 'without scores the time of the newest samples is unknown, so each call reads')
    await refreshed(0)
    const first = await all.at(AT)
    t.equal(await all.at(AT + 60_000), first, 'the same object until there are new samples')
    t.equal(reads.length, 3)
    t.equal(await count(LAST + HOUR), 999, 'a sample counts from its hour on')
    t.equal(reads.length, 4)
    await sample('wax', OLD, -1, 6)
    t.notOk((await all.at(LAST + HOUR)).has(OLD))
    await refreshed(1)
    t.equal((await all.at(LAST + HOUR)).get(OLD)?.count, 6)
    t.equal(reads.length, 5)
  })
})
