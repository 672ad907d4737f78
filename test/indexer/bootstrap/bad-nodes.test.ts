import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startHttp } from '../../../devnet/http/server.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { bootstrap } from '../../../indexer/bootstrap/bootstrap.ts'
import { NodeApi } from '../../../indexer/bootstrap/node-api.ts'
import { keyOfRow } from '../../../indexer/bootstrap/primary-key.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import { type IndexOptions, indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { testDatabase } from '../../support/database.ts'
import { accounts, chainId, quiet, RandomExchange } from './random-exchange.ts'

/** A proxy between the indexer and the node, which changes an answer or answers itself. */
type Meddle = (path: string, body: Record<string, unknown>, answer: () => Promise<string>) => Promise<[number, string]>

async function meddling(t: Test, target: string, meddle: Meddle): Promise<string> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const path = String(request.url)
    const answer = async () => (await fetch(`${target}${path}`, { method: 'POST', body })).text()
    const [status, content] = await meddle(path.split('/').at(-1) ?? '', JSON.parse(body), answer)
    response.writeHead(status).end(content)
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function exchangeOf(t: Test) {
  const exchange = new RandomExchange(5)
  exchange.produce(40)
  const http = await startHttp(exchange.chain)
  t.teardown(() => http.stop())
  return { exchange, http }
}

function read(url: string, id = chainId) {
  const projector = new Projector({ chain: 'wax', accounts, tokenContracts: [] })
  const { signal } = new AbortController()
  return bootstrap({ chain: 'wax', url, chainId: id, projector, accounts, tokenContracts: [], signal, pollMs: 10 })
}

t.test('a node of another chain is refused', async (t) => {
  const { http } = await exchangeOf(t)
  await t.rejects(read(http.url, 'cd'.repeat(32)), { code: 'OTHER_CHAIN' })
})

t.test('a node that cannot be reached, and a server that is not a node', async (t) => {
  await t.rejects(read('http://127.0.0.1:9'), { code: 'NODE_API_UNREACHABLE' })
  const notFound = await meddling(t, '', async () => [404, 'nothing here'])
  await t.rejects(read(notFound), { code: 'NODE_API_MISSING' })
  const html = await meddling(t, '', async () => [200, '<html>'])
  await t.rejects(read(html), { code: 'NODE_API_MALFORMED' })
  const large = await meddling(t, '', async () => [200, 'x'.repeat(100)])
  await t.rejects(new NodeApi({ url: large, maxBytes: 50 }).info(), { code: 'NODE_API_ANSWER_TOO_LARGE' })
})

t.test('a failed request is repeated', async (t) => {
  const { exchange, http } = await exchangeOf(t)
  const failed = new Set<string>()
  let asked = 0
  const url = await meddling(t, http.url, async (path, body, answer) => {
    const key = path + JSON.stringify(body)
    if (path === 'get_info' || failed.has(key) || asked++ % 4 > 0) return [200, await answer()]
    failed.add(key)
    return failed.size % 2 === 0 ? [503, 'busy'] : [500, '{"error":{"name":"timeout_exception","what":"deadline"}}']
  })
  const reading = read(url)
  const live = setInterval(() => exchange.produce(1), 300)
  t.teardown(() => clearInterval(live))
  const origin = await reading
  t.ok(origin && origin.rows > 50, `${origin?.rows} rows in spite of ${failed.size} failures`)
  origin?.close()
})

t.test('rows that cannot be decoded are stored raw and counted; empty pages are skipped', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t)
  const { exchange, http } = await exchangeOf(t)
  const ship = await startShip(exchange.chain)
  t.teardown(() => ship.stop())
  let empty = 0
  const url = await meddling(t, http.url, async (path, body, answer) => {
    const page = JSON.parse(await answer())
    if (path === 'get_table_rows' && body.table === 'positions')
      page.rows = page.rows.map((row: string) => row.slice(2))
    if (path === 'get_table_by_scope' && page.rows[0]?.scope && empty++ % 3 === 0) {
      return [200, JSON.stringify({ rows: [], more: page.rows[0].scope })]
    }
    return [200, JSON.stringify(page)]
  })
  const positions = [...exchange.chain.state.allTables()].filter(({ table }) => table === 'positions')
  const expected = positions.flatMap((rows) => [...rows.entries()].map(([key]) => `${rows.scope} ${key}`)).sort()
  const stop = new AbortController()
  const options: IndexOptions = {
    chain: 'wax',
    databaseUrl,
    source: new ShipSource({ urls: [ship.url], chain: 'wax', chainId }),
    accounts,
    systemAccount: 'eosio',
    tokenContracts: [],
    chainId,
    startBlock: 2,
    bootstrap: { url, pollMs: 10, events: { waiting: () => exchange.chain.produce() } },
    events: { ...quiet, committed: () => stop.abort() },
    signal: stop.signal,
  }
  const live = setInterval(() => exchange.chain.produce(), 400)
  t.teardown(() => clearInterval(live))
  await indexChain(options)
  const { rows } = await pool.query(
    `select scope, primary_key, reason_code from ledger.undecoded_rows where table_name = 'positions'`,
  )
  t.same(rows.map((row) => `${row.scope} ${row.primary_key}`).sort(), expected)
  t.ok(rows.length > 5)
})

t.test('keys from the first member of a row', async (t) => {
  t.equal(keyOfRow({ id: 7n }), 7n)
  t.equal(keyOfRow({ id: -42000 }), 4294925296n, 'as the 32-bit pattern')
  t.equal(keyOfRow({ account: 'a' }), 0x3000000000000000n)
  t.equal(keyOfRow({ balance: { amount: 1n, precision: 8, symbol: 'WAX' } }), 5783895n)
  t.equal(keyOfRow({ list: ['a'] }), null)
  t.equal(keyOfRow({ big: 1n << 64n }), null)
  t.equal(keyOfRow({}), null)
})
