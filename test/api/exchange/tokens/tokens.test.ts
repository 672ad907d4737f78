// Tokens over HTTP: members, order, lists, prices, on a recording of the real contract.
import t from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { VALUATION } from '../../../support/valuation.ts'
import { bruteForcePrices } from '../brute-force-prices.ts'

const path = new URL('../../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const USD = 0.05
const WAX = 'wax-eosio.token'
const STABLE = 'usdt-usdt.svc'
const TRUSTED = 'tlm-alien.worlds'
const SCAM = 'bar-tokens.dev'

interface Token {
  id: string
  contract: string
  symbol: string
  decimals: number
  system_price: number
  usd_price: number
  score: number
  is_scam: boolean
  is_trusted: boolean
  safe_system_price: number
  safe_usd_price: number
  cmc_id?: number
}

t.test('tokens of a recording', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), undefined, {
    ...VALUATION,
    usd: { kind: 'fixed', usd: BigInt(USD * 1e16) },
  })
  await database.pool.query(
    `insert into derive.score_snapshots values ('wax', '2020-01-01Z', $1, 70), ('wax', '2020-01-01Z', $2, 41), ('wax', '2020-01-01Z', 'foo-tokens.dev', 40)`,
    [TRUSTED, 'eth-wrap.svc'],
  )
  const chain = testChain('wax', 'dev', {
    usdToken: STABLE,
    trust: { stable: [], trusted: [], scam: [{ token: SCAM }], minimumScore: 41 },
  })
  const api = await testApi(t, database, { chains: [chain] })
  const tokens: Token[] = (await api.get('/api/v2/tokens')).body
  const find = (id: string) => tokens.find((token) => token.id === id) as Token

  t.test('TOK-01 highest score first', async (t) => {
    t.ok(tokens.length > 5)
    const scores = tokens.map(({ score }) => score)
    t.same(
      scores,
      [...scores].sort((a, b) => b - a),
    )
    t.equal(scores[0], 70)
  })

  t.test('TOK-02 TOK-10 every member has its type', async (t) => {
    for (const token of tokens) {
      for (const name of ['id', 'contract', 'symbol'] as const) t.type(token[name], 'string')
      for (const name of [
        'decimals',
        'system_price',
        'usd_price',
        'score',
        'safe_system_price',
        'safe_usd_price',
      ] as const)
        t.ok(Number.isFinite(token[name]), `${token.id} ${name}`)
      for (const name of ['is_scam', 'is_trusted'] as const) t.type(token[name], 'boolean')
      t.ok(token.score >= 0 && token.score <= 100)
    }
  })

  t.test('TOK-03 hide_scam omits tokens on the lists; a value that is not a boolean has no effect', async (t) => {
    t.ok(find(SCAM))
    for (const yes of ['true', 'TRUE', '1']) {
      const { body } = await api.get(`/api/v2/tokens?hide_scam=${yes}`)
      t.same(
        body,
        tokens.filter(({ id }) => id !== SCAM),
      )
    }
    for (const no of ['false', '0', '', 'perhaps', 'true&hide_scam=false'])
      t.same((await api.get(`/api/v2/tokens?hide_scam=${no}`)).body, tokens, no)
  })

  t.test('TOK-04 TOK-05 TOK-06 scams have no price, only trusted tokens have a safe price', async (t) => {
    for (const token of tokens) {
      const safe = [token.safe_system_price, token.safe_usd_price]
      if (token.is_scam) t.same([token.system_price, token.usd_price, ...safe], [0, 0, 0, 0])
      else t.same(safe, token.is_trusted ? [token.system_price, token.usd_price] : [0, 0], token.id)
    }
    t.equal(find(SCAM).is_scam, true)
    t.same(tokens.filter(({ is_scam }) => is_scam).length, 1)
    t.ok(tokens.some(({ is_trusted, system_price }) => !is_trusted && system_price > 0))
  })

  t.test('TOK-07 TOK-08 trusted are the system token, stablecoins and tokens of a high score', async (t) => {
    t.match(find(WAX), { system_price: 1, usd_price: USD, is_trusted: true, score: 0 })
    const trusted = tokens.filter(({ is_trusted }) => is_trusted).map(({ id }) => id)
    t.same(trusted.sort(), [WAX, STABLE, TRUSTED, 'eth-wrap.svc'].sort())
  })

  t.test('every price comes from the widest path, without pools below the threshold', async (t) => {
    const expected = await bruteForcePrices(database.pool, 'wax', WAX, { threshold: 100 / USD, excluded: [SCAM] })
    t.ok(expected.size > 3)
    for (const { id, system_price: price, usd_price: usd } of tokens) {
      const brute = expected.get(id)?.price ?? 0
      t.ok(Math.abs(price - brute) <= 1e-9 * brute, `${id}: ${price}, by all paths ${brute}`)
      t.ok(Math.abs(usd - brute * USD) <= 1e-9 * brute, `${id} in USD`)
    }
  })

  t.test('TOK-09 an aggregator’s id is there for tokens that it lists, and missing for others', async (t) => {
    for (const token of tokens) t.ok(token.cmc_id === undefined || Number.isInteger(token.cmc_id))
    t.notOk('cmc_id' in find(SCAM))
  })

  t.test('TOK-11 TOK-14 GEN-03 ids are of symbol and contract', async (t) => {
    for (const { id, symbol, contract } of tokens) {
      t.equal(id, `${symbol.toLowerCase()}-${contract}`)
      t.equal(symbol, symbol.toUpperCase())
    }
    t.equal(new Set(tokens.map(({ id }) => id)).size, tokens.length)
    const { rows } = await database.pool.query(
      `select count(*)::int as n from (select contract_a, symbol_a from state.pools union select contract_b, symbol_b from state.pools
       union select base_contract, base_symbol from state.markets union select target_contract, target_symbol from state.markets) x`,
    )
    t.equal(tokens.length, rows[0].n)
  })

  t.test('TOK-12 GEN-04 one token is as in the list, whatever the case of its id', async (t) => {
    for (const token of tokens) t.same((await api.get(`/api/v2/tokens/${token.id}`)).body, token)
    t.same((await api.get('/api/v2/tokens/TLM-alien.worlds')).body, find(TRUSTED))
  })

  t.test('TOK-13 GEN-15 an unknown token is 403 with this text', async (t) => {
    for (const id of ['nope-eosio.token', 'wax', '..%2f', '%00', 'x'.repeat(200), '__proto__', "'; drop table"]) {
      const answer = await api.get(`/api/v2/tokens/${id}`)
      t.same([answer.status, answer.text], [403, 'Token with this ID is not found'], id)
      t.match(answer.headers['content-type'], /^text\/plain/)
    }
  })

  t.test('TOK-18 TOK-20 a score equals the one in the list; a token without a score has only 0', async (t) => {
    t.same((await api.get(`/api/v2/tokens/${WAX}/score`)).body, { score: 0 })
    t.match((await api.get(`/api/v2/tokens/${TRUSTED}/score`)).body, { score: 70 })
  })

  t.test('GEN-18 a repeated or unknown parameter harms nothing', async (t) => {
    for (const query of ['hide_scam=true&hide_scam=true', 'x=1', 'hide_scam[]=1', '%', '=&=', '__proto__=1'])
      t.equal((await api.get(`/api/v2/tokens?${query}`)).status, 200, query)
  })
})
