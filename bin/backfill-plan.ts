// `index --backfill --plan`: estimates the time and the disk space of a backfill from a measured sample of the blocks.
import { availableParallelism } from 'node:os'
import type { ChainConfig } from '../config/schema.ts'
import { NodeApi } from '../indexer/bootstrap/node-api.ts'
import { type Sampled, sampleBlocks } from '../indexer/jobs/sample-blocks.ts'
import { HAS_POSITIONS, POSITION } from '../indexer/jobs/sql.ts'
import { NodeLogs } from '../indexer/source/logs/node-logs.ts'
import type { BlockRange } from '../indexer/source/ranges.ts'
import { probeNode } from '../indexer/source/ship/probe.ts'
import { onConnection } from '../indexer/store/connection.ts'
import { lastPlannable } from './backfill.ts'
import { finality, roleAccounts } from './index-chains.ts'
import { seedAbis } from './seed-abis.ts'
import { createSource } from './source.ts'
import { valuation } from './valuation.ts'

export interface BackfillPlan {
  chain: string
  /** Blocks that are not indexed yet; null when there are none. */
  range: BlockRange | null
  sampled: Sampled
}

/** @throws UserError NO_NODE, SCRATCH_DATABASE, those of the source and of NodeApi */
export async function planChain(config: ChainConfig, databaseUrl: string, signal: AbortSignal): Promise<BackfillPlan> {
  const { chain, chainId, source: settings, accounts, tokens } = config
  const range = await plannedRange(config, databaseUrl)
  const blocks = Math.max(0, range.to - range.from + 1)
  if (blocks === 0) return { chain, range: null, sampled: { ...EMPTY } }
  const ignore = () => {}
  const sampled = await sampleBlocks({
    ...{ databaseUrl, range, signal, chainId: chainId ?? null },
    source: createSource(config, ignore),
    accounts: roleAccounts(config),
    systemAccount: accounts.system,
    tokenContracts: tokens.contracts,
    seedAbis: new Map([...seedAbis(config), ...(await nodeAbis(config))]),
    valuation: valuation(config),
    finality: finality(config, ignore),
    checksActions: settings.checkActions,
  })
  return { chain, range, sampled }
}

const EMPTY: Sampled = { blocks: 0, bytes: 0, ledgerRows: 0, readSeconds: 0, writeSeconds: 0, diskBytes: 0 }

/** From the first block that is not indexed and can be read, to the last one that can be planned. */
async function plannedRange(config: ChainConfig, databaseUrl: string): Promise<BlockRange> {
  const { chain, source } = config
  const position = await onConnection({ databaseUrl, name: 'plan', chain }, async (client) => {
    // A database that was never migrated has no blocks.
    if (!(await client.query(HAS_POSITIONS)).rows[0]?.isThere) return undefined
    return (await client.query(POSITION, [chain])).rows[0]
  })
  const to = await lastPlannable(config)
  if (position) return { from: Number(position.num) + 1, to }
  return { from: Math.max(source.startBlock, await firstReadable(config)), to }
}

async function firstReadable({ chain, source }: ChainConfig): Promise<number> {
  if (source.logs.length > 0) {
    const logs = await NodeLogs.open(source.logs, source.maxFrameBytes)
    await logs.close()
    return logs.begin ?? 1
  }
  const probes = await Promise.all(source.urls.map((url) => probeNode(url, { chain })))
  return Math.min(...probes.map(({ status: { traces, deltas } }) => Math.max(traces.begin, deltas.begin)))
}

/** The contracts' ABIs of now, without which actions in the middle of a chain cannot be decoded. */
async function nodeAbis({ source, accounts, tokens }: ChainConfig): Promise<[string, Uint8Array][]> {
  if (source.http === undefined) return []
  const api = new NodeApi({ url: source.http })
  const { system: _, gateways, ...roles } = accounts
  const contracts = [...Object.values(roles), ...gateways.map(({ account }) => account)]
  const names = new Set([...contracts, ...(tokens.contracts === '*' ? [] : tokens.contracts)])
  const found = await Promise.all([...names].map(async (name) => [name, await api.rawAbi(name)] as const))
  return found.flatMap(([name, abi]) => (abi ? [[name, abi] as [string, Uint8Array]] : []))
}

const MEGABYTE = 1e6
const HOUR = 3600

/** The plan as text. @param cores  processor cores of this machine */
export function planText({ chain, range, sampled }: BackfillPlan, cores = availableParallelism()): string {
  if (range === null) return `${chain}: nothing to do, all blocks are indexed\n`
  const { from, to } = range
  const count = to - from + 1
  const { blocks, bytes, ledgerRows, readSeconds, writeSeconds, diskBytes } = sampled
  const all = count / blocks
  const read = readSeconds * all
  const write = writeSeconds * all
  const per = (value: number, digits = 1) => (value / blocks).toFixed(digits)
  // Workers also stage their rows, and one process takes them over: the server writes each row twice.
  const withWorkers = Math.max(2 * write, (read + 2 * write) / cores)
  return `${chain}: blocks ${from} to ${to}, ${count} blocks
  measured: ${blocks} blocks of ${per(bytes / 1000)} kB, ${per(ledgerRows)} rows each
  a block takes ${per(1e6 * readSeconds, 0)} µs to read and decode, ${per(1e6 * writeSeconds, 0)} µs in the database
  one process: about ${duration(Math.max(read, write))}; with workers on the ${cores} cores here: about ${duration(Math.min(withWorkers, read + write))}
  disk: about ${size(diskBytes * all)} of history with indexes; current rows and finality data come on top
`
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} minutes`
  return seconds < 72 * HOUR ? `${(seconds / HOUR).toFixed(1)} hours` : `${(seconds / HOUR / 24).toFixed(1)} days`
}

function size(bytes: number): string {
  return bytes < 1000 * MEGABYTE ? `${Math.ceil(bytes / MEGABYTE)} MB` : `${(bytes / 1000 / MEGABYTE).toFixed(1)} GB`
}
