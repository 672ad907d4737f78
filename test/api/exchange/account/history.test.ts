// Account history over HTTP: actions of recorded accounts, page by page, also while new blocks arrive.
import fc from 'fast-check'
import type { Pool } from 'pg'
import t from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { MEDIUM_RECORDING } from '../../../indexer/replay/medium-recording.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { seedFromEnvironment } from '../../../support/random.ts'
import { toNumber } from '../expected-candles.ts'

const path = new URL('../../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname

const time = `to_char(block_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time`
const place = `global_seq::text as id, encode(trx_id, 'hex') as trx, ${time}`

async function storedDeals(pool: Pool, account: string, condition = 'true') {
  const { rows } = await pool.query(
    `select ${place}, market_id::int4 as market, type, bidder, asker, unit_price::text as price, decimals_base as db, decimals_target as dt,
       amount_base::text as base, amount_target::text as target
     from ledger.deals where (bidder = $1 or asker = $1) and ${condition} order by global_seq desc`,
    [account],
  )
  return rows.map((row) => ({
    _id: row.id,
    market: row.market,
    type: row.type,
    trx_id: row.trx,
    unit_price: toNumber(row.price, 8),
    bidder: row.bidder,
    asker: row.asker,
    bid: row.type === 'buymatch' ? toNumber(row.target, row.dt) : toNumber(row.base, row.db),
    ask: row.type === 'buymatch' ? toNumber(row.base, row.db) : toNumber(row.target, row.dt),
    time: row.time,
  }))
}

async function storedSwaps(pool: Pool, account: string) {
  const { rows } = await pool.query(
    `select ${place}, pool_id::int4 as pool, sender, recipient, sqrt_price_x64::text as price, coalesce(usd, 0)::float8 as usd,
       amount_a::text as a, amount_b::text as b, decimals_a, decimals_b
     from ledger.swaps where $1 in (sender, recipient) order by global_seq desc`,
    [account],
  )
  return rows.map((row) => ({
    _id: row.id,
    pool: row.pool,
    trx_id: row.trx,
    sender: row.sender,
    recipient: row.recipient,
    sqrtPriceX64: row.price,
    totalUSDVolume: row.usd,
    tokenA: toNumber(row.a, row.decimals_a),
    tokenB: toNumber(row.b, row.decimals_b),
    time: row.time,
  }))
}

async function storedEvents(pool: Pool, account: string) {
  const { rows } = await pool.query(
    `select ${place}, position_id::int4 as position, pool_id::int4 as pool, owner, type, amount_a::text as a, amount_b::text as b, decimals_a,
       decimals_b, coalesce(usd, round(coalesce(amount_a * usd_price_a / power(10::numeric, decimals_a), 0)
         + coalesce(amount_b * usd_price_b / power(10::numeric, decimals_b), 0), 8))::float8 as usd
     from ledger.position_events where owner = $1 and type in ('mint', 'burn', 'collect') order by global_seq desc`,
    [account],
  )
  return rows.map((row) => ({
    _id: row.id,
    id: row.position,
    pool: row.pool,
    owner: row.owner,
    type: row.type,
    tokenA: toNumber(row.a, row.decimals_a),
    tokenB: toNumber(row.b, row.decimals_b),
    totalUSDValue: row.usd,
    trx_id: row.trx,
    time: row.time,
  }))
}

/** Follows Link headers to the end. */
async function followPages(api: TestApi, first: string, between: () => Promise<void> = async () => {}) {
  const items: { _id: string }[] = []
  for (let url: string | undefined = first; url !== undefined; ) {
    const answer = await api.get(url)
    items.push(...answer.body)
    url = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
    await between()
  }
  return items
}

const without =
  (...names: string[]) =>
  (item: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  const { pool } = database
  const api = await testApi(t, database)
  const get = async (url: string) => (await api.get(url)).body
  const { rows } = await pool.query('select distinct bidder as account from ledger.deals order by 1')
  const accounts = rows.map(({ account }) => account as string)
  t.ok(accounts.length > 3)

  t.test('ACC-04 ACC-05 GEN-10 deals of an account on either side', async (t) => {
    for (const account of accounts)
      t.same(await get(`/api/v2/account/${account}/deals`), await storedDeals(pool, account), account)
    const { rows: own } = await pool.query('select count(*)::int4 as n from ledger.deals where bidder = asker')
    t.ok(own[0].n > 0, 'some trade with themselves, and each such deal is there once')
  })

  t.test('ACC-02 ACC-03 deals of a market, and of a time when both ends are given', async (t) => {
    const [account] = accounts
    const { rows: middle } = await pool.query(
      `select floor(date_part('epoch', max(block_time)))::int4 - 60 as at from ledger.deals`,
    )
    const { at } = middle[0]
    const url = `/api/v2/account/${account}/deals`
    t.same(await get(`${url}?market=1`), await storedDeals(pool, account!, 'market_id = 1'))
    t.same(await get(`${url}?market=99`), [])
    t.same(await get(`${url}?from=${at}`), await storedDeals(pool, account!), 'from alone')
    t.same(await get(`${url}?to=${at}`), await storedDeals(pool, account!), 'to alone')
    const within = `block_time >= to_timestamp(${at - 60}) and block_time < to_timestamp(${at + 1})`
    const answer = await get(`${url}?from=${at - 60}&to=${at}`)
    t.same(answer, await storedDeals(pool, account!, within))
    t.ok(answer.length > 0)
  })

  t.test('ACC-09 swaps that an account sent or received, each once', async (t) => {
    for (const account of [...accounts, 'swap.svc']) {
      const stored = await storedSwaps(pool, account)
      t.same(await get(`/api/v2/account/${account}/swap-history?limit=10000`), stored, account)
      t.same(await get(`/api/v2/account/${account}/swap-history`), stored.slice(0, 200), `${account}, 200 unless asked`)
      t.equal(new Set(stored.map(({ _id }) => _id)).size, stored.length)
    }
  })

  t.test('ACC-07 ACC-08 position events, of closed positions too', async (t) => {
    const { rows: pools } = await pool.query('select pool_id::int4 as id, symbol_a, symbol_b from state.pools')
    const tokens = new Map(pools.map((row) => [row.id, row]))
    let priced = 0
    const { rows: owners } = await pool.query('select distinct owner from ledger.position_events order by 1')
    for (const { owner } of owners) {
      const answer = await get(`/api/v2/account/${owner}/positions-history?limit=1000`)
      t.same(answer.map(without('tokenAUSDPrice', 'tokenBUSDPrice')), await storedEvents(pool, owner), owner)
      for (const { tokenA, tokenB, tokenAUSDPrice, tokenBUSDPrice, totalUSDValue, pool: number } of answer) {
        const value = tokenA * tokenAUSDPrice + tokenB * tokenBUSDPrice
        t.ok(Math.abs(value - totalUSDValue) <= 1e-8 + 1e-9 * value, 'the value is that of the tokens at these prices')
        const { symbol_a: a, symbol_b: b } = tokens.get(number)
        // The recording is valued at one USD per system token.
        if (a === 'WAX') t.equal(tokenAUSDPrice, 1)
        if (b === 'WAX') t.equal(tokenBUSDPrice, 1)
        priced += Number(tokenAUSDPrice > 0 && tokenBUSDPrice > 0)
      }
    }
    t.ok(priced > 5)
    const { rows: closed } = await pool.query(
      `select owner, position_id::int4 as id from ledger.position_events e where not exists
         (select from state.positions s where s.position_id = e.position_id) limit 1`,
    )
    if (closed.length === 0) return void t.comment('no position of this recording is closed')
    const ids = (await get(`/api/v2/account/${closed[0].owner}/positions-history?limit=1000`)).map(
      ({ id }: { id: number }) => id,
    )
    t.ok(ids.includes(closed[0].id))
  })

  t.test('ACC-01 joined pages of any size equal the table, by skip and by cursor', async (t) => {
    const stored = await storedSwaps(pool, 'alice')
    const ids = stored.map(({ _id }) => _id)
    const url = '/api/v2/account/alice/swap-history'
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 150 }), async (limit) => {
        const bySkip: string[] = []
        for (let skip = 0; skip < ids.length; skip += limit)
          bySkip.push(...(await get(`${url}?limit=${limit}&skip=${skip}`)).map(({ _id }: { _id: string }) => _id))
        const byCursor = (await followPages(api, `${url}?limit=${limit}`)).map(({ _id }) => _id)
        return String(bySkip) === String(ids) && String(byCursor) === String(ids)
      }),
      { numRuns: 8, seed: seedFromEnvironment(), examples: [[100], [ids.length]] },
    )
    t.same(await get(`${url}?skip=${ids.length}`), [])
  })

  t.test('ACC-10 ACC-11 an unknown account has an empty list, an invalid name is 400', async (t) => {
    for (const list of ['deals', 'swap-history', 'positions-history']) {
      t.same(await get(`/api/v2/account/nobody/${list}`), [], list)
      for (const name of ['UPPER', 'a%00b', '%27%3B--', 'abcdefghijklmnop', '1e400', 'alice.', 'a..', 'zzzzzzzzzzzzz'])
        t.equal((await api.get(`/api/v2/account/${name}/${list}`)).status, 400, `${list} of ${name}`)
      for (const name of ['a', '5.a', 'zzzzzzzzzzzzj', 'zzzzzzzzzzzz5'])
        t.same(await get(`/api/v2/account/${name}/${list}`), [], `${list} of ${name}`)
      for (const bad of ['limit=x', 'skip=-1', 'skip=1e400', 'cursor=x', 'limit=1.5'])
        t.equal((await api.get(`/api/v2/account/alice/${list}?${bad}`)).status, 400, bad)
      for (const odd of [
        'cursor=999999999999999-9999999999999999999',
        'skip=9007199254740991',
        'limit=1e30',
        'limit=0&foo=1',
      ])
        t.equal((await api.get(`/api/v2/account/alice/${list}?${odd}`)).status, 200, odd)
    }
    t.equal((await api.get('/api/v2/account/alice/deals?market=1e400')).status, 400)
    t.equal((await api.get('/api/v2/account/alice/deals?from=-1e308&to=1e308')).status, 200)
  })
})

t.test('a page by cursor neither loses nor repeats a row while blocks arrive', async (t) => {
  const database = await testDatabase(t)
  const upTo = (block: number) => indexExchange(database.url, 'wax', new ReplaySource(path), block)
  await upTo(250)
  const api = await testApi(t, database)
  const before = (await storedSwaps(database.pool, 'bob')).map(({ _id }) => _id)
  let block = 250
  const grow = async () => {
    if (block < 540) await upTo((block += 40))
  }
  const seen = await followPages(api, '/api/v2/account/bob/swap-history?limit=20', grow)
  t.ok(before.length > 100 && block > 400)
  t.same(
    seen.map(({ _id }) => _id),
    before,
  )
  const now = (await storedSwaps(database.pool, 'bob')).map(({ _id }) => _id)
  t.ok(now.length > before.length, 'the account went on trading')
  await api.catchUp()
  const all = await api.get('/api/v2/account/bob/swap-history?limit=10000')
  t.same(
    all.body.map(({ _id }: { _id: string }) => _id),
    now,
    'what came in is at the top',
  )
})
