// Which chain a host name means.
import t from 'tap'
import { chainsByHost } from '../../../api/http/hosts.ts'

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
