// The client against the real server: what it answers, pages, errors, what it keeps; and the package as it is shipped.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { clientTypes, GENERATED } from '../../client/generate.ts'
import { ApiError, createClient } from '../../client/index.ts'
import { id, NOW, TLM, writeScene } from '../api/exchange/scene.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname

t.test('the generated types are those of the server', async (t) => {
  const committed = await readFile(GENERATED, 'utf8')
  t.ok(committed === (await clientTypes()), 'client/generated/openapi.ts is old: node --import tsx client/generate.ts')
})

t.test('a client of a server', async (t) => {
  const database = await testDatabase(t)
  await writeScene(database.pool, 'wax')
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { hosts: ['127.0.0.1'] })] })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  const client = createClient({ baseUrl: `${baseUrl}/` })
  const count = async (sql: string) => Number((await database.pool.query(sql)).rows[0].count)

  t.test('bodies, and the block that they reflect', async (t) => {
    const pool = await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: '0' } })
    t.match(pool, { id: 0, fee: 3000, tokenA: { id: id(TLM) } })
    t.equal(await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: '77' } }), null)
    const { body, ...rest } = await client.ask('/api/v2/tokens/{tokenId}', { path: { tokenId: id(TLM) } })
    t.equal(body.symbol, 'TLM')
    t.same(rest, { block: 99_000_000, blockTime: new Date(NOW).toISOString(), next: null })
    const pools = await client.get('/api/v2/swap/pools', { query: { tokenA: id(TLM), tokenB: undefined } })
    t.same(
      pools.map((one) => one.id),
      [0, 1, 2],
    )
    t.match(await client.get('/metrics'), /^headwater_/m, 'text where the service answers with text')
  })

  t.test('all rows of a list, page after page', async (t) => {
    const swaps = []
    const given = { path: { poolId: '0' }, query: { limit: 37, from: NOW - 50 * 86_400_000 } }
    for await (const swap of client.rows('/api/v2/swap/pools/{poolId}/swaps', given)) swaps.push(swap)
    const since = `block_time >= to_timestamp(${given.query.from / 1000})`
    t.equal(swaps.length, await count(`select count(*) from ledger.swaps where pool_id = 0 and ${since}`))
    t.ok(swaps.length > 37 * 2)
    t.equal(new Set(swaps.map(({ _id }) => _id)).size, swaps.length, 'none twice')
    const rest = []
    const skipping = { path: { account: 'alice' }, query: { skip: 5, limit: 50 } }
    for await (const deal of client.rows('/api/v2/account/{account}/deals', skipping)) rest.push(deal)
    t.equal(
      rest.length,
      (await count(`select count(*) from ledger.deals where 'alice' in (bidder, asker)`)) - 5,
      'after those to leave out',
    )
  })

  t.test('errors have the status and the body', async (t) => {
    const asked = client.get('/api/v2/tokens/{tokenId}', { path: { tokenId: '../é#?' } })
    const unknown = await asked.then(t.fail, (error: unknown) => error as ApiError)
    t.ok(unknown instanceof ApiError)
    t.match(unknown, { status: 403, body: 'Token with this ID is not found', retryAfter: null })
    const bad = client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: 'x' } })
    await t.rejects(bad, { name: 'ApiError', status: 400, body: { message: 'pool id must be a number' } })
    // @ts-expect-error the parameter is missing
    await t.rejects(client.get('/api/v2/swap/pools/{poolId}', { path: {} }), /poolId/)
    const ended = client.get('/api/v2/tokens', { signal: AbortSignal.abort() })
    await t.rejects(ended, { name: 'AbortError' })
  })

  t.test('what is kept is asked for by its ETag', async (t) => {
    const statuses: number[] = []
    const counting: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      statuses.push(response.status)
      return response
    }
    const keeping = createClient({ baseUrl, fetch: counting, keep: 1 })
    const first = await keeping.ask('/api/v2/pairs')
    t.same(await keeping.ask('/api/v2/pairs'), first)
    await keeping.get('/api/v2/tickers')
    t.same(await keeping.ask('/api/v2/pairs'), first)
    t.same(statuses, [200, 304, 200, 200], 'one answer is kept')
  })

  t.test('the package as it is shipped runs in plain Node', async (t) => {
    const folder = t.testdir({ 'package.json': '{ "type": "module" }' })
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '--project', join(root, 'client'), '--outDir', join(folder, 'dist')])
    const { dependencies, exports } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'))
    t.equal(dependencies, undefined)
    const program = `import { createClient } from '${join(folder, exports['.'].default)}'
      console.log((await createClient({ baseUrl: '${baseUrl}' }).get('/api/v2/pairs')).length)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    t.equal(stdout, '3\n')
    t.match(await readFile(join(folder, exports['.'].types), 'utf8'), /get<P extends Path>/)
  })
})
