// A complete live bridge for tests: both chains and an EVM node with a day of history, then live blocks; the indexer,
// the API on its own port, the relayer, and users.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Test as Tap } from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import { relayerSettings, setUpRelayerAccounts } from '../../../bin/demo-relayer.ts'
import { demoWallets, welcomeVisitor } from '../../../bin/demo-visitor.ts'
import { indexChains } from '../../../bin/index-chains.ts'
import { serve } from '../../../bin/serve.ts'
import { loadConfig } from '../../../config/load.ts'
import { RELAY_ACTIONS } from '../../../config/relay-schema.ts'
import { historyStart, startDevnet } from '../../../devnet/devnet.ts'
import { startBeacon } from '../../../devnet/evm/beacon.ts'
import { startEvmForks } from '../../../devnet/evm/forks.ts'
import { goLive, startEvmNode } from '../../../devnet/evm/node.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import type { ForkOptions } from '../../../devnet/fork-plan.ts'
import { AntelopeNode } from '../../../devnet/relayer/antelope-node.ts'
import { BridgeApi } from '../../../devnet/relayer/bridge-api.ts'
import { setUpGateway } from '../../../devnet/relayer/following.ts'
import { type Places, Travellers } from '../../../devnet/relayer/travellers.ts'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { IndexerMetrics } from '../../../indexer/operate/metrics.ts'
import { BeaconNode } from '../../../proofs/deposit/evm/beacon.ts'
import { BridgeApi as WorkApi } from '../../../relay/bridge-api.ts'
import type { RelayedAction } from '../../../relay/context.ts'
import { startRelayer } from '../../../relay/start.ts'
import { testDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const FOLDER = new URL('../../../config/demo/', import.meta.url).pathname
const NAMES = ['wax', 'telos'] as const
/** Shorter intervals than in the demo, because every journey waits for all of them. */
const PACE = { evmPollMs: 250, relayerSeconds: 0.15, pageSeconds: 0.5 }
/** Timeout of a condition, and the interval of checks. */
const PATIENCE_MS = 600_000
const POLL_MS = 500

export interface LiveBridge {
  places: Places
  users: Travellers
  /** Work and proofs, as a relayer reads them. */
  work: WorkApi
  /** URL of the bridge API. */
  url: string
  /** URL of the API server. */
  site: string
  /** Actions that the relayer pushed, including refused ones. */
  relayed: RelayedAction[]
  /** The database that the server reads. */
  pool: pg.Pool
  /** Repeats a request until its answer passes a check. @throws after ten minutes, with the last answer */
  until<T>(what: string, ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T>
}

export interface LiveBridgeOptions {
  /** Whether there is an account for a user who tries the bridge's page, as in the demo. */
  visitor?: boolean
  /** Days of history. Deposits that are not collected are returned after a week. */
  days?: number
  /** Actions that the relayer does not push. */
  omit?: readonly RelayedAction['what'][]
  /** Forks of all three chains once they are live. */
  forks?: ForkOptions
  /** Whether history has the rare cases of an exchange, as in the demo. */
  edgeCases?: boolean
}

interface RelayingOptions {
  places: { api: string; telos: string; wax: string; evm: string }
  databaseUrl: string
  omit: readonly RelayedAction['what'][]
  onAction: (action: RelayedAction) => void
  onTrouble: (trouble: Error) => void
}

/** The relayer with the settings of the demo, in this process. */
async function startRelaying(t: Tap, { places, databaseUrl, omit, onAction, onTrouble }: RelayingOptions) {
  const folder = temporaryFolder(t)
  await setUpRelayerAccounts(places, folder)
  const env = {
    ...relayerSettings(places, folder),
    HEADWATER_RELAY_ACTIONS: RELAY_ACTIONS.filter((action) => !omit.includes(action)).join(','),
    HEADWATER_RELAY_POLL_SECONDS: `${PACE.relayerSeconds}`,
  }
  // As `headwater relay` reads it: without the demo's configuration of chains.
  const { config } = loadConfig({ env })
  const warn = (message: string, fields: object = {}) => {
    if (message === 'waits') onTrouble(new Error(JSON.stringify(fields)))
  }
  return startRelayer({ config, databaseUrl, log: { ...SILENT, warn }, onAction })
}

/** An EVM node, the two Antelope chains and a beacon node, with history that ends now. */
async function startNodes(
  t: Tap,
  seed: number,
  { days, forks, edgeCases }: { days: number; forks: ForkOptions | undefined; edgeCases: boolean },
) {
  const { path, missing } = findAnvil()
  if (path === null) throw new Error(missing)
  const end = Date.now()
  const node = await startEvmNode({ path, start: historyStart(end, days) })
  t.teardown(() => node.stop())
  const net = await startDevnet({
    chains: NAMES,
    simulation: (setting) => new ExchangeSimulation(setting, { evmNode: node.url, edgeCases }),
    days,
    seed,
    end,
    interval: 1_200_000,
    lastHourInterval: 120_000,
    forks,
  })
  t.teardown(() => net.stop())
  await net.ready
  const beacon = await startBeacon(node.url, historyStart(end, days))
  t.teardown(() => beacon.stop())
  await goLive(node.url)
  return { node, net, beacon }
}

export async function startLiveBridge(
  t: Tap,
  seed: number,
  { visitor = false, days = 1, omit = [], forks, edgeCases = false }: LiveBridgeOptions = {},
): Promise<LiveBridge> {
  let trouble: Error | null = null
  const { node, net, beacon } = await startNodes(t, seed, { days, forks, edgeCases })
  const evmRpc = new EvmRpc(node.url)
  if (forks) {
    const onError = (error: Error) => void (trouble = error)
    t.teardown(startEvmForks(evmRpc, { seed: String(seed), everySeconds: forks.everySeconds, onError }))
  }

  const { config } = loadConfig({ env: {}, folder: FOLDER, program: { chains: [...NAMES, 'mainnet'] } })
  const chains = config.chains.map((chain) => {
    const { ship, http, firstBlock } = net.chains.find(({ name }) => name === chain.chain)!
    const start = { startBlock: firstBlock, fullStateBlock: firstBlock }
    return { ...chain, source: { ...chain.source, urls: [ship], http, ...start }, public: { node: http } }
  })
  const evm = config.evm.map((chain) => ({
    ...chain,
    source: { ...chain.source, urls: [node.url], beacon: beacon.url, pollMs: PACE.evmPollMs },
    public: { node: node.url },
  }))
  const { url: databaseUrl, pool } = await testDatabase(t, { chains: ['telos', 'wax', 'mainnet'] })
  const stop = new AbortController()
  const { signal } = stop
  const metrics = new IndexerMetrics()
  const indexing = indexChains({ chains, evm, databaseUrl, signal, log: SILENT, metrics, onProgress() {} })
  const site = { ...config.site, pollSeconds: PACE.pageSeconds }
  const demo = visitor ? demoWallets(node.url) : undefined
  const server = await serve({ ...config, chains, evm, site }, databaseUrl, SILENT, {
    port: 0,
    isDevelopment: true,
    demo,
    registries: [metrics.registry],
  })
  const url = `${server.url}/api/bridge/v1`
  const http = (name: string) => net.chains.find((chain) => chain.name === name)!.http
  const places = {
    api: new BridgeApi(url),
    telos: new AntelopeNode(http('telos')),
    wax: new AntelopeNode(http('wax')),
    evm: evmRpc,
  }
  if (visitor) await welcomeVisitor({ telos: http('telos'), wax: http('wax'), evm: node.url })
  const relayed: RelayedAction[] = []
  const beaconNode = new BeaconNode({ chain: 'mainnet', url: beacon.url })
  const follows = setUpGateway(places.telos, beaconNode, signal)
  const relayer = await startRelaying(t, {
    places: { api: url, telos: http('telos'), wax: http('wax'), evm: node.url },
    databaseUrl,
    omit,
    onAction: (one) => void relayed.push(one),
    onTrouble: (error) => void (trouble = error),
  })
  t.teardown(async () => {
    stop.abort()
    await relayer.close()
    await follows
    await indexing
    await server.close()
  })
  return {
    places,
    users: new Travellers(places),
    work: new WorkApi(url, signal),
    url,
    site: server.url,
    relayed,
    pool,
    async until(what, ask, good) {
      const deadline = Date.now() + PATIENCE_MS
      for (let last: unknown; ; ) {
        const answer = await ask()
        if (good(answer)) return answer
        last = answer
        const more = trouble && { relayer: trouble.message }
        if (Date.now() > deadline) {
          const state = JSON.stringify({ last, relayed: relayed.slice(-20), ...more })
          throw new Error(`${what} is not so after ten minutes: ${state}`)
        }
        await sleep(POLL_MS)
      }
    },
  }
}
