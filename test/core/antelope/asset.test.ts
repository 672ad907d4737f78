import t from 'tap'
import { formatAsset, parseAsset, symbolCodeToU64, symbolToU64, tokenId } from '../../../core/antelope/asset.ts'

const cases: [string, bigint, number, string][] = [
  ['1.0000 WAX', 10000n, 4, 'WAX'],
  ['0.00000001 WAX', 1n, 8, 'WAX'],
  ['-0.5 A', -5n, 1, 'A'],
  ['7 NFT', 7n, 0, 'NFT'],
  ['-7 NFT', -7n, 0, 'NFT'],
  ['0.000 ZERO', 0n, 3, 'ZERO'],
  ['461168601842738.7903 EOS', 4611686018427387903n, 4, 'EOS'],
  ['9.223372036854775807 MAXLONG', 9223372036854775807n, 18, 'MAXLONG'],
]

t.test('amounts are shown and read with all their decimals', async (t) => {
  for (const [text, amount, precision, symbol] of cases) {
    t.equal(formatAsset({ amount, precision, symbol }), text)
    t.same(parseAsset(text), { amount, precision, symbol })
  }
  t.equal(formatAsset({ amount: -(2n ** 63n), precision: 4, symbol: 'X' }), '-922337203685477.5808 X')
})

t.test('texts that are not amounts are refused', async (t) => {
  for (const text of [
    '',
    '1.0',
    'WAX',
    '1,0 WAX',
    '1. WAX',
    '.5 WAX',
    '1.0 wax',
    '1.0  WAX',
    '1.0 TOOLONGG',
    '1e3 WAX',
  ]) {
    t.throws(() => parseAsset(text), { code: 'INVALID_ASSET' }, text)
  }
  t.throws(() => parseAsset('9223372036854775808 WAX'), { code: 'INVALID_ASSET' }, 'one above 64 bits')
  t.same(parseAsset('-9223372036854775808 WAX').amount, -(2n ** 63n))
})

t.test('symbols have the contracts’ integer values', async (t) => {
  t.equal(symbolToU64({ precision: 4, code: 'EOS' }), 1397703940n)
  t.equal(symbolToU64({ precision: 8, code: 'WAX' }), 1480677128n)
  t.equal(symbolCodeToU64('WAX'), 5783895n)
  t.throws(() => symbolCodeToU64('wax'), { code: 'INVALID_SYMBOL' })
  t.throws(() => symbolToU64({ precision: 256, code: 'A' }), { code: 'INVALID_SYMBOL' })
})

t.test('a token is named by its symbol and contract', async (t) => {
  t.equal(tokenId('WAX', 'eosio.token'), 'wax-eosio.token')
})
