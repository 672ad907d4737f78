// Scores over HTTP: computed for a chain of 100 days, served by the real server.
import t from 'tap'
import { valuation } from '../../../../bin/valuation.ts'
import type { ChainConfig } from '../../../../config/schema.ts'
import type { ScoreOptions } from '../../../../indexer/value/options.ts'
import { testApi, testChain } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { scoreAt } from '../../../support/score.ts'
import { NOW, WAX_SCENE } from '../scene.ts'

const HOUR = 3_600_000
/** Start of the current hour. */
const LATEST = Math.floor(NOW / HOUR) * HOUR

function scored(config: ChainConfig) {
  const options = valuation(config)
  return { chain: config.chain, valuation: options, scores: options.scores as ScoreOptions }
}

const COMPONENTS = ['traders', 'volume', 'liquidity', 'holders', 'activity', 'stability', 'age']
const METRICS = ['uniqueTraders', 'volumeUsd', 'tvlUsd', 'turnover', 'holdersCount', 'tradesCount', 'avgDailyTrades']
METRICS.push('currentPrice', 'rollingHigh30d', 'drawdown30d', 'stabilityPoolId', 'ageDays')
const TRENDS = ['holders', 'volumeUsd7d', 'trades7d', 'uniqueTraders7d', 'uniqueTraders24h', 'uniqueTradersPrev24h']
TRENDS.push('uniqueTradersPrev7d', 'uniqueTraderGrowth24h', 'uniqueTraderGrowth7d', 'priceChange7dPct')
TRENDS.push('priceChange30dPct', 'priceChange90dPct', 'ageDays', 'firstSeenAt')

t.test('scores', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  await database.pool.query(`update ledger.swaps set recipient = 'trader' || global_seq % 77`)
  await database.pool.query(`insert into ledger.usd_prices values ('wax', 5, $1, 0.05, 'test')`, [new Date(NOW)])
  const config = testChain('wax')
  await scoreAt(database.url, scored(config), LATEST)
  const api = await testApi(t, database, { chains: [config] })
  const { body: tokens } = await api.get('/api/v2/tokens')
  const scoreOf = async (token: string) => (await api.get(`/api/v2/tokens/${token}/score`)).body
  const own = ['score', 'version', 'window', 'components', 'capsApplied', 'metrics', 'updatedAt']

  t.test('TOK-15 TOK-16 TOK-17 a score has all its members, and no others', async (t) => {
    for (const token of ['wax-eosio.token', 'tlm-alien.worlds', 'usdt-usdt.svc']) {
      const { status, headers, body } = await api.get(`/api/v2/tokens/${token}/score`)
      t.equal(status, 200)
      t.match(headers['content-type'], /^application\/json/)
      t.same(Object.keys(body).sort(), [...own, ...TRENDS].sort(), token)
      t.same(Object.keys(body.components).sort(), [...COMPONENTS].sort())
      t.same(Object.keys(body.metrics).sort(), [...METRICS].sort())
      t.ok(Object.values(body.components).every((points) => typeof points === 'number'))
      t.ok(Object.values(body.metrics).every((metric) => typeof metric === 'number'))
      t.same([body.version, body.window], ['v1', '30d'])
      t.ok(Array.isArray(body.capsApplied))
      t.equal(new Date(body.updatedAt).toISOString(), body.updatedAt)
      t.ok(Date.parse(body.updatedAt) <= NOW)
    }
  })

  t.test('TOK-19 a score is the sum of its points, unless a cap applies', async (t) => {
    for (const { id } of tokens) {
      const { score, components, capsApplied } = await scoreOf(id)
      const sum = Object.values<number>(components).reduce((x, y) => x + y, 0)
      if (capsApplied.length === 0) t.ok(Math.abs(sum - score) <= 0.5, `${id}: ${sum}, ${score}`)
      else t.ok(sum + 0.5 >= score, `${id}: ${sum}, ${score}, ${capsApplied}`)
    }
    t.same((await scoreOf('nft-nfts.dev')).capsApplied, ['trades_count_eq_0'])
  })

  t.test('TOK-20 TOK-01 the list has the same, highest first', async (t) => {
    t.equal(tokens.length, 4)
    const scores = []
    for (const { id } of tokens) scores.push((await scoreOf(id)).score)
    t.same(
      tokens.map(({ score }: { score: number }) => score),
      scores,
    )
    t.same(
      [...scores].sort((x, y) => y - x),
      scores,
    )
    t.ok(new Set(scores).size >= 3, scores.join())
  })

  t.test('TOK-18 a token without a score has nothing but 0', async (t) => {
    for (const token of ['nope-nope', 'WAX-nowhere', '%F0%9F%98%80', "x'--"]) t.same(await scoreOf(token), { score: 0 })
  })

  t.test('a token that has got a high score is trusted', async (t) => {
    const trusted = Object.fromEntries(tokens.map((token: { id: string; is_trusted: boolean }) => [token.id, token]))
    for (const { id, score } of tokens) t.equal(trusted[id].is_trusted, id === 'wax-eosio.token' || score >= 41, id)
  })

  t.test('scores that are not yet in force are not served', async (t) => {
    const before = await scoreOf('tlm-alien.worlds')
    await database.pool.query(`update ledger.swaps set usd = usd * 100`)
    await database.pool.query('truncate derive.token_hours, derive.token_trader_hours')
    await scoreAt(database.url, scored(config), LATEST + HOUR)
    t.same(await scoreOf('tlm-alien.worlds'), before)
    const late = await database.pool.query<{ volume: number }>(
      `select (details->'metrics'->>'volumeUsd')::float8 as volume from derive.token_scores
       where token_id = 'tlm-alien.worlds' order by valid_from desc limit 1`,
    )
    t.ok((late.rows[0]?.volume ?? 0) > 50 * before.metrics.volumeUsd, 'although they are there')
  })

  t.test('scores are served as soon as they are in force', async (t) => {
    const before = await scoreOf('tlm-alien.worlds')
    await database.pool.query(
      `with moved as (
         update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_id = repeat('ab', 32),
           block_time = block_time + interval '1 hour' where chain = 'wax' returning block_num, block_id, block_time
       )
       insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       select 'wax', block_num, decode(block_id, 'hex'), '\\x00', block_time, 'eosio' from moved`,
    )
    await api.catchUp()
    const now = await scoreOf('tlm-alien.worlds')
    t.ok(now.metrics.volumeUsd > 50 * before.metrics.volumeUsd)
  })

  t.test('TOK-18 a score has all its members, also after the details of its refresh were removed', async (t) => {
    await database.pool.query(`delete from derive.token_scores where valid_from = $1`, [new Date(LATEST + HOUR)])
    const { rows } = await database.pool.query('select count(*)::int as kept from derive.token_scores')
    t.ok(rows[0].kept > 0)
    // No notification of the new scores has been sent.
    const other = await testApi(t, database, { chains: [config] })
    for (const { id, score } of (await other.get('/api/v2/tokens')).body) {
      const { body } = await other.get(`/api/v2/tokens/${id}/score`)
      if (score > 0) t.same(Object.keys(body).sort(), [...own, ...TRENDS].sort(), id)
      else t.same(body, { score: 0 }, id)
    }
  })
})
