import t from 'tap'
import { climb, IncrementalMerkle, legacyMerkleRoot, merkleProof, merkleRoot } from '../../../core/antelope/merkle.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Shapes {
  cases: { n: number; root: string; proofs: { index: number; siblings: ['L' | 'R', string][] }[] }[]
}
const { cases } = loadVectors<Shapes>('savanna-merkle-shapes')
const leaf = (i: number) => sha256(Buffer.from(`leaf${i}`))
const leaves = (n: number) => Array.from({ length: n }, (_, i) => leaf(i))

t.test('roots of trees of many sizes', async (t) => {
  for (const { n, root } of cases) t.equal(toHex(merkleRoot(leaves(n))), root, `${n} leaves`)
})

t.test('a tree that grows leaf by leaf has the same roots, and keeps its older states', async (t) => {
  const states = [IncrementalMerkle.empty]
  for (let i = 0; i < 33; i++) states.push(states[i]!.append(leaf(i)))
  for (const { n, root } of cases) t.equal(toHex(states[n]!.root()), root, `${n} leaves`)
  t.same(
    states.map((state) => state.peaks.length),
    states.map((_, n) => n.toString(2).replaceAll('0', '').length),
    'one peak for each bit of the count',
  )
})

t.test('siblings of a leaf lead to the root', async (t) => {
  for (const { n, root, proofs } of cases) {
    for (const { index, siblings } of proofs) {
      const proof = merkleProof(leaves(n), index)
      t.same(
        proof.map(({ hash, left }) => [left ? 'L' : 'R', toHex(hash)]),
        siblings,
        `${index} of ${n}`,
      )
      t.equal(toHex(climb(leaf(index), proof)), root)
    }
  }
  t.throws(() => merkleProof(leaves(3), 3), RangeError)
})

t.test('legacy root repeats an odd last node and marks the sides', async (t) => {
  const mark = (hash: Uint8Array, left: boolean) => {
    const copy = hash.slice()
    copy[0] = left ? copy[0]! & 0x7f : copy[0]! | 0x80
    return copy
  }
  const [a, b, c] = leaves(3) as [Uint8Array, Uint8Array, Uint8Array]
  const ab = sha256(mark(a, true), mark(b, false))
  const cc = sha256(mark(c, true), mark(c, false))
  t.equal(toHex(legacyMerkleRoot([a, b, c])), toHex(sha256(mark(ab, true), mark(cc, false))))
  t.equal(toHex(legacyMerkleRoot([a])), toHex(a))
  t.equal(toHex(legacyMerkleRoot([])), '0'.repeat(64))
  t.equal(toHex(fromHex(toHex(a))), toHex(a))
})
