// Addresses of the database that the driver does not know.
import t from 'tap'
import { parseAddress } from '../../net/postgres/address.ts'
import { openClient } from '../../net/postgres.ts'
import { testDatabase } from '../support/database.ts'

t.test('a Unix socket is used as given', async (t) => {
  // The test server listens on a socket, which the setting `host` names.
  const { url } = await testDatabase(t)
  const { username, pathname, port, searchParams } = new URL(url)
  const settings = `?host=${searchParams.get('host')}&port=${port}`
  const addresses = [
    url,
    `postgresql://${pathname}${settings}&user=${username}`,
    `postgresql://${username}@${pathname}${settings}`,
  ]
  for (const address of addresses)
    for (const setting of ['pgbouncer=true', 'target_session_attrs=any', 'target_session_attrs=read-write']) {
      const client = openClient({ connectionString: `${address}&${setting}`, use: 'statements' })
      t.teardown(() => client.end())
      await client.connect()
      const { rows } = await client.query('select inet_server_port() as port')
      t.same(rows, [{ port: null }], `a socket: ${address}&${setting}`)
    }
  t.equal(parseAddress('postgresql:///headwater?host=/run&user=x'), null, 'the driver knows this form')
  t.equal(parseAddress('postgresql:///headwater?host=/run&pgbouncer=true')?.hosts[0]?.name, '/run')
})

t.test('an address that is wrong gives an error that says what to change', async (t) => {
  const refused = (address: string, message: RegExp, hint: RegExp) =>
    t.throws(() => parseAddress(address), { code: 'DATABASE_ADDRESS', message, hint }, address)
  refused('postgresql://a:1,b:x/hw', /"b:x" is not a host/, /HOST:PORT/)
  refused('postgresql://a:1,b:65536/hw', /"b:65536" is not a host/, /HOST:PORT/)
  for (const hosts of ['a,', ',b', 'a,:5433']) refused(`postgresql://${hosts}/hw`, /is not a host/, /HOST:PORT/)
  refused('postgresql://:5433/hw?pgbouncer=true', /":5433" is not a host/, /HOST:PORT/)
  refused('postgresql://a/hw?pgbouncer=yes', /pgbouncer=yes is unknown/, /true or false/)
  refused('postgresql://a/hw?target_session_attrs=one', /target_session_attrs=one is unknown/, /prefer-standby/)
})
