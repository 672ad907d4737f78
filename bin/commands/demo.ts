// `headwater demo`: two simulated chains and an EVM node with weeks of history, indexed and served, then live.

import { fileURLToPath } from 'node:url'
import type { ChainConfig } from '../../config/schema.ts'
import { BugError } from '../../core/errors.ts'
import { historyStart } from '../../devnet/devnet.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { startEmbeddedPostgres } from '../../indexer/store/embedded/server.ts'
import { migrate } from '../../migrations/migrate.ts'
import { openClient } from '../../net/postgres.ts'
import type { Command } from '../cli/command.ts'
import { table } from '../cli/help.ts'
import { wholeNumber } from '../cli/parse.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { type DemoCosigner, startDemoCosigner } from '../demo-cosigner.ts'
import { type DemoEvm, EVM_CHAIN, startDemoEvm, withEvmNode } from '../demo-evm.ts'
import { startDemoRelayer } from '../demo-relayer.ts'
import { demoWallets, visitorLine, welcomeVisitor } from '../demo-visitor.ts'
import { indexChains } from '../index-chains.ts'
import { type Jobs, startJobs } from '../jobs.ts'
import { openProgram } from '../program.ts'
import { Reporter } from '../reporter.ts'
import { serve } from '../serve.ts'
import { type SimulatedChains, startSimulatedChains } from '../simulated-chains.ts'

const CHAINS = ['wax', 'telos'] as const
type Simulated = (typeof CHAINS)[number]
const DATABASE = 'headwater_demo'
/** Interval of historical blocks, ms. */
const INTERVAL = 180_000
/** Mean time between forks of each live chain, seconds. */
const FORK_SECONDS = 120
/** Polling interval of the bridge's web page, seconds. */
const POLL_SECONDS = 2

export const command: Command = {
  name: 'demo',
  options: {
    days: { type: 'string', value: 'N', help: 'full days of history; default: 14' },
    seed: { type: 'string', value: 'N', help: 'another history; default: 1' },
    'no-evm': { type: 'boolean', help: 'without the EVM node, as where there is no program for it' },
    'no-forks': { type: 'boolean', help: 'without forks of the live chains' },
  },
  help: `Starts the embedded PostgreSQL and creates the database ${DATABASE} in it again at each start. Ready when /health/ready answers 200.`,
  async run(args) {
    const signal = shutdownSignal()
    const days = wholeNumber(args, 'days', 1) ?? 14
    const seed = wholeNumber(args, 'seed') ?? 1
    const folder = fileURLToPath(new URL('../../config/demo/', import.meta.url))
    const program = { chains: [...CHAINS, EVM_CHAIN] }
    const { config, log } = openProgram({ ...args, values: {} }, { folder, program })
    const started = performance.now()
    const end = Date.now()
    const node = await startDemoEvm({ start: historyStart(end, days), wanted: args.values['no-evm'] !== true }, log)
    const forks = args.values['no-forks'] === true ? null : { everySeconds: FORK_SECONDS }
    const evmNode = node?.url ?? null
    const task = { chains: CHAINS, days, seed, interval: INTERVAL, end, evmNode, forks, edgeCases: true }
    const starting = startSimulatedChains(task)
    const postgres = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      attached: true,
      log: (message) => log.info(message),
    })
    const reporter = new Reporter(log)
    let devnet: SimulatedChains | null = null
    let jobs: Jobs | undefined
    let stopRelayer = () => {}
    let cosigner: DemoCosigner | undefined
    try {
      const databaseUrl = await freshDatabase(postgres.url)
      jobs = startJobs({ databaseUrl, chains: config.chains, log })
      reporter.watchRelayers(databaseUrl, undefined)
      const simulated = await starting
      devnet = simulated
      const chains = config.chains.map((chain) => withNode(chain, simulated))
      const { dataDir } = config
      const payer = await startDemoCosigner({ dataDir, databaseUrl, node: nodesOf(simulated).wax }, log)
      cosigner = payer
      const cosign = { ...config.cosign, url: payer.url }
      const evm = withEvmNode(config.evm, node)
      // The demo polls faster than the default, so that its users see changes soon.
      const site = { ...config.site, pollSeconds: POLL_SECONDS }
      const metrics = new IndexerMetrics()
      const server = await serve({ ...config, chains, evm, site, cosign }, databaseUrl, log, {
        registries: [metrics.registry],
        isDevelopment: true,
        demo: node ? demoWallets(node.url) : undefined,
      })
      try {
        process.stdout.write(addresses(server.url, postgres.tcpUrl, simulated, node))
        const whenServed = whenReady(server.url, signal).then((ready) => {
          if (!ready) return
          log.info('ready', { seconds: secondsSince(started) })
          payer.setUp().catch((error: Error) => log.warn('CPU is not paid for', { reason: error.message }))
          if (!node) return
          const { url: evm, beacon } = node
          welcomeVisitor({ evm, ...nodesOf(simulated) }).catch((error: Error) =>
            log.warn('the visitor of the demo has nothing', { reason: error.message }),
          )
          const places = { api: bridgeUrl(server.url), evm, beacon, ...nodesOf(simulated) }
          stopRelayer = startDemoRelayer({ places, dataDir, databaseUrl }, log)
        })
        // Waits until the history is complete: blocks that are already final are written in large batches, which is
        // faster than following block by block.
        await Promise.race([simulated.ready, aborted(signal)])
        if (!signal.aborted) log.info('history is made', { days, seconds: secondsSince(started) })
        await indexChains({ chains, evm, databaseUrl, signal, log, metrics, onProgress: reporter.add.bind(reporter) })
        await aborted(signal)
        await whenServed
      } finally {
        await server.close()
      }
    } finally {
      reporter.stop()
      stopRelayer()
      cosigner?.stop()
      devnet?.stop()
      await node?.stop()
      await jobs?.stop()
      await postgres.stop()
    }
    return 0
  },
}

/** Drops an earlier demo's database: simulated history ends at the present, so theirs differs. */
async function freshDatabase(serverUrl: string): Promise<string> {
  const admin = openClient({ connectionString: serverUrl })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${DATABASE} with (force)`)
    await admin.query(`create database ${DATABASE}`)
  } finally {
    await admin.end()
  }
  const url = named(serverUrl)
  await migrate(url)
  return url
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10
}

function named(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  return url.href
}

function withNode(config: ChainConfig, { chains }: SimulatedChains): ChainConfig {
  const node = chains.find(({ name }) => name === config.chain)
  if (!node) throw new BugError('DEVNET_CHAIN', `the demo does not simulate ${config.chain}`)
  const { ship, http, firstBlock } = node
  const start = { startBlock: firstBlock, fullStateBlock: firstBlock }
  const open = { ...config.public, node: http }
  return { ...config, source: { ...config.source, urls: [ship], http, ...start }, public: open }
}

function bridgeUrl(url: string): string {
  return `${url}/api/bridge/v1`
}

function nodesOf({ chains }: SimulatedChains): Record<Simulated, string> {
  const url = (chain: string) => chains.find(({ name }) => name === chain)?.http ?? ''
  return { wax: url('wax'), telos: url('telos') }
}

/** Polls the server until it is ready, as a client would. False when the program is stopped first. */
async function whenReady(url: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const { ok } = await fetch(`${url}/health/ready`, { signal }).catch(() => ({ ok: false }))
    if (ok) return true
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return false
}

function addresses(url: string, database: string, { chains }: SimulatedChains, evm: DemoEvm | null): string {
  const rows: [string, string][] = [
    ['API', `${url}  (Host: wax.localhost or telos.localhost chooses the chain)`],
    ['Explorer', `${url}/  (markets, accounts, transactions; the chain switch is at the top)`],
    ['Ready?', `${url}/health/ready`],
    ['Status', `${url}/status`],
    ['Metrics', `${url}/metrics`],
    ['SQL', `psql '${named(database)}'`],
    ['Bridge', `${bridgeUrl(url)}/hops`],
    ['Bridge page', `${url}/v/wax/bridge`],
    ['For operators', `${url}/bridge/operator`],
    ['CPU paid for', evm === null ? 'missing with the EVM chain' : `${url}/demo/swap  (a swap of the visitor)`],
    ['Visitor', evm === null ? 'missing with the EVM chain' : visitorLine],
    ...chains.map(({ name, http, ship, firstBlock }): [string, string] => [
      `Node of ${name}`,
      `${http}  (chain API), ${ship}  (state history from block ${firstBlock})`,
    ]),
    ['EVM', evm === null ? 'missing: see the warning above' : `${evm.url}  (chain id 1), beacon chain ${evm.beacon}`],
  ]
  return `\nHeadwater demo\n${table(rows)}\n\n`
}
