// Endpoints that allow only small ranges and few requests, and endpoints of another chain.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { FaultyRpc, Refusal } from './faulty-rpc.ts'
import { Indexed } from './indexed.ts'
import { depositValues, LocalChain } from './local-chain.ts'

const DEPOSITS = 'select nonce::int4, status from head.deposits order by nonce'

t.test('ranges shrink for an endpoint that refuses large ones', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(30)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(60)
  const server = await FaultyRpc.start(t, node.url)
  server.fault = ({ method, params }, result) => {
    if (method !== 'eth_getLogs') return result
    const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
    if (Number(toBlock) - Number(fromBlock) >= 10) throw new Refusal(-32005, 'query returned more than 10000 results')
    return result
  }
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [server.url], endBlock: (await node.head()) - 2 })
  t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
})

t.test('requests keep to the configured rate, and wait after 429', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(40)
  const server = await FaultyRpc.start(t, node.url)
  const indexed = await Indexed.open(t, node)
  const began = performance.now()
  await indexed.run({ urls: [server.url], endBlock: 40, requestsPerSecond: 40, batch: 10 })
  const seconds = (performance.now() - began) / 1000
  const allowed = 40 * seconds + 40
  t.ok(server.requests.length <= allowed, `${server.requests.length} requests in ${seconds.toFixed(2)} s`)

  server.busy = 4
  const other = await Indexed.open(t, node)
  await other.run({ urls: [server.url], endBlock: 10 })
  t.ok(other.troubles.includes('EVM_RATE_LIMIT'))
  t.equal((await other.position())?.block, 10)
})

t.test('another chain is refused', async (t) => {
  const node = await LocalChain.start(t, 56)
  const indexed = await Indexed.open(t, node)
  await t.rejects(indexed.run({ chainId: 1, endBlock: 3 }), { code: 'OTHER_CHAIN' })
})

t.test('an endpoint of another chain is skipped and named; if all are of other chains, it is an error', async (t) => {
  const node = await LocalChain.start(t)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(5)
  const other = await FaultyRpc.start(t, node.url)
  other.fault = ({ method }, result) => (method === 'eth_chainId' ? '0x89' : result)
  const said: string[] = []
  const onAnomaly = (code: string, text: string) => said.push(`${code} ${text}`)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [other.url, node.url], endBlock: await node.head(), onAnomaly })
  t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
  t.match(said, [new RegExp(`^OTHER_CHAIN ${other.url}.* serves chain 137, mainnet is ${node.chainId}`)])

  t.test('an endpoint that does not answer is not treated as one of another chain', async (t) => {
    const stopped = await FaultyRpc.start(t, node.url)
    await stopped.die()
    const indexed = await Indexed.open(t, node)
    const urls = [other.url, stopped.url]
    const run = indexed.run({ urls, endBlock: 3 })
    while (!indexed.troubles.includes('EVM_RPC')) await delay(20)
    await indexed.stop()
    t.equal(await run, null, 'the chain did not end')
    const again = await Indexed.open(t, node)
    await t.rejects(again.run({ urls: [other.url, other.url], endBlock: 3 }), { code: 'OTHER_CHAIN' })
  })
})
