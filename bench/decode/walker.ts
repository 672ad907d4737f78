// Speed of the walkers over a recording's frames: with nothing watched, and with the exchange watched and decoded.

import { AbiBook } from '../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../indexer/decode/decode-block.ts'
import { contractRows } from '../../indexer/decode/deltas.ts'
import { walkTraces } from '../../indexer/decode/traces.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { processorMs } from './processor.ts'

const PASSES = 40
const names = new Map<string, '*' | Set<string>>([
  ['swap.svc', '*'],
  ['svcdexmain', '*'],
  ['bridge.svc', '*'],
  ['hop.svc', '*'],
])
const exchange = new Watch({
  actions: new Map([...names, ['*', new Set(['transfer'])]]),
  tables: new Map([...names, ['*', new Set(['accounts', 'stat'])]]),
})
const unwatched = new Watch({
  actions: new Map<string, '*' | Set<string>>([
    ['nobody', '*'],
    ['*', new Set(['nothing'])],
  ]),
  tables: new Map<string, '*' | Set<string>>([
    ['nobody', '*'],
    ['*', new Set(['nothing'])],
  ]),
})

/** Lines to print. */
export async function walkerSpeed(path: string): Promise<string[]> {
  const blocks: PackedBlock[] = []
  for await (const block of new ReplaySource(path).blocks({ from: 0, have: [] }, new AbortController().signal)) {
    if (block.kind === 'packed') blocks.push(block)
  }
  let unwanted = 0
  const traces = speed(
    blocks,
    ({ traces }) => traces.length,
    (block) => walkTraces(block.traces, unwatched, () => unwanted++),
  )
  const deltas = speed(
    blocks,
    ({ deltas }) => deltas?.length ?? 0,
    ({ deltas }) => {
      if (deltas) for (const _ of contractRows(deltas, unwatched)) unwanted++
    },
  )
  let abis = new AbiBook()
  let values = 0
  const all = speed(
    blocks,
    (block) => block.traces.length + (block.deltas?.length ?? 0),
    (block) => {
      if (block === blocks[0]) abis = new AbiBook()
      const decoded = decodeBlock(block, exchange, abis, { checksActions: false })
      values += decoded.actions.length + decoded.rows.length
    },
  )
  return [
    'walker, nothing watched:',
    `  traces ${traces.megabytes.toFixed(0)} MB/s, deltas ${deltas.megabytes.toFixed(0)} MB/s`,
    'blocks with the exchange and all transfers and balances decoded:',
    `  ${all.megabytes.toFixed(0)} MB/s, ${Math.round(all.blocks)} blocks/s, ${Math.round(values / PASSES)} values a pass`,
  ]
}

function speed(
  blocks: readonly PackedBlock[],
  size: (block: PackedBlock) => number,
  walk: (block: PackedBlock) => void,
) {
  for (const block of blocks) walk(block)
  const started = processorMs()
  for (let pass = 1; pass < PASSES; pass++) for (const block of blocks) walk(block)
  const seconds = (processorMs() - started) / 1000
  const bytes = blocks.reduce((sum, block) => sum + size(block), 0) * (PASSES - 1)
  return { megabytes: bytes / 1e6 / seconds, blocks: (blocks.length * (PASSES - 1)) / seconds }
}
