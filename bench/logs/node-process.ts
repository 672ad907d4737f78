// The devnet's state-history node over the blocks of a node's logs, in a process of its own. Argument: folder. Prints its
// address; at the end of its input, prints the processor seconds that it took, and ends.
import { startShip } from '../../devnet/ship/server.ts'
import type { ServedChain } from '../../devnet/ship/session.ts'
import { LogSource } from '../../indexer/source/logs/source.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { processorMs } from '../decode/processor.ts'

const [folder = '', chainId = ''] = process.argv.slice(2)
const blocks: PackedBlock[] = []
const source = new LogSource({ folders: [folder], chain: 'wax' })
for await (const block of source.blocks({ from: 2, have: [] }, new AbortController().signal)) blocks.push(block)
const first = blocks[0]?.num ?? 0
const last = blocks.at(-1)
if (!last) throw new Error(`no block in ${folder}`)
const position = { num: last.num, id: last.id }
const stored = ({ num, id, prevId, block, traces, deltas, finality }: PackedBlock) => {
  return { num, id, prevId, block, traces, finality, deltas: deltas ?? Uint8Array.of(0) }
}
const chain: ServedChain = {
  ...{ chainId, firstBlock: first, head: position, lib: position, savanna: true },
  idOf: (num) => blocks[num - first]?.id,
  block(num) {
    const found = blocks[num - first]
    return found && stored(found)
  },
  onBlock: () => () => {},
}
const server = await startShip(chain)
const before = processorMs()
process.stdout.write(`${server.url}\n`)
process.stdin.on('end', () => {
  process.stdout.write(`${JSON.stringify({ cpu: (processorMs() - before) / 1000 })}\n`, () => process.exit(0))
})
process.stdin.resume()
