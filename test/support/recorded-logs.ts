// Makes the logs of a node from a recording or from given blocks, with the test's own writer.
import { join } from 'node:path'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { type Style, save, writeBlockLog, writeLog } from './log-writer.ts'

const RECORDINGS = new URL('../fixtures/recordings/', import.meta.url).pathname

/** Uses all styles in turn. */
const MIXED = (num: number): Style => (['eosio', 'leap3', 'leap5', 'spring'] as const)[num % 4]!

/** The blocks of a recording in the order in which the node sent them, including orphaned ones. */
export async function recordedBlocks(name: string): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  const source = new ReplaySource(`${RECORDINGS}${name}.ship.gz`)
  for await (const block of source.blocks({ from: 0, have: [] }, new AbortController().signal)) blocks.push(block)
  return blocks
}

/** The canonical chain at the end of the blocks. */
export function finalChain(blocks: readonly PackedBlock[]): PackedBlock[] {
  const byNumber = new Map(blocks.map((block) => [block.num, block]))
  return [...byNumber.values()].sort((a, b) => a.num - b.num)
}

export interface LogsOptions {
  style?: (num: number) => Style
  /** Last block of the block log; default: the last block of all. */
  irreversible?: number
  /** Genesis state at the start of the block log, or a chain id instead. */
  identity?: Uint8Array
}

/** Writes `state-history/` and `blocks/` into a folder. */
export function writeNodeLogs(folder: string, blocks: readonly PackedBlock[], options: LogsOptions = {}): void {
  const { style = MIXED, irreversible = Number.POSITIVE_INFINITY, identity = Buffer.alloc(32, 7) } = options
  const history = join(folder, 'state-history')
  const entries = (content: (block: PackedBlock) => Uint8Array | null) =>
    blocks.flatMap((block) => {
      const bytes = content(block)
      return bytes ? [{ id: block.id, content: bytes }] : []
    })
  save(
    history,
    'trace_history',
    writeLog(
      entries(({ traces }) => traces),
      style,
    ),
  )
  save(
    history,
    'chain_state_history',
    writeLog(
      entries(({ deltas }) => deltas),
      style,
    ),
  )
  save(
    history,
    'finality_data_history',
    writeLog(
      entries(({ finality }) => finality),
      style,
    ),
  )
  const final = finalChain(blocks).filter(({ num }) => num <= irreversible)
  save(join(folder, 'blocks'), 'blocks', writeBlockLog(final, identity))
}
