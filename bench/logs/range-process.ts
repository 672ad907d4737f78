// Decodes a range of blocks in its own process, and prints the time and memory of the best of eight rounds.
// Arguments: folder or address of a node, first block, last block, whether digests are checked.
import { ShipSource } from '../../indexer/source/ship/source.ts'
import { decodeAll, decodeLogs } from './measure.ts'

const [from = '', first = '0', last = '0', checks = ''] = process.argv.slice(2)
const ROUNDS = 8
const range = { from: Number(first), to: Number(last) }
const isNode = from.startsWith('ws:')
const source = () => new ShipSource({ urls: [from], chain: 'wax' })
const checksActions = checks === 'digests'
const measure = () => (isNode ? decodeAll(source(), range, checksActions) : decodeLogs(from, range, checksActions))
// The first rounds are slow, because code is compiled in them.
let measured = await measure()
for (let round = 1; round < ROUNDS; round++) {
  const next = await measure()
  if (next.cpu < measured.cpu) measured = next
}
process.stdout.write(`${JSON.stringify(measured)}\n`)
process.exit(0)
