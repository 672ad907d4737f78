import { Name, UInt64 } from '@wharfkit/antelope'
import fc from 'fast-check'
import t from 'tap'
import { nameOfParts, nameToString, nameToU64 } from '../../../core/antelope/name.ts'
import { UserError } from '../../../core/errors.ts'
import { seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()

t.test('known names have their known values', async (t) => {
  // From the chain's own tables: code of the system and token contracts.
  t.equal(nameToU64('eosio'), 6138663577826885632n)
  t.equal(nameToU64('eosio.token'), 6138663591592764928n)
  t.equal(nameToU64(''), 0n)
  t.equal(nameToU64('zzzzzzzzzzzzj'), 2n ** 64n - 1n)
  t.equal(nameToString(6138663591592764928n), 'eosio.token')
  t.equal(nameOfParts(0, 0x5530ea00), 'eosio')
})

t.test(`every 64-bit value has one text, the one that wharfkit gives (HEADWATER_SEED=${seed})`, async (t) => {
  const property = fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
    const text = nameToString(value)
    return text === String(Name.from(UInt64.from(String(value)))) && nameToU64(text) === value
  })
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 2000 }))
})

t.test('texts that are not names in normal form are refused', async (t) => {
  for (const text of ['A', '6', 'abc.', 'aaaaaaaaaaaaz', 'aaaaaaaaaaaaaa', 'a b', 'é', 'toString()', '...']) {
    t.throws(() => nameToU64(text), { code: 'INVALID_NAME' }, text)
  }
  t.throws(() => nameToU64('bad name'), UserError)
})
