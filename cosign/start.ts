// Builds the cosigner from its configuration and starts its server.
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { CosignConfig } from '../config/cosign-schema.ts'
import type { ChainConfig } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import { fromHex } from '../core/hex.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import { openCosignPool } from './connection.ts'
import { Cosigner } from './cosigner.ts'
import { CpuMonitor } from './cpu-monitor.ts'
import { readKeyFile } from './key-file.ts'
import { LimitCounter } from './limits.ts'
import type { Log } from './log.ts'
import { CosignMetrics } from './metrics.ts'
import { ChainClient } from './node/chain-client.ts'
import { NodeChecks } from './node/node-checks.ts'
import { createCosignServer } from './server.ts'
import { Signer } from './signer.ts'
import { IS_ON, SET_SWITCH } from './sql.ts'
import { type SignerTask, ThreadedSigner } from './threaded-signer.ts'
import { TokenList } from './token-list.ts'
import { Unbounded } from './unbounded.ts'

export interface CosignOptions {
  config: CosignConfig
  /** The chain whose transactions are signed. */
  chain: ChainConfig
  databaseUrl: string
  log: Log
  clock?: Clock
  /** Signs in a separate thread, which takes a second to start. */
  inThread?: boolean
}

export interface RunningCosigner {
  /** `http://127.0.0.1:7702` */
  url: string
  cpu: CpuMonitor | null
  close(): Promise<void>
}

const HOUR = 3_600_000

/** @throws UserError COSIGN_CHAIN_ID, COSIGN_PORT, and those of the key file */
export async function startCosigner({
  config,
  chain,
  databaseUrl,
  log,
  clock = SYSTEM_CLOCK,
  inThread = false,
}: CosignOptions): Promise<RunningCosigner> {
  const chainId = chainIdOf(chain)
  const { keyFile } = config
  const signer = keyFile === undefined ? null : await openSigner({ keyFile, chainId }, inThread)
  if (signer === null) log.warn('there is no key file: nothing is signed')
  const pool = openCosignPool(databaseUrl, log)
  const checks = config.node === undefined ? null : nodeChecks(config.node, config, chainId, clock)
  const cpu = checks === null ? null : new CpuMonitor(async () => (await payerOf(checks)).cpu, clock, log)
  const limits = new LimitCounter(pool, chain.chain, config.limits)
  const isKnownOnly = (config.tokens ?? (checks === null ? 'any' : 'known')) === 'known'
  const { payer, permission, cpuCeilingMs, requireCpuBound } = config
  const rules = { payer, permission, contracts: new Set(config.contracts), cpuCeilingMs, requireCpuBound }
  const unbounded = new Unbounded()
  const cosigner = new Cosigner({
    rules,
    limits,
    signer,
    checks,
    cpu,
    tokens: isKnownOnly ? new TokenList(pool, chain.chain, clock) : null,
    unbounded,
    now: clock === SYSTEM_CLOCK ? undefined : () => clock.now(),
    isOn: async () => (await pool.query<{ isOn: boolean }>(IS_ON, [chain.chain])).rows[0]?.isOn === true,
  })
  const metrics = new CosignMetrics(cpu, unbounded, () => clock.now())
  collectDefaultMetrics({ register: metrics.registry })
  const app = createCosignServer({
    cosigner,
    metrics,
    provider: { rules, chainId, reference: checks === null ? null : () => checks.reference() },
    log,
    trustProxy: config.trustProxy,
  })
  const prune = () =>
    void limits.prune().catch((error: Error) => log.warn('cannot forget old counters', { reason: error.message }))
  const stopPruning = clock.every(HOUR, prune)
  const close = async () => {
    stopPruning()
    cpu?.stop()
    await app.close()
    if (signer instanceof ThreadedSigner) await signer.close()
    await pool.end()
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (cause) {
    await close()
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new UserError('COSIGN_PORT', `port ${config.port} of ${config.host} is taken`, {
      hint: 'set cosign.port to another one, or to 0',
      cause,
    })
  }
  void cpu?.start()
  const { port } = app.server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log.info('cosigns', { url, chain: chain.chain, payer: `${payer}@${permission}`, key: signer?.publicKey ?? null })
  return { url, cpu, close }
}

async function openSigner(task: SignerTask, inThread: boolean): Promise<Signer | ThreadedSigner> {
  if (inThread) return await ThreadedSigner.start(task)
  return new Signer(readKeyFile(task.keyFile), fromHex(task.chainId))
}

/** Switches signing for a chain on or off, for all processes that share the database. */
export async function switchCosigner(databaseUrl: string, chain: string, isOn: boolean, log: Log): Promise<void> {
  const pool = openCosignPool(databaseUrl, log)
  try {
    await pool.query(SET_SWITCH, [chain, isOn])
  } finally {
    await pool.end()
  }
}

/** Builds the node checks from the configuration. */
export function nodeChecks(url: string, config: CosignConfig, chainId: string, clock = SYSTEM_CLOCK): NodeChecks {
  const { payer, expirySeconds, minimumAgeSeconds, simulate, cpuCeilingMs } = config
  const client = new ChainClient({ url })
  return new NodeChecks({ client, clock, chainId, payer, expirySeconds, minimumAgeSeconds, simulate, cpuCeilingMs })
}

async function payerOf(checks: NodeChecks) {
  await checks.head()
  return await checks.payer()
}

/** @throws UserError COSIGN_CHAIN_ID */
export function chainIdOf({ chain, chainId }: ChainConfig): string {
  if (chainId !== undefined) return chainId
  throw new UserError('COSIGN_CHAIN_ID', `the chain id of ${chain} is not configured`, {
    hint: 'a signature holds for one chain: set chainId in the file of the chain',
    place: { chain },
  })
}
