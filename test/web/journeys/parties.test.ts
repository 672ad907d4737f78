// Addresses and account names of the bridge's page.
import { getAddress, keccak256, toUtf8Bytes } from 'ethers'
import fc from 'fast-check'
import t from 'tap'
import { nameToU64 } from '../../../core/antelope/name.ts'
import {
  accountValue,
  addressFault,
  checksummed,
  isAccountName,
  keccakOfText,
} from '../../../web/bridge/core/parties.ts'

t.test('checksums of addresses equal other libraries’', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = `0x${Buffer.from(bytes).toString('hex')}`
      t.equal(checksummed(address), getAddress(address))
    }),
    { numRuns: 100 },
  )
  t.equal(`0x${keccakOfText('Deposit')}`, keccak256(toUtf8Bytes('Deposit')))
  const right = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  t.equal(addressFault(right), null)
  t.equal(addressFault(right.toLowerCase()), null)
  t.equal(addressFault(right.replace('d8dA', 'D8dA')), 'checksum')
  t.equal(addressFault(`0x${'0'.repeat(40)}`), 'zero')
  for (const text of [right.slice(0, 41), `${right}0`, right.replace('0x', ''), 'alice', ''])
    t.equal(addressFault(text), 'malformed')
})

t.test('account names have the contracts’ integer values', async (t) => {
  for (const name of ['hop.svc', 'alice.trade', 'a', 'zoe.mm', '111111111111', 'zzzzzzzzzzzz']) {
    t.ok(isAccountName(name))
    t.equal(accountValue(name), nameToU64(name), name)
  }
  for (const name of ['', 'Alice', 'a'.repeat(13), 'six6', 'dot.', '.', 'sp ace', 'a|b'])
    t.notOk(isAccountName(name), name)
})
