// Indexes one EVM chain until the signal is aborted or the last wanted block is written.
import { FaultJudge } from './block-fault.ts'
import { type EvmContracts, EvmProjector } from './project/evm/projector.ts'
import { type IndexEvents, retrying, watched } from './retrying.ts'
import { Session } from './session.ts'
import type { EvmSourceOptions } from './source/evm/settings.ts'
import { EvmSource } from './source/evm/source.ts'
import type { Position } from './store/position.ts'
import { ChainWriter, type CommitPoint } from './store/writer.ts'

export interface EvmIndexOptions {
  chain: string
  databaseUrl: string
  contracts: EvmContracts
  source: EvmSource
  projector: EvmProjector
  chainId: number
  /** First block when nothing is indexed; default: the block in which the contracts were deployed. */
  startBlock?: number
  endBlock?: number
  events: IndexEvents
  signal: AbortSignal
  /** Called at every step of a commit. */
  onPoint?: (point: CommitPoint) => void | Promise<void>
}

/** The source and the projector of a chain. */
export function evmParts(options: Omit<EvmSourceOptions, 'contracts' | 'topics'> & { contracts: EvmContracts }): {
  source: EvmSource
  projector: EvmProjector
} {
  const projector = new EvmProjector(options.chain, options.contracts)
  const contracts = Object.values(options.contracts).flat()
  return { projector, source: new EvmSource({ ...options, contracts, topics: projector.topics }) }
}

/** Chain id of an EVM chain in the position: a CAIP-2 name, which cannot equal an Antelope id. */
function evmChainId(chainId: number): string {
  return `eip155:${chainId}`
}

/**
 * @returns the position when the source ended or the signal was aborted
 * @throws UserError, BugError
 */
export function indexEvmChain(options: EvmIndexOptions): Promise<Position | null> {
  const faults = new FaultJudge(options.chain, options.source)
  return retrying(options, (progress) =>
    runOnce(options, faults, progress).catch((error: unknown) => {
      throw faults.judge(error)
    }),
  )
}

async function runOnce(options: EvmIndexOptions, faults: FaultJudge, progress: () => void): Promise<Position | null> {
  const { chain, databaseUrl, chainId, contracts, source, projector, events, onPoint } = options
  const accounts = Object.entries(contracts).flatMap(([role, addresses]) =>
    addresses.map((account) => ({ role, account, domain: null })),
  )
  const writer = await ChainWriter.open({ chain, databaseUrl, chainId: evmChainId(chainId), accounts, onPoint })
  try {
    events.opened(writer.position)
    const startBlock = options.startBlock ?? (writer.position ? 0 : await source.deploymentBlock(options.signal))
    const session = new Session({
      ...options,
      startBlock,
      source,
      writer,
      project: (block) => projector.project(block),
      faults,
      events: watched(events, progress),
    })
    await session.run()
    return writer.position
  } finally {
    await writer.close()
  }
}
