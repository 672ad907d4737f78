// Builds the relayer from its configuration: keys, journal, lanes, metrics.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { Config } from '../config/program-schema.ts'
import type { RelayConfig } from '../config/relay-schema.ts'
import { RetryableError, UserError } from '../core/errors.ts'
import { closerOfUnused } from '../net/unused-connections.ts'
import { type AntelopeSigner, requirePermission } from './antelope/key.ts'
import { AntelopeLane } from './antelope/lane.ts'
import { Ledger } from './antelope/ledger.ts'
import { AntelopeChain } from './antelope/node.ts'
import { Outcomes } from './antelope/outcomes.ts'
import { BridgeApi } from './bridge-api.ts'
import { type EvmTarget, type LedgerTarget, requireContracts, type Targets, targetsOf } from './chains.ts'
import { pricesOf } from './choice/choose.ts'
import { checkChainNames } from './choice/per-chain.ts'
import { type Context, Limits } from './context.ts'
import { callGuard } from './evm/allowed.ts'
import { EvmChain } from './evm/chain.ts'
import type { EvmSigner } from './evm/key.ts'
import { EvmLane } from './evm/lane.ts'
import { EvmSender } from './evm/sender.ts'
import { antelopeKeyOf, evmKeyOf } from './keys.ts'
import type { Log } from './log.ts'
import { RelayMetrics } from './metrics.ts'
import { type Lanes, Relayer } from './relayer.ts'
import { Journal } from './state/journal.ts'
import { Upkeep } from './upkeep.ts'

export interface RelayOptions extends Pick<Context, 'onAction' | 'onStep'> {
  config: Pick<Config, 'chains' | 'evm' | 'relay' | 'bridgeLedger'>
  databaseUrl: string
  log: Log
}

export interface RunningRelayer {
  /** Address of the metrics. */
  url: string
  /** Ends when the relayer has stopped. @throws RetryableError RELAY_SESSION_LOST */
  done: Promise<void>
  close(): Promise<void>
}

/** @throws UserError of keys, settings, database and nodes: RELAY_KEY_*, RELAY_NO_KEY, RELAY_SIGNER_KEY, RELAY_PERMISSION, RELAY_CONTRACTS, RELAY_OTHER_CHAIN, RELAY_PORT, ... */
export async function startRelayer({
  config,
  databaseUrl,
  log,
  onAction,
  onStep,
}: RelayOptions): Promise<RunningRelayer> {
  const { relay } = config
  const stop = new AbortController()
  const evmKey = await evmKeyOf(relay, stop.signal)
  const antelopeKey = antelopeKeyOf(relay, stop.signal)
  const signers = [...(evmKey ? [evmKey.address] : []), ...(antelopeKey ? [relay.account] : [])]
  if (signers.length === 0)
    throw new UserError('RELAY_NO_KEY', 'the relayer has no key', {
      hint: 'set relay.evmKeyFile, relay.antelopeKeyFile or both, or a signer for each (docs/operate/relayer.md)',
    })
  const permission = antelopeKey === null ? '' : requirePermission(relay)
  const targets = targetsOf(config)
  requireContracts(targets, relay.actions, { evm: evmKey !== null, antelope: antelopeKey !== null })
  const { maxFeeGwei, priorityGwei, warnBalance } = relay
  const evmNames = config.evm.map(({ chain }) => chain)
  checkChainNames({ maxFeeGwei, priorityGwei, warnBalance }, evmNames)
  const metrics = new RelayMetrics()
  collectDefaultMetrics({ register: metrics.registry })
  const journal = await Journal.open(databaseUrl, signers)
  const api = new BridgeApi(relay.api, stop.signal)
  const ledger = ledgerOf(targets.ledger, stop.signal, log)
  const upkeep = upkeepOf(journal, targets.ledger, ledger, relay, log)
  const context: Context = {
    config: relay,
    journal,
    api,
    log,
    metrics,
    prices: () => upkeep.prices(),
    tokens: () => upkeep.tokens(),
    limits: new Limits(),
    onAction,
    onStep,
  }
  try {
    const lanes = lanesOf(context, targets, ledger, { evm: evmKey, antelope: antelopeKey, permission }, stop.signal)
    const relayer = new Relayer(context, lanes, upkeep)
    const { server, closeAll } = await serveMetrics(metrics, relay.host, relay.port)
    const url = `http://${relay.host}:${(server.address() as AddressInfo).port}`
    log.info('relays', {
      url,
      keys: signers,
      chains: [...targets.evm, ...targets.antelope].map(({ name }) => name),
      dryRun: relay.dryRun,
    })
    const done = relayer.run(stop.signal).finally(async () => {
      // After a failure too, nothing may keep the process alive: a service is started again only when it has ended.
      stop.abort()
      await closeAll()
      await journal.close().catch(() => {})
    })
    done.catch(() => {})
    const close = async () => {
      stop.abort()
      await done.catch(() => {})
    }
    return { url, done, close }
  } catch (error) {
    await journal.close()
    throw error
  }
}

function lanesOf(
  context: Context,
  { evm, antelope, ledger: { name: ledgerName } }: Targets,
  ledger: Ledger | null,
  keys: { evm: EvmSigner | null; antelope: AntelopeSigner | null; permission: string },
  signal: AbortSignal,
): Lanes {
  const chains = new Map(evm.map((target) => [target, new EvmChain(target, signal)]))
  const evmLanes = new Map<bigint, EvmLane>()
  for (const [{ chainId, contracts }, chain] of chains) {
    if (keys.evm === null) continue
    const guard = callGuard(chain, contracts)
    evmLanes.set(BigInt(chainId), new EvmLane(context, chain, new EvmSender(context, chain, keys.evm, guard), guard))
  }
  const outcomes = outcomesOf(context, chains)
  const lanes = new Map<bigint, AntelopeLane>()
  const { antelope: key, permission } = keys
  const shared = { permission, ledger, outcomes }
  for (const { name, domain, chainId, url, contracts } of antelope) {
    if (key === null) continue
    const chain = new AntelopeChain(name, url, signal, context.log)
    const maker = { chain, api: context.api, account: context.config.account, contracts, ...shared }
    lanes.set(domain, new AntelopeLane(context, maker, key, chainId))
  }
  const own = antelope.find(({ name }) => name === ledgerName)
  return { evm: evmLanes, antelope: lanes, ledger: own === undefined ? null : (lanes.get(own.domain) ?? null) }
}

function outcomesOf({ config }: Context, chains: ReadonlyMap<EvmTarget, EvmChain>): Outcomes {
  if (config.outcomes === 'none') return new Outcomes(new Map())
  return new Outcomes(new Map([...chains].map(([{ chainId, vaults }, chain]) => [BigInt(chainId), { chain, vaults }])))
}

function ledgerOf({ name, node, bridge, wrap }: LedgerTarget, signal: AbortSignal, log: Log): Ledger | null {
  if (node === null) return null
  return new Ledger(new AntelopeChain(name, node.url, signal, log), { chainId: node.chainId, bridge, wrap })
}

/** Prices of the database and the settings; routes of the ledger's node, or of the database where the node does not answer. */
function upkeepOf(
  journal: Journal,
  { name, wrap }: LedgerTarget,
  ledger: Ledger | null,
  { prices }: RelayConfig,
  log: Log,
): Upkeep {
  return new Upkeep({
    prices: async () => pricesOf(await journal.prices(name, wrap), prices),
    async routes() {
      const ofNode = await ledger?.routes().catch((error: unknown) => error)
      if (Array.isArray(ofNode) && ofNode.length > 0) return ofNode
      const routes = await journal.routes(name, wrap)
      if (routes.length > 0) return routes
      throw ofNode instanceof Error ? ofNode : noRoutes(name)
    },
    prune: () => journal.prune(),
    log,
  })
}

function noRoutes(name: string): RetryableError {
  return new RetryableError(
    'RELAY_ROUTES',
    `no routes of the ledger on ${name} are known, so no transfer has a price`,
    {
      hint: 'set relay.nodes, or source.http, of the ledger’s chain, or use the database of an instance that indexes it',
      place: { chain: name },
    },
  )
}

interface MetricsServer {
  server: Server
  /** Closes the server and its connections, used or not. */
  closeAll: () => Promise<void>
}

/** @throws UserError RELAY_PORT */
function serveMetrics({ registry }: RelayMetrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    response.setHeader('content-type', registry.contentType)
    response.end(await registry.metrics())
  })
  const closeUnused = closerOfUnused(server)
  const closeAll = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    closeUnused()
    server.closeAllConnections()
    await closed
  }
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new UserError('RELAY_PORT', `port ${port} of ${host} cannot be used: ${cause.message}`, {
          hint: 'set relay.port to another one, or to 0',
          cause,
        }),
      ),
    )
    server.listen(port, host, () => resolve({ server, closeAll }))
  })
}
