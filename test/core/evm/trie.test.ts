import t from 'tap'
import { toPrefixedHex } from '../../../core/evm/bytes.ts'
import { EMPTY_TRIE_ROOT, Trie, verifyTrieProof } from '../../../core/evm/trie.ts'
import { fromHex } from '../../../core/hex.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()
const text = (value: string) => new TextEncoder().encode(value)

t.test('roots that other implementations agree on', async (t) => {
  const words = Object.entries({ do: 'verb', dog: 'puppy', doge: 'coin', horse: 'stallion' })
  const entries = words.map(([key, value]) => [text(key), text(value)] as const)
  const root = '0x5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84'
  t.equal(toPrefixedHex(new Trie(entries).root), root)
  t.equal(toPrefixedHex(new Trie(entries.toReversed()).root), root, 'in any order')
  const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
  t.equal(toPrefixedHex(new Trie([]).root), empty)
  t.equal(verifyTrieProof(EMPTY_TRIE_ROOT, text('dog'), new Trie([]).prove(text('dog'))), null)
})

t.test(`presence and absence of a key in a trie can be proved (seed ${seed})`, async (t) => {
  const random = new Random(seed)
  for (let round = 0; round < 60; round++) {
    const values = new Map<string, Uint8Array>()
    const size = random.integer(1, 40)
    for (let i = 0; i < size; i++)
      values.set(random.hex(random.integer(1, 3)), fromHex(random.hex(random.integer(1, 40))))
    const trie = new Trie([...values].map(([key, value]) => [fromHex(key), value] as const))
    for (const [key, value] of values) t.same(verifyTrieProof(trie.root, fromHex(key), trie.prove(fromHex(key))), value)
    for (let i = 0; i < 40; i++) {
      const key = random.hex(random.integer(1, 3))
      if (values.has(key)) continue
      if (verifyTrieProof(trie.root, fromHex(key), trie.prove(fromHex(key))) !== null)
        t.fail(`round ${round}: no ${key}`)
    }
  }
  t.pass('60 tries')
})
