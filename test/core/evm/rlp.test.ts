import { encodeRlp as oracleEncode } from 'ethers'
import t from 'tap'
import { decodeRlp, encodeRlp, type RlpItem } from '../../../core/evm/rlp.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()
const text = (value: string) => new TextEncoder().encode(value)

/** Encoded by hand from the specification. */
const golden: [item: RlpItem, hex: string][] = [
  [new Uint8Array(0), '80'],
  [Uint8Array.of(0), '00'],
  [Uint8Array.of(0x7f), '7f'],
  [Uint8Array.of(0x80), '8180'],
  [text('dog'), '83646f67'],
  [[text('cat'), text('dog')], 'c88363617483646f67'],
  [[], 'c0'],
  [[[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
  [new Uint8Array(55).fill(1), `b7${'01'.repeat(55)}`],
  [new Uint8Array(56).fill(1), `b838${'01'.repeat(56)}`],
  [new Uint8Array(1024).fill(2), `b90400${'02'.repeat(1024)}`],
  [Array.from({ length: 56 }, () => Uint8Array.of(3)), `f838${'03'.repeat(56)}`],
]

t.test('items and their bytes, both ways', async (t) => {
  for (const [item, hex] of golden) {
    t.equal(toHex(encodeRlp(item)), hex)
    t.same(plain(decodeRlp(fromHex(hex))), plain(item), hex.slice(0, 20))
  }
})

t.test(`random items encode as another library does, and come back (seed ${seed})`, async (t) => {
  const random = new Random(seed)
  for (let i = 0; i < 500; i++) {
    const item = randomItem(random, 0)
    const bytes = encodeRlp(item)
    const hex = plain(item)
    if (`0x${toHex(bytes)}` !== oracleEncode(hex)) t.fail(`item ${i}: ${JSON.stringify(hex)}`)
    if (JSON.stringify(plain(decodeRlp(bytes))) !== JSON.stringify(hex)) t.fail(`item ${i} comes back otherwise`)
  }
  t.pass('500 items')
})

t.test('only the canonical form is accepted', async (t) => {
  const refused = {
    '': 'nothing',
    '8100': 'a small byte with a length',
    b80101: 'a short length written long',
    b90038: 'a length with a leading zero',
    b838: 'bytes that are cut off',
    c883636174: 'a list that is cut off',
    c28363: 'an item that goes beyond its list',
    '8000': 'bytes after the item',
    f800: 'a short list written long',
    b9: 'a length that is cut off',
    [`${'c1'.repeat(40)}c0`]: 'too many lists within lists',
  }
  for (const [hex, what] of Object.entries(refused))
    t.throws(() => decodeRlp(fromHex(hex)), { code: 'RLP_INVALID' }, what)
})

t.test(`damaged bytes are refused, or encode to themselves (seed ${seed})`, async (t) => {
  const random = new Random(seed)
  let taken = 0
  for (let i = 0; i < 2000; i++) {
    const bytes = encodeRlp(randomItem(random, 0))
    bytes[random.integer(0, bytes.length - 1)]! ^= 1 << random.integer(0, 7)
    try {
      const again = encodeRlp(decodeRlp(bytes))
      if (toHex(again) !== toHex(bytes)) t.fail(`${toHex(bytes)} encodes to ${toHex(again)}`)
      taken++
    } catch (error) {
      if ((error as { code?: string }).code !== 'RLP_INVALID') throw error
    }
  }
  t.ok(taken > 0 && taken < 2000, 'some of each')
})

type Plain = string | Plain[]

function plain(item: RlpItem): Plain {
  return item instanceof Uint8Array ? `0x${toHex(item)}` : item.map(plain)
}

function randomItem(random: Random, depth: number): RlpItem {
  if (depth < 4 && random.chance(0.4))
    return Array.from({ length: random.integer(0, 6) }, () => randomItem(random, depth + 1))
  const length = random.chance(0.1) ? random.integer(50, 300) : random.integer(0, 3)
  return fromHex(random.hex(length))
}
