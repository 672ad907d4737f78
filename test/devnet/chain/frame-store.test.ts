import t from 'tap'
import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { FrameStore, type StoredBlock } from '../../../devnet/chain/frame-store.ts'
import { until } from '../../support/until.ts'

const hash = (n: number, what: string) => sha256(Buffer.from(`${what}${n}`))
const idOf = (n: number) => toHex(hash(n, 'id'))

/** About 4 kB, a third of it random as hashes are. */
function block(num: number): StoredBlock {
  const random = new Uint8Array(Buffer.concat(Array.from({ length: 40 }, (_, i) => hash(num * 40 + i, 'part'))))
  const text = new TextEncoder().encode(`block ${num} `.repeat(100))
  return {
    num,
    id: idOf(num),
    prevId: num === 10 ? null : idOf(num - 1),
    block: random,
    traces: text,
    deltas: new TextEncoder().encode('rows '.repeat(400)),
    finality: num % 2 === 0 ? hash(num, 'finality') : null,
  }
}

t.test('every block reads back unchanged, from open, closed and compressed chunks', async (t) => {
  const store = new FrameStore(0)
  for (let num = 10; num < 1200; num++) store.append(block(num))
  const digest = (stored: StoredBlock) => {
    const { block, traces, deltas, finality, ...rest } = stored
    const parts = [block, traces, deltas, finality].map((part) => part && toHex(sha256(part)))
    return { ...rest, parts, kinds: [block, traces, deltas].map((part) => part.constructor.name) }
  }
  const same = (num: number) => t.same(digest(store.get(num)!), digest(block(num)))
  const sample = [10, 11, 200, 600, 601, 1199]
  sample.forEach(same)
  const before = store.bytes
  await until('full chunks are compressed', () => store.bytes < before / 2)
  sample.forEach(same)
  t.ok(store.bytes < before / 2, 'full chunks shrink')
  t.equal(store.idOf(77), idOf(77))
  t.equal(store.get(9), undefined)
  t.equal(store.get(1200), undefined)
  t.throws(() => store.append(block(1300)), RangeError, 'a gap')
})
