// Lists of the analytics over HTTP: figures compared with SQL over rows and trades, order, search and paging.
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { id, MARKETS, NFT, NOW, POOLS, TLM, USDT, WAX, WAX_SCENE } from '../exchange/scene.ts'

const DAY = 86_400_000
/** Locks end at whole seconds. */
const UNLOCK = Math.floor(NOW / 1000) * 1000 + 10 * DAY
const PATH = '/api/v3/analytics'
const SPANS: Record<string, number> = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY, all: 3650 * DAY }
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

interface TokenShape {
  volume: { total: number }
  liquidity: { tvl: number; locked: { usd: number } }
  tx: { total: number }
  price: { usd: number }
  createdAt: string
}

interface Traded {
  usd: number
  trades: number
  /** Trades without a USD value. */
  unknown: number
}

t.test('lists of the analytics', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  await pool.query(
    `insert into state.positions (chain, pool_id, position_id, owner, tick_lower, tick_upper, liquidity, fee_growth_inside_a_last_x64,
       fee_growth_inside_b_last_x64, fees_a, fees_b)
     values ('wax', 0, 1, 'holder', -443580, 443580, 1000000, 0, 0, 0, 0), ('wax', 3, 2, 'holder', -443580, 443580, 0, 0, 0, 0, 0),
       ('wax', 3, 3, 'holder2', -443580, 443580, 500000, 0, 0, 0, 0)`,
  )
  await pool.query(`insert into state.locks values ('wax', 1, $1), ('wax', 3, $2)`, [
    new Date(UNLOCK),
    new Date(NOW - DAY),
  ])
  const farm = (number: number, finish: number) =>
    pool.query(
      `insert into state.incentives (chain, incentive_id, creator, pool_id, contract, symbol, decimals, amount, period_finish, duration,
         reward_rate_e18, total_staking_weight, stakes)
       values ('wax', $1, 'farmer', 0, 'eosio.token', 'WAX', 8, 500000000000, $2, 86400, $3, $4, 3)`,
      [number, new Date(finish), (10n ** 27n).toString(), (10n ** 11n).toString()],
    )
  await farm(1, NOW + 5.5 * DAY)
  await farm(2, NOW - DAY)
  await pool.query(`insert into state.bans values ('wax', 'swap', 1, '{thief}'), ('wax', 'dex', 0, '{thief,liar}')`)
  const config = testChain('wax', 'dev', {
    usdToken: id(USDT),
    price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
    trust: {
      stable: [],
      trusted: [{ token: id(TLM) }],
      scam: [{ token: 'nfts.dev' }, { token: 'x-later.dev', from: '2099-01-01' }],
      minimumScore: 41,
    },
  })
  const told = { name: 'Alien Worlds', website: { link: 'https://tlm.test' }, tags: ['games'] }
  const fundamentals = { wax: new Map([[`TLM@${TLM.contract}`, told]]) }
  const api = await testApi(t, database, { chains: [config], fundamentals })
  const get = async (path: string) => {
    const answer = await api.get(`${PATH}${path}`)
    t.equal(answer.status, 200, path)
    return answer.body
  }
  const v2 = new Map<number, Record<string, number>>(
    (await api.get('/api/v2/swap/pools')).body.map((one: { id: number }) => [one.id, one]),
  )
  /** Volume and trades in a window by pool or market. */
  const traded = async (kind: 'swaps' | 'deals', window: string) => {
    const key = kind === 'swaps' ? 'pool_id' : 'market_id'
    const { rows } = await pool.query(
      `select ${key}::int4 as id, coalesce(sum(usd), 0)::float8 as usd, count(*)::int4 as trades,
         (count(*) filter (where usd is null))::int4 as unknown from ledger.${kind}
       where block_time >= $1 group by 1`,
      [new Date(Math.floor(NOW / 60_000) * 60_000 - SPANS[window]!)],
    )
    return new Map<number, Traded>(rows.map((row) => [row.id, row]))
  }
  const none = { usd: 0, trades: 0, unknown: 0 }
  /** Number of pools without a trusted and priced token, and of orders that offer an untrusted one. */
  const unvalued = async () => {
    const tokens = (await api.get('/api/v2/tokens')).body as { id: string; safe_usd_price: number }[]
    const safe = tokens.filter(({ safe_usd_price: price }) => price > 0).map(({ id }) => id)
    const { rows } = await pool.query(
      `select (select count(*) from state.pools where not (lower(symbol_a) || '-' || contract_a = any ($1) or lower(symbol_b) || '-' || contract_b = any ($1)))::int4 as pools,
         (select count(*) from state.orders join state.markets using (chain, market_id) where not (case side
           when 'buy' then lower(target_symbol) || '-' || target_contract else lower(base_symbol) || '-' || base_contract end = any ($1)))::int4 as orders`,
      [safe],
    )
    return [rows[0].pools, rows[0].orders]
  }

  t.test('AN-01 AN-02 AN-03 AN-13 AN-17 AN-19 AN-22 AN-23 AN-24 AN-25 pools of every window', async (t) => {
    for (const window of Object.keys(SPANS)) {
      const { meta, items, page, limit, total } = await get(`/pools?window=${window}&include=tx`)
      t.match(meta, { chain: 'wax', window, baseToken: id(WAX), usdToken: id(USDT) })
      t.same([page, limit, total, items.length], [1, 50, POOLS.length, POOLS.length])
      const wanted = await traded('swaps', window)
      const volumes = items.map((one: { volume: { usd: number } }) => one.volume.usd)
      t.same(
        volumes,
        [...volumes].sort((x, y) => y - x),
        'by volume',
      )
      for (const one of items) {
        const { usd, trades, unknown } = wanted.get(one.id) ?? none
        t.equal(one.volume.withoutUsd, unknown, `trades of ${one.id} without a value in ${window}`)
        t.ok(close(one.volume.usd, usd), `volume of ${one.id} in ${window}`)
        t.equal(one.tx.swaps, trades)
        const other = v2.get(one.id)!
        t.same([one.fee, one.tokenA, one.tokenB], [other.fee, other.tokenA, other.tokenB])
        t.same([one.price.bPerA, one.price.aPerB, one.price.change24h], [other.priceA, other.priceB, other.change24])
        t.equal(one.liquidity.tvl, other.tvlUSD)
        const week = (await traded('swaps', '7d')).get(one.id) ?? none
        const fee = other.tvlUSD === 0 ? 0 : ((week.usd * one.fee) / 1e6 / other.tvlUSD!) * (365 / 7) * 100
        t.ok(close(one.apr.fee, fee) && one.apr.total === one.apr.fee && one.apr.farm === null)
        t.equal(one.apr.periodDays, 7)
      }
    }
    const usual = await get('/pools')
    t.equal(usual.meta.window, '30d')
    t.ok(Math.abs(usual.meta.ts - Date.now()) < 60_000, 'NS-14 the time of the server, Unix milliseconds')
    t.notOk(usual.items.some((one: object) => 'tx' in one || 'incentives' in one))
  })

  t.test('AN-12 AN-19 AN-26 farms', async (t) => {
    const [first] = (await get('/pools?include=incentives,tx&sort=apr')).items
    const [tvl, quantityA, quantityB] = [v2.get(0)!.tvlUSD!, POOLS[0]!.reserves[0], POOLS[0]!.reserves[1]]
    // 10^27 / 10^18 raw WAX a second: 10 WAX.
    const share = 1e11 / Math.sqrt(Number(quantityA) * Number(quantityB))
    const apr = ((10 * 86_400 * 0.05 * 365) / (tvl * share)) * 100
    t.equal(first.id, 0)
    t.ok(close(first.apr.farm, apr) && close(first.apr.total, first.apr.fee + apr))
    t.equal(first.incentives.length, 1)
    t.match(first.incentives[0], {
      incentiveId: 1,
      poolId: 0,
      isFinished: false,
      daysRemain: 6,
      rewardTokenId: id(WAX),
    })
    t.ok(close(first.incentives[0].rewardPerDay, 864_000) && close(first.incentives[0].rewardPerDayUSD, 43_200))
    const ids = async (query: string) =>
      (await get(`/pools/0?include=incentives${query}`)).pool.incentives.map(
        (one: { incentiveId: number }) => one.incentiveId,
      )
    t.same(await ids(''), [1])
    t.same(await ids('&incentives=finished'), [2])
    t.same(await ids('&incentives=all'), [1, 2])
    const plain = (await get('/pools/0')).pool
    t.ok(plain.tx.swaps > 0 && plain.incentives === undefined && plain.apr.farm === null)
    const overview = await get('/overview?include=incentives')
    t.ok(overview.topPools.every((one: object) => 'incentives' in one))
  })

  t.test('AN-04 AN-05 AN-06 AN-07 AN-08 NS-03 paging, order and scams', async (t) => {
    const ids = async (query: string) => (await get(`/pools?${query}`)).items.map((one: { id: number }) => one.id)
    const all = await ids('sort=tvl')
    const pages = []
    for (let page = 1; page <= 3; page++) pages.push(...(await ids(`sort=tvl&limit=2&page=${page}`)))
    t.same(pages, all)
    t.same(await ids('sort=tvl&page=9'), [])
    t.same(await ids('sort=tvl&order=asc'), [...all].reverse())
    const values = async (query: string) => {
      const { page, limit } = await get(`/pools?${query}`)
      return [page, limit]
    }
    t.same(await values('page=0&limit=500'), [1, 500])
    t.same(await values('page=-1&limit=501'), [1, 500])
    t.same(await values('limit=0'), [1, 50])
    t.same(await values('limit=abc&page=x'), [1, 50])
    const great = '9'.repeat(400)
    t.same(await values(`limit=${great}&page=-${great}`), [1, 500])
    t.same(await values(`limit=5&page=${great}`), [Number.MAX_SAFE_INTEGER, 5])
    t.same(await ids(`page=${great}`), [], 'beyond the end, however far')
    t.same((await ids('hide_scam=true')).sort(), [0, 1, 2, 3], 'pool 4 trades a scam')
    const pairs = async (query: string) =>
      (await get(`/spot-pairs?${query}`)).items.map((one: { id: number }) => one.id)
    t.same((await pairs('')).sort(), [0, 1, 2])
    const { rows: fees } = await database.pool.query<{ id: number; fee: number }>(
      `select market_id::int4 as id, fee / 100.0::float8 as fee from state.markets where chain = 'wax' order by 1`,
    )
    const told = (await get('/spot-pairs')).items.map((one: { id: number; feePercent: number }) => [
      one.id,
      one.feePercent,
    ])
    t.same(
      told.sort(),
      fees.map(({ id, fee }) => [id, Number(fee)]),
    )
    t.same((await pairs('hide_scam=true')).sort(), [0, 1])
    const tokens = (await get('/tokens?hide_scam=true')).items.map((one: { id: string }) => one.id)
    t.same(tokens.sort(), [id(TLM), id(USDT), id(WAX)].sort())
  })

  t.test('AN-20 AN-21 search and account', async (t) => {
    const ids = async (query: string) =>
      (await get(`/pools?${query}`)).items.map((one: { id: number }) => one.id).sort()
    t.same(await ids('search=tlm'), [0, 1, 2])
    t.same(await ids('search=alien.worlds'), [0, 1, 2])
    t.same(await ids(`search=${id(USDT)}`), [3])
    for (const pair of ['WAX/USDT', 'USDT/WAX', 'usdt%20wax', 'wax,usdt'])
      t.same(await ids(`search=${pair}`), [3], pair)
    t.same(await ids('search=2'), [2])
    t.same(await ids('search=nothing'), [])
    t.same(await ids('account=holder'), [0], 'not where the position is empty')
    t.same(await ids('account=holder2'), [3])
    t.same(await ids('account=nobody'), [])
  })

  t.test('AN-27 AN-28 AN-29 AN-30 order-book markets', async (t) => {
    const tickers = (await api.get('/api/v2/tickers')).body
    for (const window of Object.keys(SPANS)) {
      const { items } = await get(`/spot-pairs?window=${window}`)
      const wanted = await traded('deals', window)
      for (const one of items) {
        const { usd, trades, unknown } = wanted.get(one.id) ?? none
        t.equal(one.volume.withoutUsd, unknown)
        t.ok(close(one.volume.usd, usd) && one.tx.matches === trades, `market ${one.id} in ${window}`)
        const ticker = tickers.find((other: { market_id: number }) => other.market_id === one.id)
        t.same([one.price.last, one.price.change24h], [ticker.last_price, ticker.change24])
        const { base, target } = MARKETS.find(({ market }) => market === one.id)!
        t.same(one.base, {
          id: id(base),
          contract: base.contract,
          symbol: { name: base.symbol, precision: base.decimals },
          str: `${base.symbol}@${base.contract}`,
        })
        t.equal(one.quote.id, id(target))
        if (one.id === 0) t.ok(close(one.spread, ((ticker.ask - ticker.bid) / ticker.last_price) * 100))
        else t.equal(one.spread, null, 'without both sides')
      }
    }
    const { rows } = await pool.query(
      `with m as (select max(unit_price) filter (where side = 'buy') + min(unit_price) filter (where side = 'sell') as twice
         from state.orders where market_id = 0)
       select coalesce(sum(bid_amount) filter (where side = 'buy'), 0)::float8 / 1e8 * 0.05 as bids,
         coalesce(sum(ask_amount) filter (where side = 'sell'), 0)::float8 / 1e8 * 0.05 as asks
       from state.orders, m where market_id = 0 and abs(2 * unit_price - twice) * 10 <= twice`,
    )
    const { market } = await get('/spot-pairs/0')
    t.ok(Math.abs(market.orders.bidDepthUsd - rows[0].bids) < 1e-7 && market.orders.bidDepthUsd > 0)
    t.ok(Math.abs(market.orders.askDepthUsd - rows[0].asks) < 1e-7)
    const prices = (await get('/spot-pairs?sort=price')).items.map((one: { price: { last: number } }) => one.price.last)
    t.same(
      prices,
      [...prices].sort((x, y) => y - x),
    )
  })

  t.test('AN-13 AN-14 AN-15 AN-16 AN-17 tokens', async (t) => {
    const tokens = (await api.get('/api/v2/tokens')).body
    for (const window of ['24h', '90d', 'all']) {
      const { items, total } = await get(`/tokens?window=${window}`)
      t.equal(total, 4)
      const [swaps, deals] = [await traded('swaps', window), await traded('deals', window)]
      for (const one of items) {
        const sums = { swap: 0, spot: 0, swaps: 0, deals: 0, unknown: 0 }
        const pools = POOLS.filter(({ a, b }) => id(a) === one.id || id(b) === one.id)
        const books = MARKETS.filter(({ base, target }) => id(base) === one.id || id(target) === one.id)
        for (const { pool: number } of pools) {
          sums.swap += swaps.get(number)?.usd ?? 0
          sums.swaps += swaps.get(number)?.trades ?? 0
          sums.unknown += swaps.get(number)?.unknown ?? 0
        }
        for (const { market } of books) {
          sums.spot += deals.get(market)?.usd ?? 0
          sums.deals += deals.get(market)?.trades ?? 0
          sums.unknown += deals.get(market)?.unknown ?? 0
        }
        t.ok(close(one.volume.swap, sums.swap) && close(one.volume.spot, sums.spot), `volume of ${one.id} in ${window}`)
        t.equal(one.volume.total, one.volume.swap + one.volume.spot)
        t.equal(one.volume.withoutUsd, sums.unknown)
        t.same(one.tx, { swap: sums.swaps, spot: sums.deals, total: sums.swaps + sums.deals })
        t.same(one.pairs, { pools: pools.length, spots: books.length })
        const { usd_price: price, score } = tokens.find((other: { id: string }) => other.id === one.id)
        t.same([one.price.usd, one.scores.total], [price, score])
        const held = pools.reduce((sum, { a, reserves }) => sum + (id(a) === one.id ? reserves[0] : reserves[1]), 0n)
        t.ok(close(one.liquidity.tvl, (Number(held) / 10 ** one.decimals) * price), `tvl of ${one.id}`)
        t.equal(one.logo, `http://wax.localhost/api/v2/tokens/${one.id}/logo`)
        const { rows } = await pool.query(
          'select min(block_time) as time from ledger.deals where market_id = any ($1)',
          [books.map(({ market }) => market)],
        )
        const seen = [...pools.map(({ created }) => created), ...rows.flatMap(({ time }) => time?.getTime() ?? [])]
        t.equal(new Date(one.createdAt).getTime(), Math.min(...seen), `${one.id} was first seen`)
        t.notOk('fundamental' in one || 'details' in one.scores)
      }
    }
    const ids = async (query: string) => (await get(`/tokens?${query}`)).items.map((one: { id: string }) => one.id)
    t.same(await ids('search=alien'), [id(TLM)])
    t.same(await ids('search=USDT'), [id(USDT)])
    t.same(await ids('search=none'), [])
    const by = async (sort: string, of: (one: TokenShape) => number) => {
      const values: number[] = (await get(`/tokens?sort=${sort}`)).items.map(of)
      t.same(
        values,
        [...values].sort((x, y) => y - x),
        sort,
      )
    }
    await by('volume', ({ volume }) => volume.total)
    await by('tvl', ({ liquidity }) => liquidity.tvl)
    await by('tx', ({ tx }) => tx.total)
    await by('price', ({ price }) => price.usd)
    await by('age', ({ createdAt }) => -Date.parse(createdAt))
    await by('locked', ({ liquidity }) => liquidity.locked.usd)
  })

  t.test('AN-15 AN-18 one token, with its locked amount', async (t) => {
    const { token, pools, spotPairs } = await get(`/tokens/${id(TLM).toUpperCase()}`)
    t.same([token.fundamental, token.name], [told, 'Alien Worlds'])
    const silent = (await get(`/tokens/${id(WAX)}`)).token
    t.same([silent.fundamental, silent.name], [null, null])
    t.same(token.scores.details, { score: 0 })
    t.same(pools.map((one: { id: number }) => one.id).sort(), [0, 1, 2])
    t.same(
      spotPairs.map((one: { id: number }) => one.id),
      [0],
    )
    const { locked } = token.liquidity
    t.match(locked, { positions: 1, nextUnlockAt: UNLOCK / 1000 })
    t.equal(locked.lastUnlockAt, locked.nextUnlockAt)
    t.ok(locked.amount > 0 && close(locked.usd, locked.amount * token.price.usd))
    t.ok(close(locked.share, (locked.usd / token.liquidity.tvl) * 100))
    const other = (await get(`/tokens/${id(USDT)}`)).token.liquidity.locked
    t.same([other.amount, other.positions, other.nextUnlockAt], [0, 0, null], 'a lock that has ended')
  })

  t.test('AN-09 AN-10 AN-11 the exchange at a glance', async (t) => {
    for (const window of Object.keys(SPANS)) {
      const { meta, stats, charts, topPools, topTokens, topSpotPairs } = await get(`/overview?window=${window}`)
      t.equal(meta.window, window)
      const [swaps, deals] = [await traded('swaps', window), await traded('deals', window)]
      const sum = (of: Map<number, Traded>, member: keyof Traded) =>
        [...of.values()].reduce((total, one) => total + one[member], 0)
      t.ok(close(stats.swapVolume, sum(swaps, 'usd')) && close(stats.spotVolume, sum(deals, 'usd')), window)
      t.ok(
        close(stats.volume, stats.swapVolume + stats.spotVolume) && close(stats.fees, stats.swapFees + stats.spotFees),
      )
      const fees = POOLS.reduce((total, one) => total + ((swaps.get(one.pool)?.usd ?? 0) * one.fee) / 1e6, 0)
      t.ok(close(stats.swapFees, fees) && close(stats.spotFees, (sum(deals, 'usd') * 20) / 10_000))
      t.same([stats.swapTx, stats.spotTx], [sum(swaps, 'trades'), sum(deals, 'trades')])
      t.same([stats.swapTxWithoutUsd, stats.spotTxWithoutUsd], [sum(swaps, 'unknown'), sum(deals, 'unknown')])
      t.ok(window === '24h' || stats.swapTxWithoutUsd > 0)
      t.same([stats.poolsWithoutUsd, stats.ordersWithoutUsd], await unvalued())
      t.same([stats.poolsTotal, stats.spotPairsTotal], [POOLS.length, MARKETS.length])
      const held = [...v2.values()].reduce((total, one) => total + one.tvlUSD!, 0)
      t.ok(stats.tvl > held, 'orders too')
      for (const name of ['tvl', 'volume', 'fees', 'swapVolume', 'spotVolume', 'swapFees', 'spotFees'])
        t.same(
          charts[name],
          charts.items.map((one: Record<string, unknown>) => ({ t: one.t, v: one[name] })),
        )
      t.same(topPools, (await get(`/pools?window=${window}&limit=10`)).items)
      t.same(topTokens, (await get(`/tokens?window=${window}&limit=10`)).items)
      t.same(topSpotPairs, (await get(`/spot-pairs?window=${window}&limit=10`)).items)
    }
  })

  t.test('AN-31 unknown ids are 404, malformed ids 400', async (t) => {
    for (const path of ['/pools/77', '/spot-pairs/77', '/tokens/no-token'])
      t.equal((await api.get(`${PATH}${path}`)).status, 404, path)
    for (const path of ['/pools/x', '/spot-pairs/-1']) t.equal((await api.get(`${PATH}${path}`)).status, 400, path)
  })

  t.test('bans and scam lists', async (t) => {
    const { totals, items, bySource, contracts } = await get('/bans/accounts')
    t.same(totals, { unique: 2, dex: 2, swap: 1, otc: 0 })
    t.same(items, [
      { account: 'liar', sources: ['dex'] },
      { account: 'thief', sources: ['dex', 'swap'] },
    ])
    t.same(bySource, { dex: ['liar', 'thief'], swap: ['thief'], otc: [] })
    t.equal(contracts.swap, 'swap.svc')
    t.same((await api.get('/api/v2/config/scam-lists')).body, { scam_contracts: ['nfts.dev'], scam_tokens: [] })
    t.ok((await get(`/pools?search=${NFT.symbol}`)).items.length > 0, 'shown unless hidden')
  })
})
