// Mapping of host names to chains.
import t from 'tap'
import { chainsByHost, hostTable } from '../../../api/http/hosts.ts'

const find = chainsByHost([
  { chain: 'wax', hosts: ['wax.localhost', 'localhost', '127.0.0.1', '::1'] },
  { chain: 'telos', hosts: ['Data.Telos.example'] },
])
const chainOf = (host: string | undefined) => find(host)?.chain

t.test('configured names win, in any case, with any port', async (t) => {
  for (const host of ['wax.localhost', 'WAX.localhost:7700', 'localhost:1', '127.0.0.1:7700', '[::1]:7700'])
    t.equal(chainOf(host), 'wax', host)
  t.equal(chainOf('data.telos.example'), 'telos')
})

t.test('else the first label of several is the name of a chain', async (t) => {
  t.equal(chainOf('telos.example.org'), 'telos')
  t.equal(chainOf('wax.example.org:443'), 'wax')
  for (const host of [undefined, '', 'telos', 'eos.example.org', 'example.org', 'notwax.example.org', 'constructor.x'])
    t.equal(chainOf(host), undefined, String(host))
})

t.test('loopback names and addresses select the first chain', async (t) => {
  const { chainOf } = hostTable([
    { chain: 'telos', hosts: ['telos.localhost'] },
    { chain: 'wax', hosts: ['wax.localhost', '127.0.0.2'] },
  ])
  for (const host of ['localhost:7700', '127.0.0.1:7700', '127.1.2.3', '[::1]:1', '0.0.0.0:7700'])
    t.equal(chainOf(host)?.chain, 'telos', host)
  t.equal(chainOf('127.0.0.2:7700')?.chain, 'wax', 'a configured one wins')
  for (const host of [undefined, '10.0.0.5', 'data.example.org', '127.example.org'])
    t.equal(chainOf(host)?.chain, undefined, String(host))
})

t.test('with one chain, every host that is not reserved selects it', async (t) => {
  const { chainOf } = hostTable([{ chain: 'wax', hosts: [] }], (host) => host?.startsWith('feed.') === true)
  for (const host of [undefined, '10.0.0.5:7700', 'data.example.org', 'telos.localhost', 'localhost'])
    t.equal(chainOf(host)?.chain, 'wax', String(host))
  t.equal(chainOf('feed.example.org'), undefined)
})

t.test('an unknown host gets the list of known hosts', async (t) => {
  const { known } = hostTable([
    { chain: 'wax', hosts: ['wax.localhost', '::1'] },
    { chain: 'telos', hosts: [] },
  ])
  t.same(known('nowhere.localhost:7700'), ['wax.localhost:7700', '[::1]:7700', 'telos.localhost:7700'])
  t.same(known('data.example.org'), ['wax.localhost', '[::1]', 'wax.example.org', 'telos.example.org'])
  t.same(known('example.org'), ['wax.localhost', '[::1]', 'wax.example.org', 'telos.example.org'])
  for (const host of [undefined, '10.0.0.5', '[fe80::1]:80'])
    t.ok(known(host).some((one) => /^telos\.localhost/.test(one)))
})
