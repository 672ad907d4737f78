// Batch hashing of pairs equals node:crypto, with and without the native library; so do roots of large trees.
import { createHash } from 'node:crypto'
import t from 'tap'
import { IncrementalMerkle, legacyMerkleRoot, merkleRoot } from '../../core/antelope/merkle.ts'
import { toHex } from '../../core/hex.ts'
import { hashPairs, hashPairsSingly } from '../../core/sha256-pairs.ts'

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaves = (count: number) => Array.from({ length: count }, (_, i) => sha(Buffer.from(`leaf ${i}`)))

t.test('hashes of pairs equal those of node:crypto', async (t) => {
  for (const count of [1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 100]) {
    const input = Buffer.concat(leaves(2 * count))
    const expected = Array.from({ length: count }, (_, i) => toHex(sha(input.subarray(64 * i, 64 * i + 64)))).join('')
    for (const hash of [hashPairs, hashPairsSingly]) {
      const output = new Uint8Array(32 * count)
      hash(input, output)
      t.equal(toHex(output), expected, `${count} pairs`)
    }
  }
})

t.test('trees of many leaves have the roots of trees that grow leaf by leaf', async (t) => {
  let grown = IncrementalMerkle.empty
  for (const [i, leaf] of leaves(300).entries()) {
    grown = grown.append(leaf)
    if (i % 37 === 0 || i === 299) t.equal(toHex(merkleRoot(leaves(i + 1))), toHex(grown.root()), `${i + 1} leaves`)
  }
})

t.test('legacy trees of many leaves', async (t) => {
  for (const count of [2, 3, 63, 64, 65, 129, 300]) {
    let level: Uint8Array[] = leaves(count)
    while (level.length > 1) {
      const next: Uint8Array[] = []
      for (let i = 0; i < level.length; i += 2) {
        const left = Buffer.from(level[i]!)
        const right = Buffer.from(level[i + 1] ?? level[i]!)
        left[0]! &= 0x7f
        right[0]! |= 0x80
        next.push(sha(left, right))
      }
      level = next
    }
    t.equal(toHex(legacyMerkleRoot(leaves(count))), toHex(level[0]!), `${count} leaves`)
  }
})
