// The services of docker-compose.yml as processes: the command of each, with its environment and the defaults of
// .env.example, starts and becomes healthy by its own health check, and stops cleanly. What a container changes is replaced:
// names of the network, ports, secrets, and the volume of the database. Images, users and read-only folders are not tested.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrivateKey } from '@wharfkit/antelope'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { start } from '../bin/program.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { freePort } from '../support/debian-server.ts'
import { until } from '../support/until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

interface Service {
  command: string[]
  environment: Record<string, string>
  healthcheck: { test: string[] }
}

const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> }

/** As docker-compose reads `.env`: the lines that are no comments. */
function exampleOf(changes: Record<string, string>): Record<string, string> {
  const lines = [...read('.env.example').matchAll(/^([A-Z_0-9]+)=(.*)$/gm)]
  return { ...Object.fromEntries(lines.map(([, name, value]) => [name, value])), ...changes }
}

/** Replaces `${NAME:-default}`, `${NAME-default}` and `${NAME:?problem}`. @throws Error for a variable that is required */
function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{([A-Z_0-9]+)(:?[-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = values[name]
    if (value !== undefined && (value !== '' || kind === '-')) return value
    if (kind.endsWith('?')) throw new Error(rest)
    return rest
  })
}

/** Makes the login that a script of the database's image makes, with a name of this test. @returns its URL */
async function loginOf(t: Test, { pool, url }: TestDatabase, script: string): Promise<string> {
  const [password, name] = [randomBytes(8).toString('hex'), `${script}_${randomBytes(4).toString('hex')}`]
  const statement = /^create role \w+ login .*$/m.exec(read(`config/postgres/${script}.sh`))?.[0] ?? ''
  await pool.query(statement.replace(`role ${script} `, `role ${name} `).replace(":'password'", `'${password}'`))
  t.teardown(() => pool.query(`drop role ${name}`))
  const own = new URL(url)
  Object.assign(own, { username: name, password })
  return own.href
}

interface Place {
  /** Values of `.env`. */
  values: Record<string, string>
  /** What replaces a text of the containers, longest first. */
  here: [string, string][]
}

/** Starts a service, waits until it is healthy, and stops it. */
async function becomesHealthy(t: Test, name: string, { values, here }: Place): Promise<void> {
  const { command, environment, healthcheck } = services[name] as Service
  const local = (text: string) => here.reduce((all, [from, to]) => all.replaceAll(from, to), filled(`${text}`, values))
  const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, local(value)]))
  const running = start(command.map(local), env)
  t.teardown(() => void running.child.kill('SIGKILL'))
  const [kind, program, ...args] = healthcheck.test
  t.same([kind, program], ['CMD', 'node'])
  const check = async () => {
    const [code] = await once(spawn(process.execPath, args.map(local), { cwd: ROOT, stdio: 'ignore' }), 'exit')
    return code === 0
  }
  const isHealthy = async () => running.child.exitCode !== null || (await check())
  await until(() => `${name} is healthy: ${running.output.stderr}`, isHealthy, 100)
  t.equal(running.child.exitCode, null, `${name} runs: ${running.output.stderr}`)
  running.child.kill('SIGTERM')
  const { code, stderr } = await running.outcome
  t.equal(code, 0, `${name} stops: ${stderr}`)
}

async function placeOf(t: Test, database: TestDatabase): Promise<Place> {
  const values = exampleOf({ POSTGRES_PASSWORD: 'one', COSIGNER_PASSWORD: 'two', RELAYER_PASSWORD: 'three' })
  const secrets = t.testdir({ payer_key: String(PrivateKey.generate('K1')), relay_evm_key: '11'.repeat(32) })
  for (const name of ['payer_key', 'relay_evm_key']) chmodSync(join(secrets, name), 0o600)
  const port = async (from: string): Promise<[string, string]> => [from, String(await freePort())]
  return {
    values,
    here: [
      ['postgresql://headwater:one@postgres:5432/headwater', database.url],
      ['postgresql://cosigner:two@postgres:5432/headwater', await loginOf(t, database, 'cosigner')],
      ['postgresql://relayer:three@postgres:5432/headwater', await loginOf(t, database, 'relayer')],
      ['/run/secrets', secrets],
      ['/database', secrets],
      ['host.docker.internal', '127.0.0.1'],
      ...(['api', 'cosign'].map((host) => [`//${host}:`, '//127.0.0.1:']) as [string, string][]),
      // No node is there: a service is healthy while its node is away.
      ...(await Promise.all(['8080', '8888', '7700', '7701', '7702', '7703'].map(port))),
    ],
  }
}

t.test('indexer, API, cosigner and relayer start with the example’s variables, and become healthy', async (t) => {
  const database = await testDatabase(t)
  const place = await placeOf(t, database)
  await Promise.all(['indexer', 'api', 'cosign', 'relay'].map((name) => becomesHealthy(t, name, place)))
})

t.test(
  'indexer and API of the bridge, with a node of each chain, too',
  { skip: !process.env.HEADWATER_TEST_LONG && 'in test:long' },
  async (t) => {
    const database = await testDatabase(t, { chains: ['telos', 'wax'] })
    const place = await placeOf(t, database)
    const nodes = {
      HEADWATER_TELOS_SOURCE_URLS: 'ws://host.docker.internal:8080',
      HEADWATER_TELOS_SOURCE_HTTP: 'http://host.docker.internal:8888',
      HEADWATER_MAINNET_SOURCE_URLS: 'http://host.docker.internal:8888',
    }
    const values = { ...place.values, ...nodes }
    await Promise.all(['bridge-indexer', 'bridge-api'].map((name) => becomesHealthy(t, name, { ...place, values })))
  },
)

t.test('a variable without a default is required', (t) => {
  t.throws(() => filled(services.indexer?.environment.DATABASE_URL ?? '', exampleOf({})), /set POSTGRES_PASSWORD/)
  t.end()
})
