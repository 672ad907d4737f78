// Limits read from the vaults, and answers while the vaults' node is unreachable.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Interface } from 'ethers'
import t, { type Test } from 'tap'
import { availableAfter } from '../../../api/bridge/vault-ledger.ts'
import { VaultViews } from '../../../api/bridge/vault-views.ts'
import { SILENT } from '../../../api/http/log.ts'
import { until } from '../../support/until.ts'
import { BASE, bridgeApi, evmChain, HOUR, NATIVE, NOW, openScene, outcome, raw, USDC, VAULT } from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

const ABI = new Interface(readFileSync(new URL('../../../abis/SvcVault.abi.json', import.meta.url), 'utf8'))

/** A node with one vault. Its answers can be changed; `mute` makes it accept requests and never answer. */
class Node {
  url = ''
  asked = 0
  mute = false
  /** Requests without an answer, whose client still waits. */
  waiting = 0
  readonly says = {
    deposits: false,
    withdrawals: false,
    available: 7_500_000_000n,
    cap: 60_000_000_000n,
    enabled: true,
  }
  stop = async () => {}

  static async start(t: Test): Promise<Node> {
    const node = new Node()
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      node.asked++
      if (node.mute) {
        node.waiting++
        response.once('close', () => node.waiting--)
        return
      }
      const body = JSON.parse(Buffer.concat(parts).toString())
      const list = Array.isArray(body) ? body : [body]
      const answers = list.map(({ id, method, params }) => ({
        jsonrpc: '2.0',
        id,
        result: node.answer(method, params),
      }))
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    let isStopped = false
    node.stop = async () => {
      if (isStopped) return
      isStopped = true
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    t.teardown(() => node.stop())
    return node
  }

  private answer(method: string, params: Any[]): unknown {
    if (method === 'eth_getBlockByNumber') return { number: '0x1234', timestamp: `0x${(NOW / 1000).toString(16)}` }
    const { to, data } = params[0]
    if (to.toLowerCase() !== VAULT || params[1] !== '0x1234') throw new Error('another vault or block')
    const call = ABI.parseTransaction({ data })!
    const native = call.args.length > 0 && call.args[0] === NATIVE
    const { deposits, withdrawals, available, cap, enabled } = this.says
    const values: Record<string, unknown[]> = {
      depositsPaused: [deposits],
      withdrawalsPaused: [withdrawals],
      available: [native ? 2n ** 256n - 1n : available],
      assets: native ? [10n ** 10n, 5n, true, 8n * 10n ** 18n] : [1n, 1_500_000n, enabled, cap],
    }
    return ABI.encodeFunctionResult(call.name, values[call.name])
  }
}

async function open(t: Test, urls: string[], views: object = {}) {
  const scene = await openScene(t)
  let now = NOW
  const api = await bridgeApi(t, scene, {
    evm: [evmChain(urls)],
    views: { firstWaitMs: 3000, now: () => now, ...views },
  })
  const find = (list: Any[], from: string, to: string, symbol: string) =>
    list.find((one) => one.from === from && one.to === to && one.symbol === symbol)
  return {
    scene,
    async route(from: string, to: string, symbol = 'USDC') {
      return find((await api.get(`${BASE}/routes`)).body.routes, from, to, symbol)
    },
    async mainnet() {
      return (await api.get(`${BASE}/chains`)).body.sources.find(({ id }: Any) => id === 'mainnet')
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

t.test('limits of routes come from the vault', async (t) => {
  const node = await Node.start(t)
  const world = await open(t, [node.url])
  t.match(await world.route('telos', 'mainnet'), {
    open: true,
    min: '1000000',
    max: '7500000000',
    withdrawableNow: '7500000000',
  })
  t.match(
    await world.route('mainnet', 'telos'),
    { open: true, min: '1500000', max: '10000000000' },
    'the cap less what is there',
  )
  t.match(await world.route('mainnet', 'wax'), { min: '2000000', max: '9000000000', withdrawableNow: '9000000000' })
  t.match(await world.route('wax', 'mainnet'), { max: '7500000000', withdrawableNow: '7500000000' })
  t.match(await world.route('telos', 'mainnet', 'ETH'), { withdrawableNow: '700000000' }, 'no limit: all that is there')
  t.match(await world.route('mainnet', 'telos', 'ETH'), { open: true, max: '100000000' }, '18 decimals there, 8 here')
  t.match((await world.mainnet()).vaults, [
    { vault: VAULT, source: 'rpc', block: 0x1234, time: NOW / 1000, ageSeconds: 0, stale: false },
  ])

  node.says.available = 999_999n
  node.says.deposits = true
  world.pass(4000)
  t.match(await world.route('telos', 'mainnet'), { open: true }, 'a fresh view is used again')
  world.pass(2000)
  await world.mainnet()
  await until('the new view', async () => (await world.route('telos', 'mainnet')).open === false)
  t.match(
    await world.route('telos', 'mainnet'),
    { open: false, withdrawableNow: '999999' },
    'less than the least amount',
  )
  t.match(await world.route('mainnet', 'telos'), { open: false }, 'deposits are paused')
  t.match(await world.route('mainnet', 'wax'), { open: false })
  t.match((await world.mainnet()).vaults, [{ depositsPaused: true, withdrawalsPaused: false }])
})

t.test('without an endpoint the last view is marked as stale, and later replaced by the ledger’s facts', async (t) => {
  const node = await Node.start(t)
  const world = await open(t, [node.url])
  const { scene } = world
  const change = (type: string, details: object, ago: number): Promise<string> =>
    scene.add({ ago }, [
      'vault_changes',
      {
        chain: 'mainnet',
        contract: raw(VAULT),
        log_index: 0,
        type,
        token: type === 'PauseSet' ? null : raw(USDC),
        details,
      },
    ])
  await change(
    'AssetSet',
    { token: USDC, scale: '1', cap: '55000000000', enabled: true, minDeposit: '1200000' },
    50 * HOUR,
  )
  await change('LimitSet', { token: USDC, perPeriod: '8000000000' }, 49 * HOUR)
  await change('PauseSet', { deposits: false, withdrawals: false }, 40 * HOUR)
  // 6,000 left twelve hours ago and 4,000 of the allowance have come back: half of a day's limit.
  await scene.add({ ago: 12 * HOUR }, outcome('released', 900, { amount: 5_990_000_000, fee: 10_000_000 }))
  t.match((await world.route('telos', 'mainnet')).withdrawableNow, '7500000000')
  await node.stop()
  world.pass(31_000)
  t.match((await world.mainnet()).vaults, [{ source: 'rpc', stale: true, ageSeconds: 31 }])
  t.match(await world.route('telos', 'mainnet'), { open: true, withdrawableNow: '7500000000' })
  world.pass(600_000)
  t.match((await world.mainnet()).vaults, [{ source: 'ledger', stale: false, block: 10_000, depositsPaused: false }])
  t.match(await world.route('telos', 'mainnet'), { withdrawableNow: '6000000000', max: '6000000000' })
  t.match(await world.route('mainnet', 'telos'), { min: '1200000', max: '5000000000' })
})

t.test('an endpoint that never answers delays only the first request; another endpoint replaces it', async (t) => {
  const dead = await Node.start(t)
  dead.mute = true
  // Longer than an answer takes on a busy machine.
  const firstWaitMs = 3000
  const alone = await open(t, [dead.url], { firstWaitMs })
  const started = performance.now()
  t.match(await alone.route('telos', 'mainnet'), { open: true, withdrawableNow: null })
  t.ok(performance.now() - started > firstWaitMs - 100, 'the first answer waits for a moment')
  t.equal(dead.waiting, 1, 'and not for the endpoint')
  const again = performance.now()
  await alone.route('telos', 'mainnet')
  t.ok(performance.now() - again < firstWaitMs - 100, 'the others do not')

  const node = await Node.start(t)
  const gone = await Node.start(t)
  await gone.stop()
  const world = await open(t, [gone.url, node.url])
  t.match(await world.route('telos', 'mainnet'), { withdrawableNow: '7500000000' })
})

t.test('calls with a new token wait for that token while an earlier request is pending', async (t) => {
  const node = await Node.start(t)
  const config = evmChain([node.url])
  const views = new VaultViews([config], SILENT)
  t.teardown(() => views.close())
  const [first, second, third] = await Promise.all([
    views.read(config.chain, VAULT, [NATIVE]),
    views.read(config.chain, VAULT, [NATIVE, USDC]),
    views.read(config.chain, VAULT, [NATIVE, USDC]),
  ])
  t.ok(first?.assets.has(NATIVE))
  t.same([...(second?.assets.keys() ?? [])], [NATIVE, USDC])
  t.same([...(third?.assets.keys() ?? [])], [NATIVE, USDC], 'the token is new for the second call alone')
})

t.test('the computed allowance equals the contract’s', async (t) => {
  const day = 86_400n
  const limit = (time: bigint, amount: bigint) => ({ time, limit: amount, amount: 0n })
  const out = (time: bigint, amount: bigint) => ({ time, limit: null, amount })
  t.equal(availableAfter([], 5n), null, 'no limit was ever set')
  t.equal(availableAfter([limit(0n, 100n)], 5n), 100n)
  t.equal(availableAfter([limit(0n, 86_400n), out(10n, 1000n)], 10n), 85_400n)
  t.equal(availableAfter([limit(0n, 86_400n), out(10n, 1000n)], 110n), 85_500n, 'a unit a second comes back')
  t.equal(availableAfter([limit(0n, 86_400n), out(10n, 1000n)], 5000n), 86_400n, 'not more than all')
  t.equal(availableAfter([limit(0n, 100n), out(0n, 100n)], day / 200n), 0n, 'what comes back is rounded down')
  t.equal(availableAfter([limit(0n, 100n), out(0n, 100n)], day / 100n), 1n)
  t.equal(
    availableAfter([limit(0n, 1000n), out(0n, 1000n), limit(day / 2n, 400n)], day / 2n),
    0n,
    'what is used stays used',
  )
  t.equal(availableAfter([limit(0n, 2n ** 128n - 1n), out(5n, 10n)], 9n), 2n ** 256n - 1n, 'no limit')
  t.equal(availableAfter([limit(0n, 1000n)], 10n * day, 10n * day), 0n, 'full where older outflows are left out')
  t.equal(availableAfter([limit(0n, 1000n), out(10n * day + day / 2n, 100n)], 10n * day + day / 2n, 10n * day), 400n)
})
