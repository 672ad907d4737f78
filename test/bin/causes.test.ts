// If nothing is indexed, the cause is named within ten seconds of the start.
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { indexChains } from '../../bin/index-chains.ts'
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { evmChain } from '../api/bridge/scene.ts'
import { RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

/** A local port without a listener. */
async function closedPort(): Promise<number> {
  const server = createSocket()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An EVM node that answers only `eth_chainId`. */
async function evmNode(t: Test, chainId: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: `0x${chainId.toString(16)}` })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const withUrl = (chain: string, url: string, changes: Partial<ChainConfig> = {}): ChainConfig => {
  const config = testChain(chain)
  return { ...config, ...changes, source: { ...config.source, kind: 'ship', urls: [url] } }
}

/** Reasons of /health/ready once it has one for each chain that matches, or after two minutes. */
async function reasonsOf(t: Test, chains: ChainConfig[], evm: EvmChainConfig[], expected: RegExp[]): Promise<string[]> {
  const database = await testDatabase(t)
  const { app } = await testApi(t, database, { chains, evm })
  const stop = new AbortController()
  const [log, metrics] = [{ info() {}, warn() {}, error() {} }, new IndexerMetrics()]
  const started = performance.now()
  const indexing = indexChains({
    ...{ chains, evm, databaseUrl: database.url, log, metrics },
    signal: stop.signal,
    onProgress() {},
  }).catch(() => {})
  let reasons: string[] = []
  while (performance.now() - started < 120_000) {
    reasons = (await app.inject('/health/ready')).json().reasons
    if (expected.every((one, at) => one.test(reasons[at] ?? ''))) break
    await sleep(100)
  }
  t.comment(`named after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  stop.abort()
  await indexing
  return reasons
}

async function check(t: Test, chains: ChainConfig[], evm: EvmChainConfig[], expected: RegExp[]): Promise<void> {
  const reasons = await reasonsOf(t, chains, evm, expected)
  t.match(reasons, expected)
  t.equal(reasons.length, expected.length)
}

t.test('nodes that refuse connections', async (t) => {
  const port = await closedPort()
  const chains = [withUrl('wax', `ws://127.0.0.1:${port}`)]
  const evm = [evmChain([`http://127.0.0.1:${port}/secret-key`])]
  await check(t, chains, evm, [
    new RegExp(`^wax: nothing is indexed yet: the node refuses connections: ws://127.0.0.1:${port}: .*ECONNREFUSED`),
    new RegExp(
      `^mainnet: nothing is indexed yet: the node refuses connections: http://127.0.0.1:${port}: .*ECONNREFUSED`,
    ),
  ])
})

t.test('nodes of another chain', async (t) => {
  const exchange = new RandomExchange(5)
  exchange.produce(20)
  const ship = await startShip(exchange.chain)
  t.teardown(() => ship.stop())
  const chains = [withUrl('wax', ship.url, { chainId: 'cd'.repeat(32) })]
  const evm = [evmChain([await evmNode(t, 137)])]
  await check(t, chains, evm, [
    /^wax: indexing has ended: this node has another chain id: ws:.* serves chain [0-9a-f]{64}, wax is (cd){32}/,
    /^mainnet: indexing has ended: this node has another chain id: .* serves chain 137, mainnet is 1;/,
  ])
})

t.test('a chain without a node', async (t) => {
  await check(t, [], [evmChain()], [/^mainnet: indexing has ended: .*source\.urls is empty/])
})
