// `headwater support` collects from a real database; secrets in every place where one can stand do not appear.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { maskStatement, maskText, maskUrls, secretsOf } from '../../bin/support/mask.ts'
import type { Part } from '../../bin/support/report.ts'
import { runningPostgres, startEmbeddedPostgres } from '../../indexer/store/embedded/server.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { run } from './program.ts'

const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'

t.test('addresses keep what helps and lose what opens', async (t) => {
  for (const [text, expected] of [
    ['wss://me:pw@node:8080/', 'wss://***@node:8080/'],
    ['https://token@node/rpc', 'https://***@node/rpc'],
    ['postgres://me:p@ss/w@db:5432/h', 'postgres://***@db:5432/h'],
    ['postgresql:///h?host=/run/pg&user=me&password=pw#x', 'postgresql:///h?host=/run/pg&user=me&password=***&***'],
    ['https://rpc.example/?hunter2hunter2', 'https://rpc.example/?***'],
    ['https://rpc.example/bot123:hunter2hunter2hunter2', 'https://rpc.example/***'],
    ['https://rpc.example//hunter2hunter2hunter2', 'https://rpc.example//***'],
    ['PGPASSWORD=hunter2 access_token: hunter2', 'PGPASSWORD=*** access_token: ***'],
    [`https://rpc.example/v3/${KEY}`, 'https://rpc.example/v3/***'],
    ['https://rpc.example/?apikey=abc and ws://node:8080', 'https://rpc.example/?apikey=*** and ws://node:8080'],
    ['"value":"me:pw@node"', '"value":"***@node"'],
    ['host=db password=hunter2 user=me', 'host=db password=*** user=me'],
    ['{"password":"ab,cd","a":1}', '{"password":"***","a":1}'],
    [`password='correct horse' user=me`, `password='***' user=me`],
    ['x-api-key: abc Authorization: Bearer abc.def', 'x-api-key: *** Authorization: Bearer ***'],
    ['private key: 00aabb', 'private key: ***'],
    ['key PVT_K1_abcDEF is wrong', 'key *** is wrong'],
    ['/etc/headwater/relay-evm.key', '/etc/headwater/relay-evm.key'],
    ['block 12 of 2026-11-26T00:00:00.000Z', 'block 12 of 2026-11-26T00:00:00.000Z'],
  ] as const)
    t.equal(maskText(text, []), expected, text)
})

t.test('addresses in the log keep host and short parts of the path', async (t) => {
  const text = `no answer of wss://me:pw@node:8080/${KEY} and http://127.0.0.1:7700/api/bridge/v1`
  t.equal(maskUrls(text), 'no answer of wss://***@node:8080/*** and http://127.0.0.1:7700/api/bridge/v1')
})

t.test('a known secret is removed wherever it stands, also in its other form', async (t) => {
  const secrets = secretsOf({
    DATABASE_URL: 'postgresql://me:s%21lence@db/h',
    PGPASSWORD: 'loudness',
    AWS_SECRET_ACCESS_KEY_FILE: '/etc/key',
  })
  t.equal(maskText('s%21lence s!lence loudness /etc/key', secrets), '*** *** *** /etc/key')
  const pasted = secretsOf({ HEADWATER_RELAY_EVM_KEY_FILE: `0x${KEY}`, HEADWATER_COSIGN_KEY_FILE: '/etc/cosign.key' })
  const block = 'ab'.repeat(32)
  t.equal(maskText(`${KEY} 0x${KEY} /etc/cosign.key ${block}`, pasted), `*** *** /etc/cosign.key ${block}`)
})

t.test('a statement loses its literals and keeps its form', async (t) => {
  t.equal(
    maskStatement(`select  1 from a\n where b = 'it''s' and c = E'\\'x' and d = $q$y$q$`),
    `select 1 from a where b = '?' and c = '?' and d = '?'`,
  )
  t.equal(maskStatement(`select 1 where a = 'C:\\' and b = 'hunter'`), `select 1 where a = '?' and b = '?'`)
  t.equal(maskStatement(`/* don't */ select 'hunter' -- it's\nfrom "it's"`), `select '?' from "it's"`)
  t.equal(maskStatement(`alter role me password 'cut off`), `alter role me password '?'`)
  t.equal(maskStatement('x'.repeat(400)).length, 301)
})

const SECRETS = {
  password: 'tangerine-1',
  query: 'tangerine-2',
  rpc: 'tangerine3tangerine3tangerine3',
  objects: 'tangerine-4',
  file: 'tangerine-5',
  literal: 'tangerine-6',
  refusal: 'tangerine-7',
  fault: 'tangerine-8',
  node: 'tangerine-9',
  application: 'tangerine-10',
}

function environment(t: Test, url: string) {
  const folder = temporaryFolder(t)
  const keyFile = join(folder, 'relay.key')
  writeFileSync(keyFile, SECRETS.file, { mode: 0o600 })
  const database = new URL(url)
  database.password = SECRETS.password
  database.searchParams.set('password', SECRETS.query)
  const env = {
    DATABASE_URL: String(database),
    HEADWATER_CHAINS: 'wax,mainnet',
    HEADWATER_WAX_SOURCE_URLS: `ws://me:${SECRETS.node}@node:8080`,
    HEADWATER_MAINNET_SOURCE_URLS: `https://rpc.example/v3/${SECRETS.rpc}`,
    HEADWATER_RELAY_EVM_KEY_FILE: keyFile,
    AWS_SECRET_ACCESS_KEY: SECRETS.objects,
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  }
  return { env, keyFile, report: join(folder, 'report.txt') }
}

interface Test {
  teardown(work: () => unknown): unknown
}

t.test('a report has every part and no secret', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(
    `insert into relay.refusals values ('0xab', 'd:1:2', 'credit', 'telos', $1, 'error', 3, now(), now(), null)`,
    [`node https://me:${SECRETS.refusal}@host refused`],
  )
  await pool.query(
    `insert into meta.chain_reports (chain, started_at, fault_code, fault, fault_at) values ('wax', now(), 'SHIP_CLOSED', $1, now())`,
    [`ws://me:${SECRETS.fault}@node:8080 closed the connection`],
  )
  const open = await pool.connect()
  t.teardown(() => open.release(true))
  await open.query(`begin; set local application_name = 'password=${SECRETS.application}'`)
  await open.query(`select '${SECRETS.literal}'`)
  const { env, keyFile, report } = environment(t, url)
  const json = await run(['support', '--json'], env)
  t.equal(json.code, 0, json.stderr)
  const parts = JSON.parse(json.stdout) as Part[]
  const part = (name: string) => parts.find((one) => one.name === name)
  const rowsOf = (name: string) => (part(name)?.facts ?? []) as Record<string, unknown>[]
  t.match(part('versions')?.facts, { headwater: /^\d+\.\d+\.\d+/, node: process.versions.node })
  t.match(part('server')?.facts, { version: /^PostgreSQL 1\d/, standby: false })
  t.match(part('configuration')?.facts, {
    database: /^"postgresql:\/\/\*\*\*@.*password=\*\*\*/,
    'wax.source.urls': /^\["ws:\/\/\*\*\*@node:8080"\]/,
    'mainnet.source.urls': /^\["https:\/\/rpc\.example\/v3\/\*\*\*"\]/,
    'relay.evmKeyFile': new RegExp(keyFile),
  })
  t.match(part('refusals of relayers')?.facts, [{ leg: 'd:1:2', count: 3, reason: 'node https://***@host refused' }])
  t.match(part('reports of indexers')?.facts, [{ chain: 'wax', faultCode: 'SHIP_CLOSED' }])
  t.match(part('open transactions')?.facts, [{ state: 'idle in transaction', query: `select '?'` }])
  t.match(part('slow statements')?.missing, /pg_stat_statements is not in this database/)
  t.ok(rowsOf('tables').length > 10)
  const settings = rowsOf('settings of PostgreSQL').map(({ name, value }) => `${name} ${value}`)
  t.ok(settings.includes('autovacuum on'))
  t.ok(settings.includes('statement_timeout 0ms'), 'the limit of the report itself is not shown')
  t.match(part('disks')?.facts, [{ use: 'data', freeBytes: Number }, { use: 'temporary' }])
  const missing = parts.filter((one) => one.missing !== undefined).map(({ name }) => name)
  t.same(missing, ['failed jobs', 'slow statements'], 'the job queue does not exist before the first start')

  writeFileSync(report, 'of before', { mode: 0o644 })
  const text = await run(['support', '--file', report], env)
  t.match(text.stdout, `written to ${report}`)
  const written = readFileSync(report, 'utf8')
  t.equal(statSync(report).mode & 0o777, 0o600)
  t.match(written, /^== refusals of relayers ==\nchain=telos {2}action=credit/m)
  t.match(written, /^== slow statements ==\nnot collected: .*pg_stat_statements/m)
  for (const [place, secret] of Object.entries(SECRETS))
    for (const output of [json.stdout, json.stderr, text.stderr, written]) t.notMatch(output, secret, place)
})

t.test('an embedded database is started for the report, and none is made', async (t) => {
  const dataDir = temporaryFolder(t)
  const env = { HEADWATER_DATA: dataDir, HEADWATER_CHAINS: 'wax' }
  const none = await run(['support'], env)
  t.match(none.stdout, /^== server ==\nnot collected: DATABASE_UNREACHABLE: there is no embedded database in /m)
  t.equal(runningPostgres(dataDir), null)
  await (await startEmbeddedPostgres({ dataDir, durable: false })).stop()
  t.match((await run(['support'], env)).stdout, /^== server ==\nversion: PostgreSQL 18/m)
  t.equal(runningPostgres(dataDir), null, 'it has stopped again')
})

t.test('without a database or a valid configuration the report has the rest, and the reason', async (t) => {
  const { env } = environment(t, 'postgresql://me@127.0.0.1:1/none')
  const down = await run(['support'], env)
  t.equal(down.code, 0, down.stderr)
  t.match(down.stdout, /^== versions ==\nheadwater: /m)
  t.match(down.stdout, /^== positions ==\nnot collected: ECONNREFUSED/m)
  t.match(down.stdout, /^== tables ==\nnot collected: ECONNREFUSED/m)
  const wrong = await run(['support', '--file', '/nowhere/report'], {
    ...env,
    HEADWATER_RELAY_API: `me:${SECRETS.node}@api`,
  })
  t.match(wrong.stderr, /^SUPPORT_FILE: cannot write \/nowhere\/report/)
  const invalid = await run(['support'], { ...env, HEADWATER_RELAY_API: `me:${SECRETS.node}@api` })
  t.match(invalid.stdout, /^== configuration ==\nnot collected: INVALID_CONFIG: /m)
  t.match(invalid.stdout, /^== database ==\nnot collected: the configuration is not valid/m)
  for (const secret of Object.values(SECRETS)) t.notMatch(down.stdout + invalid.stdout + wrong.stderr, secret)
})
