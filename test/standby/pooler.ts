// The API behind PgBouncer in transaction mode, in front of a primary and of a standby: the same answers, with fewer
// sessions of the server than connections; every command that needs its own session is refused.
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { apiSession } from '../../bin/api-session.ts'
import { checkDatabase } from '../../bin/checks/database.ts'
import { checkServer } from '../../bin/database.ts'
import { type Served, serve } from '../../bin/serve.ts'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/program-schema.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { migrate } from '../../migrations/migrate.ts'
import { endpointUrls, MOVING } from '../api/exchange/endpoint-urls.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { testApi } from '../support/api.ts'
import type { TestDatabase } from '../support/database.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import type { ReplicatedServers } from '../support/standby.ts'
import { REQUIRED_VARIABLE } from '../support/stock-server.ts'
import { until } from '../support/until.ts'
import { pooledCommandsRun } from './commands.ts'

const path = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const LOG = { info() {}, warn() {}, error() {} }
/** Concurrent requests: more than the server's sessions. */
const AT_ONCE = 6
/** The statements of docs/operate/standby.md. */
const LOGIN = `create role pooled login password 'secret' in role headwater_api;
alter role pooled set default_transaction_read_only = 'on';
alter role pooled set timezone = 'UTC';
alter role pooled set jit = 'off';
alter role pooled set statement_timeout = '5s';
create role bare login password 'secret' in role headwater_api`

export async function poolerServes(t: Test, servers: ReplicatedServers, database: TestDatabase): Promise<void> {
  const { primary, standby } = servers
  await primary.query(LOGIN)
  await servers.replayed()
  const logins = { pooled: 'secret', bare: 'secret' }
  const [pooler, ofStandby] = [await startPgBouncer(primary.port, logins), await startPgBouncer(standby.port, logins)]
  for (const one of [pooler, ofStandby]) if (!('missing' in one)) t.teardown(() => one.stop())
  if ('missing' in pooler || 'missing' in ofStandby) {
    const reason = 'missing' in pooler ? pooler.missing : 'there is none in front of the standby'
    if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(reason)
    else t.comment(`not run: ${reason}`)
    return
  }
  const address = (login: string, name: string, settings = '?pgbouncer=true', { port } = pooler) =>
    `postgresql://${login}:secret@127.0.0.1:${port}/${name}${settings}`
  const { config } = loadConfig({ env: {}, program: { chains: ['dev'], port: 0, rateLimit: 0 }, rename: 'wax' })
  const start = async (url: string) => {
    const served = await serve(config, url, LOG)
    t.teardown(() => served.close())
    await until('the market', async () => (await ask(served, '/api/v2/swap/pools')).status === 200)
    return served
  }

  t.test('every endpoint answers as without a pooler', async (t) => {
    const urls = (await endpointUrls(await testApi(t, database))).map(({ url }) => url)
    const [pooled, onStandby, direct] = await Promise.all([
      start(address('pooled', 'scene')),
      start(address('pooled', 'scene', undefined, ofStandby)),
      start(database.url),
    ])
    const compared = urls.filter((url) => !MOVING.test(url))
    const of = async (served: Served) => {
      const answers: Answer[] = []
      for (let i = 0; i < compared.length; i += AT_ONCE)
        answers.push(...(await Promise.all(compared.slice(i, i + AT_ONCE).map((url) => ask(served, url)))))
      return answers
    }
    // Several at once and all twice, so that transactions of one connection change their session.
    const expected = await of(direct)
    for (const [place, served] of [
      ['a primary', pooled],
      ['a standby', onStandby],
    ] as const)
      for (const answers of [await of(served), await of(served)])
        for (const [i, answer] of answers.entries())
          t.same(answer, expected[i], `${compared[i]}, pooler in front of ${place}`)
    t.ok(expected.filter(({ status }) => status === 200).length > 40)
    for (const server of [primary, standby]) {
      const { rows } = await server.query(
        `select count(*)::int as n from pg_stat_activity where usename = 'pooled' and datname = 'scene'`,
      )
      t.ok(rows[0].n > 0 && rows[0].n <= 3, `${rows[0].n} sessions`)
    }
  })

  t.test('new blocks are found', async () => {
    const { rows } = await primary.query('select block_num::int as num from meta.position', [], 'live')
    const apis = await Promise.all([
      start(address('pooled', 'live')),
      start(address('pooled', 'live', undefined, ofStandby)),
    ])
    await indexExchange(primary.url('live'), 'wax', new ReplaySource(path), rows[0].num + 1)
    for (const served of apis)
      await until(
        'the block',
        async () => JSON.parse((await ask(served, '/api/v3/meta')).text).block === rows[0].num + 1,
      )
  })

  t.test('status and compare give the results of the server itself', (t) =>
    pooledCommandsRun(t, database, {
      direct: database.url,
      poolers: [address('pooled', 'scene'), address('pooled', 'scene', undefined, ofStandby)],
    }),
  )

  t.test('commands that need their own session are refused with a hint', async (t) => {
    const url = address('pooled', 'scene')
    await t.rejects(indexExchange(url, 'wax', new ReplaySource(path), 2), { code: 'POOLED_CONNECTION' })
    await t.rejects(startBoss({ databaseUrl: url }), { code: 'POOLED_CONNECTION' })
    await t.rejects(migrate(url), { code: 'POOLED_CONNECTION' })
    t.same(await migrate(url, undefined, 'statements'), [])
    await t.rejects(apiSession(address('bare', 'scene'), LOG), {
      code: 'POOLED_LOGIN',
      hint: /alter role bare set default_transaction_read_only = 'on';/,
    })
    await t.rejects(checkServer(address('pooled', 'scene', '')), {
      code: 'POOLER_NOT_NAMED',
      hint: /^add pgbouncer=true to DATABASE_URL/,
    })
    await t.rejects(checkServer(address('pooled', 'scene', '?pgbouncer=true&options=-c%20jit%3Doff'), 'statements'), {
      code: 'POOLER_NOT_NAMED',
      hint: /^remove options= from DATABASE_URL/,
    })
    const { found } = await checkDatabase({ database: url } as Config)
    t.match(found, [
      { level: 'ok', subject: 'database' },
      { level: 'warn', subject: 'pooler', message: /only `headwater api`, `headwater compare` and `headwater status`/ },
      { level: 'ok', subject: 'schema' },
    ])
  })

  t.test('a pooler that drops the start options without an error is found', async (t) => {
    const silent = await startPgBouncer(primary.port, { pooled: 'secret' }, 'ignore_startup_parameters = options')
    if ('missing' in silent) return t.fail(silent.missing)
    t.teardown(() => silent.stop())
    const url = `postgresql://pooled:secret@127.0.0.1:${silent.port}/scene`
    await t.rejects(apiSession(url, LOG), {
      code: 'POOLER_NOT_NAMED',
      message: /the user is pooled and not headwater_api/,
      hint: /^add pgbouncer=true/,
    })
    t.equal(await apiSession(`${url}?pgbouncer=true`, LOG), '')
  })
}

interface Answer {
  status: number
  etag: string | null
  block: string | null
  text: string
}

/** Requests up to three times while the server refuses for its load: the machine of a test is busy. */
async function ask(served: Served, path: string, tries = 3): Promise<Answer> {
  const { url } = served
  const answer = await fetch(url + path)
  const { status, headers } = answer
  if (status === 503 && tries > 1) return delay(100).then(() => ask(served, path, tries - 1))
  const whole = await answer.text()
  const text = whole
    .replaceAll(/"ts":\d+|"refreshedAt":"[^"]+"/g, '')
    .replaceAll(new RegExp(`\\b(127\\.0\\.0\\.1|localhost):${new URL(url).port}\\b`, 'g'), 'HOST')
  // The tag is of the content, which differs where it has the address of the server.
  const etag = text === whole ? headers.get('etag') : null
  return { status, etag, block: headers.get('x-block-num'), text }
}
