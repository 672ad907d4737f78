import { createHash } from 'node:crypto'
import t from 'tap'
import { addressBucket, addressMark } from '../../cosign/address.ts'
import { testDatabase } from '../support/database.ts'
import { startTestCosigner } from './service.ts'
import { unique } from './transactions.ts'

t.test('refusal 40: an IPv6 address counts as its first 64 bits, an IPv4 address as itself', async (t) => {
  const cases: [string, string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:FFFF:cb00:7109', '203.0.113.9'],
    ['203.0.113.9:51000', '203.0.113.9'],
    ['[2001:db8:1:2::9]:51000', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['203.0.113.999', 'unknown'],
    ['203.0.113.9:', 'unknown'],
    ['[203.0.113.9', 'unknown'],
    ['x'.repeat(10_000), 'unknown'],
  ]
  for (const [address, bucket] of cases) t.equal(addressBucket(address), bucket, address)
})

t.test('the mark of an address does not reveal it', async (t) => {
  t.equal(addressMark('203.0.113.9'), addressMark('203.0.113.9'))
  t.not(addressMark('203.0.113.9'), addressMark('203.0.113.8'))
  t.match(addressMark('203.0.113.9'), /^[0-9a-f]{12}$/)
  // There are so few addresses that a hash without a secret is found by trying all of them.
  const plain = createHash('sha256').update('203.0.113.9').digest('hex')
  t.not(addressMark('203.0.113.9'), plain.slice(0, 12))
})

t.test(
  'CPU-24 the address is the client’s, as forwarded by the API; forged headers of others change nothing',
  async (t) => {
    const database = await testDatabase(t)
    const used = async () =>
      (
        await database.pool.query(
          `select key, used from cosign.counters where scope = 'ip' and period = 'hour' order by 1`,
        )
      ).rows
    const forwarded = await startTestCosigner(t, database)
    await forwarded.sign(unique(), { 'x-forwarded-for': '203.0.113.9' })
    await forwarded.sign(unique(), { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
    t.same(await used(), [{ key: '203.0.113.9', used: 2 }], 'the last hop is what the API saw')
    const open = await startTestCosigner(t, database, { trustProxy: [] })
    for (let i = 0; i < 3; i++) await open.sign(unique(), { 'x-forwarded-for': `198.51.100.${i}` })
    t.same(await used(), [
      { key: '127.0.0.1', used: 3 },
      { key: '203.0.113.9', used: 2 },
    ])
  },
)
