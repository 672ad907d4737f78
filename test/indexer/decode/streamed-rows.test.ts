// Rows of very large deltas are decoded after decodeBlock has returned. A failure then must carry the same details.
import t from 'tap'
import { Writer } from '../../../core/antelope/writer.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import { childOf, GENESIS } from '../../support/synthetic-chain.ts'

/** More rows than are decoded at once. */
const LARGE = 17 * 1024 * 1024

t.test('a broken row of a large delta is an error that names chain and block', async (t) => {
  const deltas = new Writer(LARGE + 100)
  deltas.varuint32(1)
  deltas.varuint32(0)
  deltas.string('contract_row')
  deltas.varuint32(2)
  deltas.u8(1)
  deltas.lengthBytes(Uint8Array.of(0, 1, 2))
  deltas.u8(1)
  deltas.lengthBytes(new Uint8Array(LARGE))
  const block = childOf(GENESIS)
  const source = { ...block, traces: Uint8Array.of(0), deltas: deltas.finish() }
  const projector = new Projector({ chain: 'test', accounts: {}, tokenContracts: '*' })
  const { more } = projector.project(
    decodeBlock(source, new Watch(projector.wanted), new AbiBook(), { chain: 'test', checksActions: false }),
  )
  t.throws(() => [...(more ?? [])], {
    name: 'DecodeError',
    message: /^test: block 2 cannot be decoded: ./,
    place: { chain: 'test', block: 2 },
  })
})
