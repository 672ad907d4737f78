// The EVM node of the demo, where there is a program for it.
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { type EvmNode, startEvmNode } from '../devnet/evm/node.ts'
import { findAnvil } from '../devnet/evm/program.ts'
import type { Log } from './cli/log.ts'

/** The EVM chain of the demo. */
export const EVM_CHAIN = 'mainnet'

/** @param start  Unix milliseconds of the first block @returns null when there is no program, which is logged */
export async function startDemoEvm(start: number, log: Log): Promise<EvmNode | null> {
  const { path, missing } = findAnvil()
  if (path !== null) return startEvmNode({ path, start })
  log.warn(`the demo goes without its EVM chain: ${missing}`, {
    missing: [`chain ${EVM_CHAIN}`, 'releases', 'relayer'],
  })
  return null
}

/** The EVM chains with the node's address; none without a node. */
export function withEvmNode(configured: readonly EvmChainConfig[], node: EvmNode | null): EvmChainConfig[] {
  if (!node) return []
  return configured.map((config) => ({ ...config, source: { ...config.source, urls: [node.url] } }))
}
