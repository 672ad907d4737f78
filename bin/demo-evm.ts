// The EVM node of the demo and its beacon chain, where a node binary is available.
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { startBeacon } from '../devnet/evm/beacon.ts'
import { startEvmNode } from '../devnet/evm/node.ts'
import { findAnvil } from '../devnet/evm/program.ts'
import type { Log } from './cli/log.ts'

/** The EVM chain of the demo. */
export const EVM_CHAIN = 'mainnet'
/** Missing parts of the demo without an EVM node. */
const MISSING_WITHOUT_NODE = [`chain ${EVM_CHAIN}`, 'releases on it', 'relayer']

export interface DemoEvm {
  /** JSON-RPC. */
  url: string
  /** REST API of its beacon chain. */
  beacon: string
  stop(): Promise<void>
}

/**
 * @param start   time of the first block, Unix milliseconds
 * @param wanted  false: treated as if no node binary were available
 * @returns null when no node binary is available, which is logged
 */
export async function startDemoEvm(
  { start, wanted }: { start: number; wanted: boolean },
  log: Log,
): Promise<DemoEvm | null> {
  const { path, missing } = wanted ? findAnvil() : { path: null, missing: 'it is not wanted' }
  try {
    if (path !== null) return await startWith(path, start, log)
    log.warn(`the demo goes without its EVM node: ${missing}`, { missing: MISSING_WITHOUT_NODE })
  } catch (error) {
    log.warn(`the demo goes without its EVM node: ${(error as Error).message}`, { missing: MISSING_WITHOUT_NODE })
  }
  return null
}

async function startWith(path: string, start: number, log: Log): Promise<DemoEvm> {
  const node = await startEvmNode({ path, start })
  const beacon = await startBeacon(node.url, start, (reason) =>
    log.warn('the simulated beacon chain cannot follow the EVM node', { reason }),
  )
  const stop = async () => {
    await beacon.stop()
    await node.stop()
  }
  return { url: node.url, beacon: beacon.url, stop }
}

/** The EVM chains with the node's URLs; none without a node. */
export function withEvmNode(configured: readonly EvmChainConfig[], node: DemoEvm | null): EvmChainConfig[] {
  if (!node) return []
  const { url, beacon } = node
  return configured.map((config) => ({
    ...config,
    source: { ...config.source, urls: [url], beacon },
    public: { ...config.public, node: url },
  }))
}
