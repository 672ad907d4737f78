// Holders from hourly samples, against the samples as they were written.
import t from 'tap'
import { holdersAt } from '../../../../api/exchange/holders/holders.ts'
import { testDatabase } from '../../../support/database.ts'

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
  // An hour that is only being counted for, then one sample after the other; nobody counted 6 hours ago.
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

  t.test('AN-15 the newest sample, and what has changed since 1, 6 and 24 hours before it', async (t) => {
    t.same(
      await holdersAt(wax, AT),
      new Map([
        [TLM, { count: 120, change1h: -5, change6h: null, change24h: 20, truncated: false }],
        [WAX, { count: 5, change1h: null, change6h: null, change24h: null, truncated: true }],
      ]),
    )
  })

  t.test('of chosen tokens, at an earlier moment, of another chain', async (t) => {
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
})
