// docker-compose.yml, Dockerfile, Prometheus and Grafana files parse and name only existing services, files and
// metrics.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import pg from 'pg'
import t from 'tap'
import { parse } from 'yaml'
import { Bridge } from '../../api/bridge/bridge.ts'
import { bridgeMetrics } from '../../api/bridge/metrics.ts'
import { ProofMetrics } from '../../api/bridge/proof-metrics.ts'
import { cacheMetrics } from '../../api/http/body-cache.ts'
import { SILENT as QUIET } from '../../api/http/log.ts'
import { MarketStream } from '../../api/market/stream/market-stream.ts'
import { httpMetrics } from '../../api/operate/http-metrics.ts'
import { positionMetrics, sizeMetrics } from '../../api/operate/metrics.ts'
import { poolMetrics } from '../../api/operate/pool-metrics.ts'
import { COMMANDS } from '../../bin/cli/commands.ts'
import { chainSettings, programSettings } from '../../config/environment.ts'
import { EvmChainSchema } from '../../config/evm-schema.ts'
import { chainFiles } from '../../config/load.ts'
import { SYSTEM_CLOCK } from '../../cosign/clock.ts'
import { CpuMonitor } from '../../cosign/cpu-monitor.ts'
import { SILENT } from '../../cosign/log.ts'
import { CosignMetrics } from '../../cosign/metrics.ts'
import { Unbounded } from '../../cosign/unbounded.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import { findCompose } from '../support/docker-compose.ts'

const root = new URL('../../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, root), 'utf8')

interface Service {
  image: string
  build?: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  healthcheck?: { test: string[] }
  profiles?: string[]
  secrets?: string[]
  networks?: { default: { aliases: string[] } }
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  depends_on?: Record<string, unknown> | string[]
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  secrets: Record<string, unknown>
}
const services = Object.entries(compose.services)

/** All metrics of the program. */
function allMetrics() {
  const indexer = new IndexerMetrics()
  indexer.watchDisk('/')
  const pool = new pg.Pool()
  const cosigner = new CosignMetrics(
    new CpuMonitor(() => Promise.reject(), SYSTEM_CLOCK, SILENT),
    new Unbounded(),
    Date.now,
  )
  const registries = [
    ...[indexer.registry, cosigner.registry, new RelayMetrics().registry, new MarketStream([]).registry],
    ...[httpMetrics(fastify()), positionMetrics(pool), sizeMetrics(pool), poolMetrics(pool), cacheMetrics],
    ...[bridgeMetrics(new Bridge({ pool, evm: [], log: QUIET, maxLagSeconds: 60 })), new ProofMetrics().registry],
  ]
  return registries.flatMap((registry) => registry.getMetricsAsArray())
}

/** Their names, including the series of histograms. */
function knownMetrics(): Set<string> {
  return new Set(
    allMetrics().flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

const metricNames = (query: string) => query.match(/\b(headwater|process|nodejs)_[a-z0-9_]+/g) ?? []

t.test('the services are there, pinned and watched', async (t) => {
  const profiles = Object.fromEntries(services.map(([name, { profiles = [] }]) => [name, profiles.join()]))
  t.same(profiles, {
    postgres: '',
    indexer: 'market',
    api: 'market',
    'bridge-indexer': 'bridge',
    'bridge-api': 'bridge',
    cosign: 'cosign',
    relay: 'relay',
    prometheus: 'monitoring',
    alertmanager: 'monitoring',
    grafana: 'monitoring',
  })
  for (const [name, service] of services) {
    t.match(service.image, /:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/, `${name} is pinned`)
    t.ok(service.healthcheck?.test.length, `${name} has a health check`)
  }
  t.match(compose.services.postgres!.image, /^postgres:18\./)
})

t.test('each service runs as an ordinary user, on a file system that it cannot write to', async (t) => {
  for (const [name, { user = 'root', read_only, cap_drop, security_opt }] of services) {
    t.notMatch(user, /^(root|0)(:|$)/, name)
    t.equal(read_only, true, name)
    t.same([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name)
  }
})

/** Variables of docker-compose.yml with their defaults: null without one, or when it is required. */
function composeVariables(): Map<string, string | null> {
  const found = read('docker-compose.yml').matchAll(/\$\{([A-Z_0-9]+)(?::?([-?])([^}]*))?\}/g)
  return new Map([...found].map(([, name, kind, text]) => [name as string, kind === '-' ? (text as string) : null]))
}

t.test('.env.example has every variable of docker-compose.yml and no other, with its default', async (t) => {
  const variables = composeVariables()
  const shown = new Map(
    [...read('.env.example').matchAll(/^(#?)([A-Z_0-9]+)=(.*)$/gm)].map(([, off, ...rest]) => [
      rest[0],
      { off, text: rest[1] },
    ]),
  )
  const own = ['COMPOSE_PROJECT_NAME', 'COMPOSE_PROFILES']
  t.same([...shown.keys()].sort(), [...variables.keys(), ...own].sort())
  for (const [name, value] of variables) {
    const { off, text } = shown.get(name) ?? {}
    if (name.endsWith('PASSWORD')) t.same([off, text], ['', ''], `${name} is to be filled in`)
    else t.same([off, text], ['#', value], `${name} shows its default`)
  }
  t.match(read('.gitignore'), /^\.env$/m, 'a filled-in file is not committed')
})

t.test("Debian's docker-compose accepts the file with the example's variables", async (t) => {
  const found = await findCompose()
  if ('missing' in found) {
    t.notOk(found.isRequired, found.missing)
    t.comment(`not run: ${found.missing}`)
    return
  }
  const { command, args, env } = found
  const config = (passwords: Record<string, string>, ...more: string[]) =>
    spawnSync(command, [...args, '--env-file', '.env.example', ...more, 'config'], {
      cwd: fileURLToPath(root),
      env: { ...env, ...passwords },
      encoding: 'utf8',
    })
  const { status, stdout, stderr } = config({ POSTGRES_PASSWORD: 'one', GRAFANA_PASSWORD: 'two' })
  t.equal(status, 0, stderr)
  const { services: made } = parse(stdout) as { services: Record<string, Service> }
  t.same(Object.keys(made).sort(), Object.keys(compose.services).sort())
  t.match(made['bridge-api']?.environment, {
    HEADWATER_CHAINS: 'telos,wax,mainnet',
    DATABASE_URL: 'postgresql://headwater:one@postgres:5432/headwater',
  })
  t.equal(made.relay?.environment?.HEADWATER_RELAY_DRY_RUN, 'true', 'money is not sent before the operator says so')
  const profiles = new Set(Object.values(compose.services).flatMap(({ profiles = [] }) => profiles))
  for (const profile of profiles) {
    const one = config({ POSTGRES_PASSWORD: 'one', GRAFANA_PASSWORD: 'two' }, '--profile', profile)
    t.equal(one.status, 0, `${profile}: ${one.stderr}`)
  }
  t.match(config({}).stderr, /set (POSTGRES|GRAFANA)_PASSWORD/, 'there is no default password')
})

t.test('volumes and dependencies exist', async (t) => {
  for (const [name, { volumes = [], depends_on = [] }] of services) {
    for (const volume of volumes) {
      const [source] = volume.split(':') as [string]
      const there = source.startsWith('./') ? existsSync(new URL(source, root)) : source in compose.volumes
      t.ok(there, `${name}: ${source}`)
    }
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
    for (const other of needed) t.ok(other in compose.services, `${name} needs ${other}`)
  }
})

t.test('every variable of the program is one of its settings, every command one of its own', async (t) => {
  const known = new Set(
    [
      ...programSettings(),
      ...chainFiles().flatMap((name) => [...chainSettings(name), ...chainSettings(name, EvmChainSchema)]),
    ].map(({ env }) => env),
  )
  for (const name of ['indexer', 'api', 'bridge-indexer', 'bridge-api', 'cosign', 'relay']) {
    const { environment = {}, command = [] } = compose.services[name]!
    for (const variable of Object.keys(environment)) t.ok(known.has(variable), `${name}: ${variable}`)
    t.ok(existsSync(new URL(`bin/commands/${command[0]}.ts`, root)), `${name}: ${command[0]}`)
  }
})

t.test('ports agree between services, health checks and Prometheus', async (t) => {
  const { scrape_configs, alerting } = parse(read('config/prometheus/prometheus.yml'))
  const targets = scrape_configs.flatMap(
    (job: { static_configs?: { targets: string[] }[]; dns_sd_configs?: { names: string[]; port: number }[] }) => [
      ...(job.static_configs ?? []).flatMap((one) => one.targets),
      ...(job.dns_sd_configs ?? []).flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    ],
  )
  t.same(targets, ['indexer:7701', 'api:7700', 'cosign:7702', 'relay:7703'])
  t.match(compose.services.indexer!.command, ['index', '--metrics-port', '7701'])
  t.match(compose.services.indexer!.healthcheck!.test.at(-1), ':7701/')
  t.equal(compose.services.api!.environment!.PORT, '7700')
  t.match(compose.services.api!.healthcheck!.test.at(-1), ':7700/')
  for (const [name, alias] of [
    ['bridge-indexer', 'indexer'],
    ['bridge-api', 'api'],
  ])
    t.same(compose.services[name!]!.networks!.default.aliases, [alias], `${name} answers to the name ${alias}`)
  t.equal(compose.services.relay!.environment!.HEADWATER_RELAY_PORT, '7703')
  t.match(compose.services.relay!.healthcheck!.test.at(-1), ':7703/')
  t.match(alerting.alertmanagers, [{ dns_sd_configs: [{ names: ['alertmanager'], port: 9093 }] }])
  t.match(compose.services.alertmanager!.healthcheck!.test.at(-1), ':9093/')
  t.match(compose.services.api!.ports, [/^\$\{API_PORT:-7700\}:7700$/])
  for (const name of ['api', 'bridge-api'])
    t.match(
      compose.services[name]!.environment!.HEADWATER_PUBLISHED_PORT,
      /^\$\{API_PORT:-7700\}$/,
      'is in what it prints',
    )
  t.equal(compose.services.api!.environment!.HEADWATER_COSIGN_URL, 'http://cosign:7702')
  t.equal(compose.services.cosign!.environment!.HEADWATER_COSIGN_PORT, '7702')
  t.match(compose.services.cosign!.healthcheck!.test.at(-1), ':7702/')
})

t.test('the indexer measures the disk of PostgreSQL, and cannot write to it', async (t) => {
  const mounts = ({ volumes = [] }: { volumes?: string[] }) => volumes.filter((one) => one.startsWith('database:'))
  t.same(mounts(compose.services.postgres!), ['database:/var/lib/postgresql'])
  for (const name of ['indexer', 'bridge-indexer']) {
    const service = compose.services[name]!
    t.same(mounts(service), [`database:${service.environment!.HEADWATER_DATABASE_DIR}:ro`], name)
  }
  const others = services.filter(([name]) => !['postgres', 'indexer', 'bridge-indexer'].includes(name))
  for (const [name, service] of others) t.same(mounts(service), [], name)
})

/** Services that hold secrets: their variables of key files, and their logins. */
const KEYS: Record<string, { secrets: string[]; login?: string; script?: string; password?: string }> = {
  cosign: { secrets: ['payer_key'], login: 'cosigner', script: 'cosigner', password: 'COSIGNER_PASSWORD' },
  relay: {
    secrets: ['relay_evm_key', 'relay_antelope_key'],
    login: 'relayer',
    script: 'relayer',
    password: 'RELAYER_PASSWORD',
  },
  alertmanager: { secrets: ['alert_webhook'] },
}

t.test('cosigner and relayer alone have their keys, with logins of their own, and no port outside', async (t) => {
  t.same(
    Object.keys(compose.secrets).sort(),
    Object.values(KEYS)
      .flatMap(({ secrets }) => secrets)
      .sort(),
  )
  for (const [name, { secrets = [], environment = {}, ports }] of services) {
    t.same(secrets, KEYS[name]?.secrets ?? [], name)
    const files = Object.keys(environment).filter((variable) => variable.endsWith('_KEY_FILE'))
    t.equal(files.length > 0, KEYS[name]?.login !== undefined, name)
    if (KEYS[name]?.login === undefined) continue
    const { login, script, password } = KEYS[name]
    t.equal(ports, undefined, name)
    t.equal(environment.DATABASE_URL, `postgresql://${login}:\${${password}:-}@postgres:5432/headwater`)
    t.ok(String(password) in compose.services.postgres!.environment!)
    const file = `config/postgres/${script}.sh`
    t.match(read(file), `create role ${login} login password :'password' in role headwater_${login};`)
    t.ok(statSync(new URL(file, root)).mode & 0o111)
  }
  t.equal(compose.services.cosign!.environment!.HEADWATER_COSIGN_KEY_FILE, '/run/secrets/payer_key')
  t.match(compose.services.relay!.environment!.HEADWATER_RELAY_EVM_KEY_FILE, '/run/secrets/relay_evm_key')
  const { receivers } = parse(read('config/alertmanager/alertmanager.yml'))
  t.same(receivers[0].webhook_configs, [{ url_file: '/run/secrets/alert_webhook' }])
})

const DASHBOARDS = ['bridge', 'indexer', 'market']

t.test('alerts and dashboards query only metrics that exist', async (t) => {
  const known = knownMetrics()
  const { groups } = parse(read('config/prometheus/alerts.yml'))
  const alerts = groups.flatMap((group: { rules: { alert: string; expr: string }[] }) => group.rules)
  const panels = DASHBOARDS.flatMap((name) => JSON.parse(read(`config/grafana/dashboards/${name}.json`)).panels)
  const queries = [
    ...alerts.map(({ alert, expr }: { alert: string; expr: string }) => [alert, expr]),
    ...panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => [title, expr]),
    ),
  ] as [string, string][]
  t.ok(queries.length > 20)
  const labelled = allMetrics() as { name: string; labelNames?: string[] }[]
  const reserved = labelled.filter(
    ({ labelNames = [] }) => labelNames.includes('job') || labelNames.includes('instance'),
  )
  t.ok(labelled.some(({ labelNames = [] }) => labelNames.includes('task')))
  t.same(reserved, [], 'Prometheus sets these labels itself')
  for (const [title, query] of queries) {
    const names = metricNames(query)
    t.ok(names.length > 0 || /\bup\b/.test(query), `${title} queries something`)
    for (const name of names) t.ok(known.has(name), `${title}: ${name}`)
  }
  const queried = new Set(queries.flatMap(([, query]) => metricNames(query)))
  t.same(
    [...known].filter((name) => name.startsWith('headwater_') && !name.endsWith('_sum') && !queried.has(name)),
    ['headwater_commit_seconds_count'],
    'and every metric of ours is shown somewhere',
  )
})

t.test('Grafana is given its data source and dashboards where it looks for them', async (t) => {
  const { datasources } = parse(read('config/grafana/provisioning/datasources/prometheus.yml'))
  t.match(datasources, [{ uid: 'prometheus', url: 'http://prometheus:9090' }])
  const { providers } = parse(read('config/grafana/provisioning/dashboards/headwater.yml'))
  t.ok(compose.services.grafana!.volumes!.includes(`./config/grafana/dashboards:${providers[0].options.path}:ro`))
})

t.test('the image runs as an ordinary user on a pinned Node, with all folders that the program imports', async (t) => {
  const docker = read('Dockerfile')
  t.match(docker, /^FROM node:20\.\d+\.\d+-bookworm-slim$/m)
  t.match(docker, /^USER node$/m)
  t.match(docker, /npm ci --omit=dev/)
  t.match(
    docker,
    /test -f node_modules\/\.cache\/headwater\/\*\/bin\/main\.mjs$/m,
    'a build that fails ends the image build',
  )
  const kept = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  for (const path of kept) t.ok(existsSync(new URL(path, root)), path)
  for (const folder of ['abis', 'web', ...importedFolders()]) t.ok(kept.includes(folder), folder)
})

t.test('the build of the program is made again after a change of any folder that it imports', (t) => {
  const sources = [...read('bin/start.js').matchAll(/^ {2}'([a-z-]+)',$/gm)].map(([, folder]) => folder)
  for (const folder of importedFolders()) t.ok(sources.includes(folder), folder)
  t.end()
})

/** Top-level folders that any command imports, directly or indirectly: the program is one build of all commands. */
function importedFolders(): Set<string> {
  const commands = Object.keys(COMMANDS).map((name) => `bin/commands/${name}.ts`)
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    // The build drops imports of types.
    for (const [, type, name] of read(path).matchAll(/^(?:import|export) (type )?[^']*?from '(\.{1,2}\/[^']+\.ts)'/gm))
      if (type === undefined) visit(posix.join(path, '..', name!))
  }
  for (const path of ['bin/main.ts', ...commands]) visit(path)
  return new Set([...seen].map((path) => path.split('/')[0] as string))
}
