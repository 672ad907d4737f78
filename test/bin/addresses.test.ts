// The addresses that `run` prints lead to its chains.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/debian-server.ts'
import { until } from '../support/until.ts'
import { logged, start } from './program.ts'

const RECORDING = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))

/** Status of an address. Connects to 127.0.0.1, because not every resolver knows `*.localhost`. */
async function statusOf(address: string): Promise<number | undefined> {
  const { host, port } = new URL(address)
  const call = get({ host: '127.0.0.1', port, path: '/api/v3/market/pools', headers: { host } })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

async function printed(t: Test, names: readonly string[], more: Record<string, string> = {}): Promise<string[]> {
  const { url } = await testDatabase(t)
  const sources = names.flatMap((name) => {
    const source = `HEADWATER_${name.toUpperCase()}_SOURCE`
    return [
      [`${source}_KIND`, 'replay'],
      [`${source}_FILE`, RECORDING],
    ]
  })
  const env = {
    ...{ DATABASE_URL: url, PORT: '0', HEADWATER_CHAINS: names.join(','), ...Object.fromEntries(sources) },
    ...more,
  }
  const program = start(['run'], env)
  t.teardown(() => void program.child.kill('SIGKILL'))
  const { chains } = (await logged(program.output, 'serves')) as { chains: Record<string, string> }
  t.same(Object.keys(chains), names)
  const isServed = async () => {
    const found = await Promise.all(Object.values(chains).map(statusOf))
    return found.every((status) => status === 200)
  }
  await until(() => `every address of ${JSON.stringify(chains)} has an answer`, isServed, 50)
  program.child.kill('SIGTERM')
  t.equal((await program.outcome).code, 0)
  return Object.values(chains)
}

t.test('of one chain', (t) => printed(t, ['dev']))
t.test('of several chains', (t) => printed(t, ['dev', 'telos']))

// A container listens on all addresses, and its port is published under another one: here by a server in front of it.
for (const names of [['dev'], ['dev', 'telos']])
  t.test(`of a container with ${names.length} chains`, async (t) => {
    const [published, inside] = [await freePort(), await freePort()]
    const proxy = createServer((from) => {
      const to = connect(inside, '127.0.0.1')
      from.pipe(to).pipe(from)
      for (const one of [from, to]) one.on('error', () => one.destroy())
    })
    await once(proxy.listen(published, '127.0.0.1'), 'listening')
    t.teardown(() => proxy.close())
    const ports = { PORT: String(inside), HEADWATER_PUBLISHED_PORT: String(published) }
    const chains = await printed(t, names, { HEADWATER_HOST: '0.0.0.0', ...ports })
    for (const url of chains) t.equal(new URL(url).port, String(published))
    t.notMatch(chains.join(' '), '0.0.0.0')
  })
