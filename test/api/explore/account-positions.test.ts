// Value of accounts by hour with their positions, over the recording with forks: at the end of each hour, balances and
// positions must be those of an index of the final branch that ends there.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { canonicalBlocks, readFrames } from '../../indexer/replay/frames.ts'
import { indexExchange, LinearSource } from '../../indexer/replay/index-recording.ts'
import { StretchedSource } from '../../indexer/replay/stretched-source.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and answers have every shape.
type Row = any

const FORKS = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
const BLOCKS_PER_HOUR = 40
const SLOTS = 7200 / BLOCKS_PER_HOUR

/** Whether a text of 8 significant digits is near a double. */
const near = (text: string | null, value: number | null) =>
  value === null ? text === null : text !== null && Math.abs(Number(text) - value) <= 1e-7 * Math.abs(value) + 1e-12

t.test('positions of accounts by hour', async (t) => {
  const database = await testDatabase(t, { chains: ['wax', 'linear'] })
  const { pool, url } = database
  const sql = async (text: string, values: unknown[] = []): Promise<Row[]> => (await pool.query(text, values)).rows
  const forked = new StretchedSource(new ReplaySource(FORKS), SLOTS)
  const { forks } = await indexExchange(url, 'wax', forked, undefined, VALUATION)
  t.equal(forks.length, 12)
  const [{ contracts }] = await sql(
    `select array_agg(distinct c) as contracts from state.pools, unnest(array[contract_a, contract_b]) c where chain = 'wax'`,
  )
  t.ok(contracts.length > 2)
  // One contract's tokens are not trusted.
  const trust = {
    stable: [],
    trusted: contracts.slice(1).map((token: string) => ({ token })),
    scam: [],
    minimumScore: 41,
  }
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { trust })] })
  const trusted = new Set(
    (await api.get('/api/v2/tokens')).body.flatMap((one: Row) => (one.is_trusted ? [one.id] : [])),
  )
  t.ok(trusted.size > 1)

  // Holdings of all accounts at the end of each hour, as the views have them there.
  const ids = canonicalBlocks(await readFrames(FORKS)).map(({ id }) => id)
  const hours = await sql(
    `select hour, block_num::int4 as next from ledger.hour_snapshots where chain = 'wax' order by hour`,
  )
  t.ok(hours.length > 6)
  const truth = new Map<string, { balances: Row[]; positions: Row[]; prices: Map<string, number> }>()
  for (const { hour, next } of hours) {
    const linear = new StretchedSource(new LinearSource(FORKS, ids), SLOTS)
    await indexExchange(url, 'linear', linear, next - 1, VALUATION)
    const balances = await sql(
      `select account as owner, array[token_id] as tokens, array[quantity]::float8[] as amounts from head.balances
       where chain = 'linear' and amount > 0 and token_id = any($1)`,
      [[...trusted]],
    )
    const positions = await sql(
      `select owner, position_id as id, liquidity::text, array[token_a, token_b] as tokens, array[quantity_a, quantity_b]::float8[] as amounts
       from head.positions where chain = 'linear' and liquidity > 0`,
    )
    const prices = await sql(
      `select token_id as id, usd_price::float8 as usd from ledger.price_hours where chain = 'wax' and hour = $1 and token_id = any($2)`,
      [hour, [...trusted]],
    )
    truth.set(hour.toISOString(), { balances, positions, prices: new Map(prices.map(({ id, usd }) => [id, usd])) })
  }

  const expected = (time: string, kind: 'balances' | 'positions', account: string) => {
    const { [kind]: rows, prices } = truth.get(time)!
    const own = rows.filter(({ owner }) => owner === account)
    const values = own
      .filter(({ tokens }) => tokens.every((token: string) => prices.has(token)))
      .map(({ tokens, amounts }) =>
        tokens.reduce((sum: number, token: string, i: number) => sum + amounts[i] * prices.get(token)!, 0),
      )
    const value = values.length === 0 && own.length > 0 ? null : values.reduce((sum, one) => sum + one, 0)
    return { value, unvalued: own.length - values.length, parts: own.length }
  }

  const owners = [
    ...new Set([...truth.values()].flatMap(({ positions }) => positions.map(({ owner }) => owner as string))),
  ]
  t.ok(owners.length > 2)
  const seen = new Set<string>()
  for (const account of owners) {
    const { status, body } = await api.get(`/api/v3/explore/account/${account}/value`)
    t.equal(status, 200)
    t.same(
      body.hours.map((hour: Row) => hour.time),
      [...truth.keys()],
    )
    for (const { time, balances, positions, ...total } of body.hours) {
      const [held, open] = [expected(time, 'balances', account), expected(time, 'positions', account)]
      t.ok(
        near(positions.valueUsd, open.value),
        `${account} ${time}: positions ${positions.valueUsd}, not ${open.value}`,
      )
      t.equal(positions.unvalued, open.unvalued)
      t.ok(near(balances.valueUsd, held.value), `${account} ${time}: balances ${balances.valueUsd}, not ${held.value}`)
      const isUnknown = held.parts + open.parts > 0 && held.value === null && open.value === null
      t.ok(near(total.valueUsd, isUnknown ? null : (held.value ?? 0) + (open.value ?? 0)), `${account} ${time}: total`)
      t.equal(total.unvalued, held.unvalued + open.unvalued)
      if (open.value !== null && open.value > 0) seen.add('valued')
      if (open.unvalued > 0) seen.add('unvalued')
    }
    // A page of the middle has the same hours.
    const middle = body.hours.slice(2, 6)
    const page = await api.get(`/api/v3/explore/account/${account}/value?limit=4&to=${Date.parse(middle.at(-1).time)}`)
    t.same(page.body.hours, middle)
  }
  t.same([...seen].sort(), ['unvalued', 'valued'])

  // The recording has what the test is for: positions that are opened, changed and closed between hours.
  const liquidity = new Map<string, Set<string>>()
  for (const { positions } of truth.values())
    for (const { id, liquidity: amount } of positions) liquidity.set(id, (liquidity.get(id) ?? new Set()).add(amount))
  t.ok(
    [...liquidity.values()].some((amounts) => amounts.size > 2),
    'one changes more than once',
  )
  const [first, last] = [[...truth.values()][0]!, [...truth.values()].at(-1)!]
  const idsOf = ({ positions }: typeof first) => new Set(positions.map(({ id }) => id))
  t.ok(
    [...idsOf(last)].some((id) => !idsOf(first).has(id)),
    'one is opened',
  )
  t.ok(
    [...liquidity.keys()].some((id) => !idsOf(last).has(id)),
    'one is closed',
  )

  t.test('a transfer moves liquidity between accounts from its hour on', async (t) => {
    const [hour] = [...truth.keys()].slice(-4)
    const { positions, prices } = truth.get(hour!)!
    const last = [...truth.values()].at(-1)!
    const moved = last.positions.find(
      ({ id, tokens, liquidity: amount }) =>
        tokens.every((token: string) => prices.has(token)) &&
        positions.some((one) => one.id === id && one.liquidity === amount),
    )
    t.ok(moved)
    const before = (await api.get(`/api/v3/explore/account/${moved.owner}/value`)).body.hours
    // As the contract does it: the receiver gets a position of its own, the sender's is gone.
    await sql(
      `insert into ledger.position_events (chain, block_num, global_seq, block_time, trx_id, pool_id, type, position_id, owner, recipient,
         tick_lower, tick_upper, liquidity, to_position_id, to_liquidity, merged)
       select p.chain, 1, 1, $2::timestamptz + interval '90 minutes', '', p.pool_id, 'transfer', p.position_id, p.owner, 'receiver',
         p.tick_lower, p.tick_upper, p.liquidity, 900000, p.liquidity, false from state.positions p where p.chain = 'wax' and p.position_id = $1`,
      [moved.id, hour],
    )
    await sql(
      `update state.positions set owner = 'receiver', position_id = 900000 where chain = 'wax' and position_id = $1`,
      [moved.id],
    )
    await sql('update meta.position set updated_at = clock_timestamp()')
    const after = (await api.get(`/api/v3/explore/account/${moved.owner}/value`)).body.hours
    const receiver = (await api.get('/api/v3/explore/account/receiver/value')).body.hours
    const usd = (one: Row) => Number(one.positions.valueUsd)
    for (const [i, one] of before.entries()) {
      t.ok(Math.abs(usd(one) - usd(after[i]) - usd(receiver[i])) < 1e-6 * (1 + usd(one)), 'nothing is lost')
      t.equal(usd(receiver[i]) > 0, one.time > hour!, `${one.time}: the receiver has ${receiver[i].positions.valueUsd}`)
    }
  })
})
