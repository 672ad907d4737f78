// Logos over HTTP: the order of sources, and redirects to safe addresses only.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'

const path = new URL('../../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

t.test('logos', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path))
  const register = (id: number, contract: string, symbol: string, image: string) =>
    database.pool.query(`insert into state.registry_tokens (chain, row_id, data) values ('wax', $1, $2)`, [
      id,
      { id, contract, sym: `8,${symbol}`, name: symbol, image },
    ])
  await register(1, 'eosio.token', 'WAX', 'https://cdn.example.org/wax.png')
  await register(2, 'usdt.svc', 'USDT', 'javascript:alert(1)')
  const lists = createServer((_request, response) =>
    response.end(
      JSON.stringify([
        { account: 'usdt.svc', symbol: 'USDT', logo: 'https://lists.example.org/usdt.png' },
        { account: 'alien.worlds', symbol: 'TLM', logo: 'https://lists.example.org/tlm.png' },
        { account: 'eosio.token', symbol: 'WAX', logo: 'https://lists.example.org/wax.png' },
        { account: 'tokens.dev', symbol: 'FOO', logo: 'http://127.0.0.1/foo.png' },
        null,
        { account: 5 },
      ]),
    ),
  )
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void lists.close())
  const logoLists = [`http://127.0.0.1:${(lists.address() as AddressInfo).port}/`]
  const logoDir = t.testdir({})
  mkdirSync(join(logoDir, 'wax'))
  for (const id of ['wax-eosio.token', 'usdt-usdt.svc']) writeFileSync(join(logoDir, 'wax', `${id}.png`), PNG)
  const aggregatorIds = { 'wax-eosio.token': 2300 }
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { logoLists, aggregatorIds })], logoDir })
  await api.contexts[0]?.logoLists.ask()
  const logo = (token: string) => api.get(`/api/v2/tokens/${token}/logo`)

  t.test('TOK-21 TOK-23 the registry comes first', async (t) => {
    const { status, headers } = await logo('wax-eosio.token')
    t.same([status, headers.location], [302, 'https://cdn.example.org/wax.png'])
  })

  t.test('TOK-23 TOK-24 then our own set, also if the registry holds no safe address', async (t) => {
    const answer = await api.app.inject({
      url: '/api/v2/tokens/usdt-usdt.svc/logo',
      headers: { host: 'wax.localhost' },
    })
    t.same([answer.statusCode, answer.headers['content-type']], [200, 'image/png'])
    t.same(answer.rawPayload, PNG)
  })

  t.test('TOK-21 TOK-23 system tokens have our own logos', async (t) => {
    await database.pool.query(`delete from state.registry_tokens where row_id = 1`)
    const operators = await logo('wax-eosio.token')
    t.same([operators.status, operators.headers['content-type']], [200, 'image/png'], 'the operator’s come first')
    rmSync(join(logoDir, 'wax', 'wax-eosio.token.png'))
    const { status, headers, text } = await logo('wax-eosio.token')
    t.same([status, headers['content-type'], headers.etag], [200, 'image/svg+xml', undefined])
    t.match(text, /^<svg .*<title>WAX<\/title>/)
    t.match(headers['content-security-policy'], /sandbox/)
  })

  t.test('TOK-23 then public lists', async (t) => {
    const { status, headers } = await logo('TLM-alien.worlds')
    t.same([status, headers.location], [302, 'https://lists.example.org/tlm.png'])
  })

  t.test('TOK-22 else 404, as for unknown tokens and attempts at other files', async (t) => {
    for (const token of ['foo-tokens.dev', 'nope-nope', '..%2f..%2fwax-eosio.token', '%2e%2e'])
      t.equal((await logo(token)).status, 404, token)
  })

  t.test('TOK-09 a token that the aggregator lists has its id', async (t) => {
    t.equal((await api.get('/api/v2/tokens/wax-eosio.token')).body.cmc_id, 2300)
    t.notOk('cmc_id' in (await api.get('/api/v2/tokens/tlm-alien.worlds')).body)
  })
})
