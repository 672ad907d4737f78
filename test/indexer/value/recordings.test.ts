// USD values of recorded chains, compared with independently computed ones, through forks, restarts and repeated runs.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { ValuationOptions } from '../../../indexer/value/options.ts'
import { verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { VALUATION } from '../../support/valuation.ts'
import { sameChains } from '../replay/compare-chains.ts'
import { indexRecording, LinearSource, PROFILE } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { expectedValues, type Rules, storedValues } from './expected-values.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const canonical = () => new LinearSource(path, Object.values(truth.canonical))

const at = (clock: string) => Date.parse(`2026-11-21T${clock}Z`)
const WAX = 'wax-eosio.token'

/** Changes every minute of the recording, which lasts from 00:16:26 to 00:20. */
const CHANGING: ValuationOptions = {
  ...VALUATION,
  trust: {
    stable: ['usdt-usdt.svc'],
    trusted: [{ token: 'alien.worlds' }, { token: 'eth-wrap.svc', from: at('00:18:30.000') }],
    scam: [
      { token: 'dust.dev', from: at('00:18:00.000') },
      { token: 'bar-tokens.dev', from: at('00:19:59.999') },
    ],
    minimumScore: 41,
  },
  usd: { kind: 'http', maxAge: 119_999 },
}

const QUOTES: [string, string][] = [
  ['00:14:58.000', '0.05'],
  ['00:15:50.000', '0.05'],
  // A minute old at 00:18:00, to the millisecond.
  ['00:17:00.000', '0.0612345678901234567'],
  // Too young at 00:19:00, when the previous one has just become too old.
  ['00:18:00.001', '0.07'],
]

async function outsideFacts(pool: Pool, chain: string): Promise<void> {
  await pool.query(`select meta.add_chain($1)`, [chain])
  for (const [clock, usd] of QUOTES)
    await pool.query(`insert into meta.usd_quotes values ($1, $2, $3, 'quotes.test')`, [
      chain,
      new Date(at(clock)),
      usd,
    ])
  for (const [clock, score] of [
    ['00:17:10.000', 50],
    ['00:19:00.000', 40],
  ] as const)
    await pool.query(`insert into derive.score_snapshots values ($1, $2, 'foo-tokens.dev', $3)`, [
      chain,
      new Date(at(clock)),
      score,
    ])
}

/** The same rules, written independently. */
const RULES: Rules = {
  system: WAX,
  systemDecimals: 8,
  threshold: (usd) => (usd === null ? 500n * 10n ** 8n : (100n * 10n ** 24n + usd - 1n) / usd),
  usd: (minute) => {
    if (minute <= at('00:17:00.000')) return 500_000_000_000_000n
    return minute === at('00:18:00.000')
      ? 612_345_678_901_234n
      : minute === at('00:20:00.000')
        ? 700_000_000_000_000n
        : null
  },
  isScam: (token, minute) =>
    (token === 'dust-dust.dev' && minute >= at('00:18:00.000')) ||
    (token === 'bar-tokens.dev' && minute >= at('00:20:00.000')),
  isTrusted: (token, minute) =>
    [WAX, 'usdt-usdt.svc', 'tlm-alien.worlds'].includes(token) ||
    (token === 'eth-wrap.svc' && minute >= at('00:19:00.000')) ||
    (token === 'foo-tokens.dev' && minute === at('00:18:00.000')),
}

t.test('values come from pools, lists, scores and quotes at the last minute boundary', async (t) => {
  const { url, pool } = await testDatabase(t)
  await outsideFacts(pool, 'valued')
  await indexRecording(url, 'valued', canonical(), undefined, CHANGING)
  const expected = await expectedValues(pool, 'valued', RULES, async (block) => {
    await indexRecording(url, `up-to-${block}`, canonical(), block)
    return `up-to-${block}`
  })
  const found = await storedValues(pool, 'valued')
  const differing = found.filter(({ usd }, index) => usd !== expected[index]?.usd)
  t.same(
    differing.map((row) => [row, expected.find(({ global_seq }) => global_seq === row.global_seq)]).slice(0, 5),
    [],
  )
  t.equal(found.length, expected.length)
  t.ok(found.filter(({ usd }) => usd !== null && Number(usd) > 0).length > 300, 'most of them are worth something')
  t.ok(
    found.some(({ usd }) => usd === null),
    'some have no value',
  )

  t.test('each change of the USD price is a fact with its source', async (t) => {
    const { rows } = await pool.query(
      `select usd::text, source, to_char(block_time at time zone 'UTC', 'HH24:MI:SS.MS') as time from head.usd_prices where chain = 'valued' order by block_num`,
    )
    t.match(rows, [
      { usd: '0.0500', source: 'quotes.test', time: /^00:16:26/ },
      { usd: '0.0612345678901234', time: /^00:18:0/ },
      { usd: null, source: null, time: /^00:19:0/ },
      { usd: '0.0700', source: 'quotes.test', time: /^00:20:0/ },
    ])
    t.equal(rows.length, 4)
  })

  t.test('candles add up the values of their trades', async (t) => {
    const { rows } = await pool.query(
      `select (select sum(volume_usd) from derive.candles where chain = 'valued' and resolution = '1D')
         = (select sum(usd) from (select usd from ledger.swaps where chain = 'valued' union all select usd from ledger.deals where chain = 'valued') x) as same`,
    )
    t.same(rows, [{ same: true }])
  })

  t.test('values are the same after forks and restarts', async (t) => {
    await outsideFacts(pool, 'forked')
    // A replay resumes by skipping indexed blocks, so it meets later forks again.
    for (let end = 40; end < 349; end += 41) await indexRecording(url, 'forked', canonical(), end, CHANGING)
    await indexRecording(url, 'forked', canonical(), undefined, CHANGING)
    await sameChains(t, pool, 'forked', 'valued')
    await outsideFacts(pool, 'live')
    const { forks } = await indexRecording(url, 'live', new ReplaySource(path), undefined, CHANGING)
    t.equal(forks.length, 12)
    await sameChains(t, pool, 'live', 'valued')
  })

  t.test('values are the same after failed commits during forks', async (t) => {
    const seed = seedFromEnvironment()
    const random = new Random(seed)
    await outsideFacts(pool, 'failing')
    let failures = 0
    let forks = 0
    await indexChain({
      ...{
        chain: 'failing',
        databaseUrl: url,
        source: new ReplaySource(path),
        accounts: { ...PROFILE, wrap: 'wrap.svc' },
      },
      ...{ systemAccount: 'eosio', tokenContracts: '*', chainId: null, startBlock: 2, valuation: CHANGING },
      finality: { bridge: PROFILE.bridge },
      signal: new AbortController().signal,
      onPoint(point) {
        if (failures === 5 || !random.chance(point === 'committed' ? 0.15 : 0.03)) return
        failures++
        throw new RetryableError('DATABASE_UNAVAILABLE', `gone for a moment when ${point}`)
      },
      events: { opened() {}, committed() {}, decoded() {}, retrying() {}, forked: () => void forks++ },
    })
    t.comment(`HEADWATER_SEED=${seed}: ${failures} failures, ${forks} forks`)
    t.ok(failures === 5 && forks >= 12)
    await sameChains(t, pool, 'failing', 'valued')
  })
})

t.test('two replays of a recording have the same values', async (t) => {
  const { url, pool } = await testDatabase(t)
  const digests: string[] = []
  for (const chain of ['one', 'two']) {
    await indexRecording(url, chain, new ReplaySource(`${fixtures}small.ship.gz`), undefined, VALUATION)
    const { digest, checks } = await verifyChain(url, chain)
    digests.push(digest.sha256)
    t.same(
      checks.filter(({ differing }) => differing > 0),
      [],
    )
  }
  t.equal(digests[0], digests[1])
  const values = await storedValues(pool, 'one')
  t.same(values, await storedValues(pool, 'two'))

  t.test('trades without a trusted price have no value, not 0, and are counted next to each sum', async (t) => {
    // With these settings, only the system token is trusted.
    const { rows } = await pool.query(
      `select s.usd is null as unknown, 'WAX eosio.token' not in (s.a, s.b) as wanted,
         count(*)::int4 as n, count(*) filter (where s.usd = 0)::int4 as zero from (
         select usd, symbol_a || ' ' || contract_a as a, symbol_b || ' ' || contract_b as b
         from ledger.swaps join state.pools using (chain, pool_id) where chain = 'one'
         union all
         select usd, base_symbol || ' ' || base_contract, target_symbol || ' ' || target_contract
         from ledger.deals join state.markets using (chain, market_id) where chain = 'one') s group by 1, 2 order by 1`,
    )
    t.comment(JSON.stringify(rows))
    t.same(
      rows.map(({ unknown, wanted }) => [unknown, wanted]),
      [
        [false, false],
        [true, true],
      ],
    )
    t.ok(rows.every(({ n }) => n > 10))
    const unknown = rows[1].n as number
    for (const resolution of ['1', '1D', '1M']) {
      const { rows: candles } = await pool.query(
        `select sum(trades_without_usd)::int4 as n, bool_and((volume_usd is null) = (trades_without_usd = trades)) as ok
         from head.candles where chain = 'one' and resolution = $1`,
        [resolution],
      )
      t.same(candles, [{ n: unknown, ok: true }], resolution)
    }
    const {
      rows: [liquidity],
    } = await pool.query(
      `select count(*) filter (where usd is null)::int4 as unknown,
         bool_and((usd is null) = (usd_price_a is null and amount_a <> 0 or usd_price_b is null and amount_b <> 0)) as ok
       from head.position_events where chain = 'one' and type in ('mint', 'burn', 'collect')`,
    )
    t.ok(liquidity.ok && liquidity.unknown > 0, JSON.stringify(liquidity))
    t.equal(values.filter(({ usd }) => usd === null).length, unknown + liquidity.unknown)
  })
})
