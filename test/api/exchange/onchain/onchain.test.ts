// The feed for trackers: blocks, tokens, pools and events of a recorded chain, compared with SQL.
import t from 'tap'
import { MEDIUM_RECORDING } from '../../../indexer/replay/medium-recording.ts'
import { testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { WAX_SCENE } from '../scene.ts'

const path = '/api/v3/feed/onchain'

interface Event {
  block: { blockNumber: number; blockTimestamp: number }
  eventType: string
  txnId: string
  txnIndex: number
  eventIndex: number
  pairId: string
  priceNative?: string
  asset0In?: string
  asset0Out?: string
  asset1In?: string
  asset1Out?: string
  amount0?: string
  amount1?: string
}

/** Whole tokens with all decimals, in PostgreSQL's format. */
const amount = (column: string, decimals: string) =>
  `round(abs(${column}) / power(10::numeric, ${decimals}), ${decimals})::text`

const EXPECTED = `
  with rows as (
    select s.block_num, s.block_time, s.global_seq, s.trx_id, 'swap' as type, s.pool_id, s.sender as maker, s.amount_a, s.amount_b,
      s.decimals_a, s.decimals_b, s.reserve_a, s.reserve_b from ledger.swaps s
    union all
    select block_num, block_time, global_seq, trx_id, case type when 'mint' then 'join' when 'burn' then 'exit' end, pool_id, owner,
      amount_a, amount_b, decimals_a, decimals_b, reserve_a, reserve_b from ledger.position_events where type in ('mint', 'burn')
  ), firsts as (select *, min(global_seq) over (partition by block_num, trx_id) as first from rows)
  select block_num::int, floor(extract(epoch from block_time))::int as time, type, encode(trx_id, 'hex') as trx, pool_id::text as pool, maker,
    (dense_rank() over (partition by block_num order by first) - 1)::int as txn,
    (row_number() over (partition by block_num, trx_id order by global_seq) - 1)::int as event,
    amount_a > 0 as enters, ${amount('amount_a', 'decimals_a')} as a, ${amount('amount_b', 'decimals_b')} as b,
    ${amount('reserve_a', 'decimals_a')} as ra, ${amount('reserve_b', 'decimals_b')} as rb
  from firsts where block_num <= (select lib_num from meta.position) order by global_seq`

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  // On a live chain, the newest blocks are reversible.
  await database.pool.query('update meta.position set lib_num = block_num - 20')
  const api = await testApi(t, database)
  const { rows: positions } = await database.pool.query(
    `select p.first_block::int as first, p.lib_num::int as lib, p.block_num::int as head, floor(extract(epoch from b.block_time))::int as time
     from meta.position p join ledger.blocks b on b.block_num = p.lib_num`,
  )
  const { first, lib, head, time } = positions[0] as { first: number; lib: number; head: number; time: number }
  const events = async (from: number, to: number): Promise<Event[]> =>
    (await api.get(`${path}/events?fromBlock=${from}&toBlock=${to}`)).body.events

  t.test('the latest block is the last irreversible one', async (t) => {
    t.equal(lib, head - 20)
    t.same((await api.get(`${path}/latest-block`)).body, { block: { blockNumber: lib, blockTimestamp: time } })
  })

  t.test('events are the swaps and liquidity of final blocks, numbered within their blocks', async (t) => {
    const { rows } = await database.pool.query(EXPECTED)
    const answered = await events(0, lib)
    t.ok(rows.length > 100, `${rows.length} events`)
    t.ok(new Set(rows.map(({ type }) => type)).size === 3, 'of all kinds')
    const expected = rows.map((row) => {
      const common = {
        block: { blockNumber: row.block_num, blockTimestamp: row.time },
        eventType: row.type,
        txnId: row.trx,
        txnIndex: row.txn,
        eventIndex: row.event,
        maker: row.maker,
        pairId: row.pool,
        reserves: { asset0: row.ra, asset1: row.rb },
      }
      if (row.type !== 'swap') return { ...common, amount0: row.a, amount1: row.b }
      return {
        ...common,
        ...(row.enters ? { asset0In: row.a, asset1Out: row.b } : { asset0Out: row.a, asset1In: row.b }),
      }
    })
    t.same(
      answered.map(({ priceNative: _, ...event }) => event),
      expected,
    )
  })

  t.test('prices equal the pool’s price after the swap, and are never 0', async (t) => {
    const { rows } = await database.pool.query(
      `select (sqrt_price_x64 * sqrt_price_x64 / power(2::numeric, 128) * power(10::numeric, decimals_a - decimals_b))::float8 as price
       from ledger.swaps where block_num <= $1 order by global_seq`,
      [lib],
    )
    const prices = (await events(0, lib)).flatMap(({ priceNative }) => (priceNative === undefined ? [] : [priceNative]))
    t.equal(prices.length, rows.length)
    for (const [i, price] of prices.entries()) {
      t.match(price, /^(0\.\d*[1-9]\d*|[1-9]\d*(\.\d+)?)$/)
      t.ok(Math.abs(Number(price) / rows[i].price - 1) < 1e-12, `${price} and ${rows[i].price}`)
    }
  })

  t.test('any split of the blocks gives the same events', async (t) => {
    const whole = await events(0, lib)
    for (const size of [1, 7, 40]) {
      const parts: Event[] = []
      for (let from = first; from <= lib; from += size)
        parts.push(...(await events(from, Math.min(lib, from + size - 1))))
      t.same(parts, whole, `${size} blocks at once`)
    }
  })

  t.test('reversible blocks are not served, and ranges are bounded', async (t) => {
    const refused = async (query: string) => {
      const { status, body } = await api.get(`${path}/events?${query}`)
      t.same([status, body.error], [400, 'Bad Request'], query)
      return body.message
    }
    t.match(await refused(`fromBlock=0&toBlock=${lib + 1}`), `latest block, ${lib}`)
    t.match(await refused('fromBlock=0&toBlock=5000'), 'at most 5000 blocks')
    t.match(await refused('fromBlock=9&toBlock=8'), 'must not be below')
    for (const query of [
      '',
      'fromBlock=1',
      'fromBlock=-1&toBlock=1',
      'fromBlock=a&toBlock=1',
      'fromBlock=0&toBlock=1e99',
    ])
      await refused(query)
    await database.pool.query('update meta.position set first_block = 30')
    t.match(await refused('fromBlock=0&toBlock=29'), 'history begins with block 30')
    t.match(await refused('fromBlock=29&toBlock=31'), 'history begins with block 30', 'half a range is none')
    t.ok((await events(30, lib)).length > 0)
  })

  t.test('every pool and token has its page', async (t) => {
    const { rows } = await database.pool.query(
      `select p.pool_id::text as id, lower(p.symbol_a) || '-' || p.contract_a as a, lower(p.symbol_b) || '-' || p.contract_b as b,
         p.fee::float8 / 100 as fee, c.block_num::int as block, floor(extract(epoch from c.block_time))::int as time, encode(c.trx_id, 'hex') as trx
       from state.pools p left join ledger.pool_creations c on c.pool_id = p.pool_id order by p.pool_id`,
    )
    t.ok(rows.length > 0)
    for (const row of rows) {
      const { body } = await api.get(`${path}/pair?id=${row.id}`)
      t.same(body.pair, {
        id: row.id,
        dexKey: 'swap.svc',
        asset0Id: row.a,
        asset1Id: row.b,
        createdAtBlockNumber: row.block,
        createdAtBlockTimestamp: row.time,
        createdAtTxnId: row.trx,
        feeBps: row.fee,
      })
      for (const token of [row.a, row.b]) {
        const { asset } = (await api.get(`${path}/asset?id=${token.toUpperCase()}`)).body
        t.match(asset, { id: token, name: asset.symbol, circulatingSupply: asset.totalSupply })
        const { rows: supplies } = await database.pool.query(
          `select ${amount('supply', 'decimals')} as supply, decimals from state.supplies where symbol = $1 and contract = $2`,
          [asset.symbol, asset.metadata.contract],
        )
        t.same([asset.totalSupply, asset.decimals], [supplies[0]?.supply, supplies[0]?.decimals ?? asset.decimals])
      }
    }
    for (const missing of ['pair?id=999', 'pair?id=x', 'pair?id=1e0', 'asset?id=none-nobody', 'asset?id=__proto__'])
      t.equal((await api.get(`${path}/${missing}`)).status, 404, missing)
  })
})

t.test('the newest swaps of all pools, however far back they are', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)
  const { rows } = await database.pool.query(
    `select s.global_seq::text as id, s.block_time as time, s.block_num::int as block, encode(s.trx_id, 'hex') as trx, s.pool_id::int as pool,
       s.sender, (s.amount_a / power(10::numeric, s.decimals_a))::float8 as "tokenA",
       (s.amount_b / power(10::numeric, s.decimals_b))::float8 as "tokenB", p.symbol_a as "symbolA", p.symbol_b as "symbolB"
     from ledger.swaps s join state.pools p using (pool_id) order by s.global_seq desc limit 100`,
  )
  const expected = rows.map((row) => ({ ...row, time: row.time.toISOString() }))
  const newest = async (query = '') => (await api.get(`/api/v3/swaps/newest${query}`)).body
  t.same(await newest(), expected.slice(0, 20))
  t.same(await newest('?limit=3'), expected.slice(0, 3))
  t.same(await newest('?limit=0'), expected)
  t.same(await newest('?limit=1000'), expected)
})
