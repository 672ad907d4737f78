// Addresses with several hosts: each use finds its server, and hosts that do not answer cost little.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Test } from 'tap'
import { openClient, openPool, type Use, writerUrl } from '../../net/postgres.ts'
import type { ReplicatedServers } from '../support/standby.ts'

export async function hostsAreChosen(t: Test, { primary, standby }: ReplicatedServers): Promise<void> {
  const address = (hosts: readonly string[], attributes?: string) =>
    `postgresql://${primary.authority.split('@')[0]}@${hosts.join(',')}/scene${attributes === undefined ? '' : `?target_session_attrs=${attributes}`}`
  const [first, second] = [`127.0.0.1:${primary.port}`, `127.0.0.1:${standby.port}`]
  const portOf = async (client: pg.Client) => {
    await client.connect()
    const { rows } = await client.query('select inet_server_port() as port')
    await client.end()
    return rows[0].port as number
  }
  const found = (url: string, use: Use) => portOf(openClient({ connectionString: url, use }))

  t.test('a writer connects to the primary, at any place in the list and with any setting for readers', async (t) => {
    t.equal(await found(address([first, second]), 'write'), primary.port)
    t.equal(await found(address([second, first]), 'write'), primary.port)
    t.equal(await found(address([second, first], 'standby'), 'write'), primary.port)
    t.equal(new URL(await writerUrl(address([second, first], 'any'))).port, String(primary.port))
  })
  t.test('a reader connects to the kind of server that the address names', async (t) => {
    const read = (hosts: string[], attributes?: string) => found(address(hosts, attributes), 'read')
    t.equal(await read([first, second]), primary.port, 'any: the first')
    t.equal(await read([second, first], 'any'), standby.port)
    t.equal(await read([first, second], 'prefer-standby'), standby.port)
    t.equal(await read([first], 'prefer-standby'), primary.port, 'there is no other')
    for (const attributes of ['standby', 'read-only']) t.equal(await read([first, second], attributes), standby.port)
    for (const attributes of ['primary', 'read-write']) t.equal(await read([second, first], attributes), primary.port)
  })
  t.test('if no server is of the wanted kind, the error names each host and its answer', async (t) => {
    const client = openClient({ connectionString: address([second, '127.0.0.1:1']) })
    await t.rejects(client.connect(), {
      code: 'NO_SUITABLE_SERVER',
      message: `no server of the database is a primary that accepts writes: ${second} is a standby; 127.0.0.1:1 refuses connections`,
    })
    await client.end()
    const silent = openClient({ connectionString: address([second], 'primary'), use: 'read' })
    await t.rejects(silent.connect(), { code: 'NO_SUITABLE_SERVER', message: /is a standby/ })
    await silent.end()
  })
  t.test('an unknown login or database is not tried again', async (t) => {
    const wrong = [
      `postgresql://postgres:wrong@${first},${second}/scene`,
      address([first, second]).replace('/scene', '/nothing'),
    ]
    for (const url of wrong) {
      const client = openClient({ connectionString: url })
      await t.rejects(client.connect(), { code: 'DATABASE_UNREACHABLE', hint: 'correct DATABASE_URL' }, url)
      await client.end()
    }
    const half = openClient({ connectionString: wrong[0]?.replace(second, '127.0.0.1:1') })
    await t.rejects(half.connect(), { code: 'NO_SUITABLE_SERVER' }, 'the other host may know it')
    await half.end()
  })
  t.test('all readers of a process use one host, also after it was unreachable', async (t) => {
    const gate = await gateTo(t, standby.port)
    const url = address([`127.0.0.1:${gate.port}`, first], 'any')
    const open = () => {
      const pool = openPool({ connectionString: url, use: 'statements', max: 3, connectionTimeoutMillis: 5000 })
      t.teardown(() => pool.end())
      return pool
    }
    const ports = async (pool: pg.Pool) => {
      const text = 'select inet_server_port() as port, pg_sleep(0.05)'
      return (await Promise.all([1, 2, 3].map(() => pool.query(text)))).map(({ rows }) => rows[0].port as number)
    }
    const [one, other] = [open(), open()]
    t.same(await ports(one), [standby.port, standby.port, standby.port])
    const used = await one.connect()
    gate.close()
    // A choice holds for a second.
    await delay(1000)
    t.same(await ports(other), [primary.port, primary.port, primary.port])
    const there = (await used.query('select inet_server_port() as port')).rows[0].port
    t.equal(there, standby.port, 'a transaction is not interrupted')
    used.release()
    t.same(await ports(one), [primary.port, primary.port, primary.port], 'the open connections are not used any more')
    await gate.open()
    await delay(1000)
    t.same(await ports(open()), [primary.port, primary.port, primary.port], 'they stay when it is back')
  })
  t.test('a host that accepts connections and sends nothing is skipped', async (t) => {
    const sockets = new Set<Socket>()
    const mute = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
      mute.close()
    })
    const hosts = [`127.0.0.1:${(mute.address() as AddressInfo).port}`, second, first]
    const started = performance.now()
    t.equal(await found(address(hosts), 'read'), standby.port)
    const reader = performance.now() - started
    t.ok(reader < 1500, `a reader: ${Math.round(reader)} ms`)
    // A choice holds for a second.
    for (const _ of [1, 2]) {
      const again = performance.now()
      t.equal(await found(address(hosts), 'write'), primary.port)
      const writer = performance.now() - again
      t.ok(writer > 1500, `a writer always waits for all hosts: ${Math.round(writer)} ms`)
      await delay(1000)
    }
  })
  t.test('every connection of a pool selects the primary', async (t) => {
    const pool = openPool({ connectionString: address([second, first]), max: 2, connectionTimeoutMillis: 5000 })
    const ports = await Promise.all(
      [1, 2, 3].map(() => pool.query('select inet_server_port() as port, pg_sleep(0.05)')),
    )
    t.same(
      ports.map(({ rows }) => rows[0].port),
      [primary.port, primary.port, primary.port],
    )
    await pool.end()
  })
  t.test('a client that is closed during the selection of a host does not connect', async (t) => {
    const client = openClient({ connectionString: address([second, first]) })
    const connecting = client.connect()
    await client.end()
    await t.rejects(connecting, { message: 'Connection terminated' })
  })
}

/** A port that leads to another one. Closed, it accepts no connections, and open ones stay. */
async function gateTo(t: Test, port: number) {
  const sockets = new Set<Socket>()
  const listen = (at: number) => {
    const server = createServer((socket) => {
      const there = connect(port, '127.0.0.1')
      for (const [from, to] of [
        [socket, there],
        [there, socket],
      ] as const) {
        sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
      }
    })
    return new Promise<Server>((resolve) => server.listen(at, '127.0.0.1', () => resolve(server)))
  }
  let server = await listen(0)
  const own = (server.address() as AddressInfo).port
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: own,
    close() {
      server.close()
    },
    async open() {
      server = await listen(own)
    },
  }
}
