// Quotes from servers: accepted and refused quotes, and the change to the next server.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { quoteUsd } from '../../../indexer/value/http-quotes.ts'
import { testDatabase } from '../../support/database.ts'

/** A server with given answers. */
async function serving(t: Test, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`
}

const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value))

t.test('the price of the first server that answers is used and stored', async (t) => {
  const { url, pool } = await testDatabase(t)
  const good = await serving(t, json({ wax: { usd: 0.0123 } }))
  const dotted = await serving(t, json({ 'eosio.token': [{ usd: '0.0456' }] }))
  const broken = await serving(t, (response) => void response.writeHead(500).end())
  const path = 'wax.usd'
  const options = { chain: 'wax', databaseUrl: url, servers: [{ url: good, path }] }
  t.equal(await quoteUsd(options), '0.0123000000000000')
  const servers = [
    { url: broken, path },
    { url: dotted, path: 'eosio.token.0.usd' },
    { url: good, path },
  ]
  t.equal(await quoteUsd({ ...options, servers }), '0.0456')
  const { rows } = await pool.query(
    `select chain, usd::float8, source, quoted_at > clock_timestamp() - interval '1 minute' as now from meta.usd_quotes order by quoted_at`,
  )
  t.same(rows, [
    { chain: 'wax', usd: 0.0123, source: new URL(good).host, now: true },
    { chain: 'wax', usd: 0.0456, source: new URL(dotted).host, now: true },
  ])
})

t.test('an answer that is not a price is refused, with the reason', async (t) => {
  const { url, pool } = await testDatabase(t)
  const cases: [(response: ServerResponse) => void, RegExp][] = [
    [json({ usd: 0 }), /0 is not a price/],
    [json({ usd: -1.5 }), /-1.5 is not a price/],
    [json({ usd: '1e3' }), /"1e3" is not a price/],
    [json({ usd: 1e12 }), /1000000000000 is not a price/],
    [json({ usd: null }), /no usd in the answer/],
    [json({ usd: { deeper: 1 } }), /no usd in the answer/],
    [json([]), /no usd in the answer/],
    [json('text'), /no usd in the answer/],
    [(response) => void response.end('<html>'), /Unexpected token/],
    [(response) => void response.writeHead(429).end('{"usd":1}'), /answers 429/],
    [(response) => void response.end('x'.repeat(1_100_000)), /more than 1048576 bytes/],
    [(response) => void response.destroy(), /./],
    [() => {}, /no answer in 0.3 s/],
  ]
  for (const [answer, reason] of cases) {
    const servers = [{ url: await serving(t, answer), path: 'usd' }]
    const failing = quoteUsd({ chain: 'wax', databaseUrl: url, servers, timeoutMs: 300 })
    await t.rejects(failing, { code: 'NO_QUOTE', message: reason })
  }
  const { rows } = await pool.query('select from meta.usd_quotes')
  t.equal(rows.length, 0)
})

t.test('quotes can neither be changed nor removed by the indexer', async (t) => {
  const { pool } = await testDatabase(t)
  const client = await pool.connect()
  await client.query('set role headwater_writer')
  await client.query(`insert into meta.usd_quotes values ('wax', now(), 1, 'x')`)
  for (const change of [
    'update meta.usd_quotes set usd = 2',
    'delete from meta.usd_quotes',
    'truncate meta.usd_quotes',
  ])
    await t.rejects(client.query(change), { code: '42501' })
  await client.query('reset role')
  client.release()
})
