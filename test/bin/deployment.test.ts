// docker-compose.yml, Dockerfile, Prometheus and Grafana files parse and name only existing services, files and
// metrics.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import t from 'tap'
import { parse } from 'yaml'
import { MarketStream } from '../../api/market/stream/market-stream.ts'
import { httpMetrics } from '../../api/operate/http-metrics.ts'
import { positionMetrics } from '../../api/operate/metrics.ts'
import { chainSettings, programSettings } from '../../config/environment.ts'
import { chainFiles } from '../../config/load.ts'
import { SYSTEM_CLOCK } from '../../cosign/clock.ts'
import { CpuMonitor } from '../../cosign/cpu-monitor.ts'
import { SILENT } from '../../cosign/log.ts'
import { CosignMetrics } from '../../cosign/metrics.ts'
import { Unbounded } from '../../cosign/unbounded.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { RelayMetrics } from '../../relay/metrics.ts'

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
  depends_on?: Record<string, unknown> | string[]
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  secrets: Record<string, unknown>
}
const services = Object.entries(compose.services)

/** Names of all metrics of the program, including the series of histograms. */
async function knownMetrics(): Promise<Set<string>> {
  const indexer = new IndexerMetrics().registry
  const server = positionMetrics(new pg.Pool())
  const http = httpMetrics(fastify())
  const { registry: stream } = new MarketStream([])
  const { registry: cosigner } = new CosignMetrics(
    new CpuMonitor(() => Promise.reject(), SYSTEM_CLOCK, SILENT),
    new Unbounded(),
    Date.now,
  )
  const signing = await cosigner.getMetricsAsJSON()
  const metrics = [
    ...(await indexer.getMetricsAsJSON()),
    ...signing,
    ...(await new RelayMetrics().registry.getMetricsAsJSON()),
    ...server.getMetricsAsArray(),
    ...http.getMetricsAsArray(),
    ...stream.getMetricsAsArray(),
  ]
  return new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

const metricNames = (query: string) => query.match(/\b(headwater|process|nodejs)_[a-z0-9_]+/g) ?? []

t.test('the services are there, pinned and watched', async (t) => {
  t.same(Object.keys(compose.services).sort(), ['api', 'cosign', 'grafana', 'indexer', 'postgres', 'prometheus'])
  for (const [name, service] of services) {
    t.match(service.image, /:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/, `${name} is pinned`)
    t.ok(service.healthcheck?.test.length, `${name} has a health check`)
  }
  t.match(compose.services.postgres!.image, /^postgres:18\./)
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
    [...programSettings(), ...chainFiles().flatMap((name) => chainSettings(name))].map(({ env }) => env),
  )
  for (const name of ['indexer', 'api', 'cosign']) {
    const { environment = {}, command = [] } = compose.services[name]!
    for (const variable of Object.keys(environment)) t.ok(known.has(variable), `${name}: ${variable}`)
    t.ok(existsSync(new URL(`bin/commands/${command[0]}.ts`, root)), `${name}: ${command[0]}`)
  }
})

t.test('ports agree between services, health checks and Prometheus', async (t) => {
  const { scrape_configs } = parse(read('config/prometheus/prometheus.yml'))
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
  t.same(compose.services.api!.ports, ['7700:7700'])
  t.equal(compose.services.api!.environment!.HEADWATER_COSIGN_URL, 'http://cosign:7702')
  t.equal(compose.services.cosign!.environment!.HEADWATER_COSIGN_PORT, '7702')
  t.match(compose.services.cosign!.healthcheck!.test.at(-1), ':7702/')
})

t.test('the cosigner alone has the key, a login of its own, and no port outside', async (t) => {
  const { cosign } = compose.services
  t.same([cosign!.profiles, cosign!.ports], [['cosign'], undefined])
  const [secret] = cosign!.secrets as [string]
  t.same(Object.keys(compose.secrets), [secret])
  t.equal(cosign!.environment!.HEADWATER_COSIGN_KEY_FILE, `/run/secrets/${secret}`)
  for (const [name, { secrets, environment = {} }] of services) {
    if (name === 'cosign') continue
    t.notOk(secrets, name)
    t.notOk('HEADWATER_COSIGN_KEY_FILE' in environment, name)
  }
  t.match(cosign!.environment!.DATABASE_URL, /^postgresql:\/\/cosigner:\$\{COSIGNER_PASSWORD:-\}@postgres:5432\//)
  t.ok('COSIGNER_PASSWORD' in compose.services.postgres!.environment!)
  const script = read('config/postgres/cosigner.sh')
  t.match(script, /create role cosigner login password :'password' in role headwater_cosigner;/)
  t.ok(statSync(new URL('config/postgres/cosigner.sh', root)).mode & 0o111)
})

t.test('alerts and dashboard query only metrics that exist', async (t) => {
  const known = await knownMetrics()
  const { groups } = parse(read('config/prometheus/alerts.yml'))
  const alerts = groups.flatMap((group: { rules: { alert: string; expr: string }[] }) => group.rules)
  const { panels } = JSON.parse(read('config/grafana/dashboards/headwater.json'))
  const queries = [
    ...alerts.map(({ alert, expr }: { alert: string; expr: string }) => [alert, expr]),
    ...panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => [title, expr]),
    ),
  ] as [string, string][]
  t.ok(queries.length > 20)
  for (const [title, query] of queries) {
    const names = metricNames(query)
    t.ok(names.length > 0 || query === 'up == 0', `${title} queries something`)
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
  const kept = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  for (const path of kept) t.ok(existsSync(new URL(path, root)), path)
  for (const folder of ['abis', 'web', ...importedFolders()]) t.ok(kept.includes(folder), folder)
})

/** Top-level folders that the commands of the services import, directly or indirectly. */
function importedFolders(): Set<string> {
  const commands = services.flatMap(([, { command, build }]) => (build ? [`bin/commands/${command?.[0]}.ts`] : []))
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const [, name] of read(path).matchAll(/from '(\.{1,2}\/[^']+\.ts)'/g)) visit(posix.join(path, '..', name!))
  }
  for (const path of ['bin/main.ts', ...commands]) visit(path)
  return new Set([...seen].map((path) => path.split('/')[0] as string))
}
