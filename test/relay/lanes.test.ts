// Chains do not wait for each other: neither for a node that does not answer, nor for one that fails. Neither do they wait
// for a slow bridge API or for upkeep.
import t, { type Test } from 'tap'
import type { AntelopeLane } from '../../relay/antelope/lane.ts'
import { Outcomes } from '../../relay/antelope/outcomes.ts'
import type { Prices } from '../../relay/choice/choose.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import type { Context } from '../../relay/context.ts'
import type { EvmLane } from '../../relay/evm/lane.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import { type Lanes, Relayer } from '../../relay/relayer.ts'
import { SignerApi } from '../../relay/signer-api.ts'
import { Refusals } from '../../relay/state/journal.ts'
import { Upkeep } from '../../relay/upkeep.ts'
import { Work } from '../../relay/work.ts'
import { until } from '../support/until.ts'

const WITHDRAWAL = {
  ...{ key: 'w:1', action: 'release', id: '1', domain: '1', releaseTo: '0x77', recipient: '0xa1', token: '0x55' },
  ...{ symbol: 'USDC', amount: '1', precision: 6, fee: '0', deadline: 5000, estimatedGas: null, fits: true },
  ...{ hasProof: true, src_time: 1 },
}

const UPKEEP: Pick<Upkeep, 'turn' | 'run'> = { turn: async () => {}, run: async () => {} }
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

function contextOf(pending: () => Promise<object>) {
  const said: object[] = []
  const note = (_: string, fields: object = {}) => void said.push(fields)
  const policy = {
    actions: ['release'],
    policy: 'profit',
    own: [],
    allow: [],
    deny: [],
    maxValueUsd: 1000,
    marginSeconds: 0,
  }
  const context = {
    config: { pollSeconds: 0.01, minProfitUsd: 0, ...policy },
    api: { pending },
    journal: { isLost: false, refusals: async () => new Refusals(new Map()), busy: async () => () => null },
    log: { info: note, warn: note, error: (message: string) => note('', { error: message }) },
    metrics: new RelayMetrics(),
    prices: () => new Map([['USDC', 1]]),
    tokens: () => new Tokens([{ domain: '1', token: '0x55', symbol: 'USDC', decimals: 6 }]),
  }
  return { said, context }
}

function relayerOf(t: Test, lanes: Partial<Lanes>, pending: () => Promise<object>, upkeep = UPKEEP) {
  const { said, context } = contextOf(pending)
  const none = { evm: new Map(), antelope: new Map(), ledger: null }
  const relayer = new Relayer(context as unknown as Context, { ...none, ...lanes }, upkeep)
  const stop = new AbortController()
  const done = relayer.run(stop.signal)
  t.teardown(() => {
    stop.abort()
    return done
  })
  return { said, context, stop, done }
}

const work = async () => ({ pending: [WITHDRAWAL], deposits: [], settlements: [], hops: [] })
const metricOf = async ({ metrics }: { metrics: RelayMetrics }, name: string) =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name))

t.test('one chain hangs, one fails, and the others are looked at again and again', async (t) => {
  const turns = new Map<string, number>()
  let release = () => {}
  const hang = new Promise<null>((resolve) => {
    release = () => resolve(null)
  })
  const evmLane = (name: string, settle: () => Promise<unknown>) => {
    const turn = async (_: unknown, tasks: unknown[]) => {
      turns.set(name, (turns.get(name) ?? 0) + tasks.length)
    }
    return { chain: { name }, settle, turn } as unknown as EvmLane
  }
  const failed = async () => {
    throw new Error('no answer')
  }
  const evm = new Map([
    [1n, evmLane('mainnet', async () => ({}))],
    [56n, evmLane('bsc', () => hang)],
    [137n, evmLane('polygon', failed)],
  ])
  let looks = 0
  const turn = async () => void looks++
  const ledger = { chain: { name: 'telos' }, settle: async () => ({}), turn } as unknown as AntelopeLane
  const { said, context } = relayerOf(t, { evm, antelope: new Map([[7n, ledger]]), ledger }, work)
  await until('several looks', () => (turns.get('mainnet') ?? 0) >= 3 && looks >= 3)
  t.same(
    said.filter((fields) => 'of' in fields),
    [{ of: 'polygon', reason: 'no answer' }],
    'said once',
  )
  t.match(await metricOf(context, 'headwater_relay_turns_total{outcome="failed"}'), [/ 1$/])
  release()
})

t.test('upkeep that fails or hangs holds back no lane, and its prices count for a while', async (t) => {
  let [prices, prune] = [async (): Promise<Prices> => new Map([['USDC', 1]]), async () => {}]
  const said: object[] = []
  const log = { warn: (_: string, fields: object = {}) => void said.push(fields) }
  const routes = async () => [{ domain: '1', token: '0x55', symbol: 'USDC', decimals: 6 }]
  const upkeep = new Upkeep({ prices: () => prices(), routes, prune: () => prune(), log })
  t.same([...upkeep.prices()], [])
  prune = async () => {
    throw new Error('statement timeout')
  }
  await upkeep.turn()
  t.same([...upkeep.prices()], [['USDC', 1]])
  t.same(upkeep.tokens().of('1', '0x55', null), { symbol: 'USDC', decimals: 6 })
  prices = async () => {
    throw new Error('no view')
  }
  await upkeep.turn()
  await upkeep.turn()
  t.same(said, [
    { of: 'old rows', reason: 'statement timeout' },
    { of: 'prices', reason: 'no view' },
  ])
  t.same([...upkeep.prices()], [['USDC', 1]])
  const now = Date.now
  t.teardown(() => void (Date.now = now))
  Date.now = () => now() + 901_000
  t.same([...upkeep.prices()], [], 'a price of long ago is none')
  Date.now = now

  let turns = 0
  const settle = async () => ({})
  const lane = { chain: { name: 'mainnet' }, settle, turn: async () => void turns++ } as unknown as EvmLane
  relayerOf(t, { evm: new Map([[1n, lane]]) }, work, { turn: async () => {}, run: (signal) => aborted(signal) })
  await until('a look', () => turns > 0)
})

t.test('a slow bridge API holds back nothing that was sent, and its answer is used when it comes', async (t) => {
  let answer = () => {}
  let asked = 0
  const slow = () => {
    asked++
    return new Promise<object>((resolve) => {
      answer = () => void work().then(resolve)
    })
  }
  const list = new Work({
    ...{ api: { pending: slow as never }, tokens: () => new Tokens([]), sharedMs: 1, waitMs: 5, onMalformed: () => {} },
  })
  await t.rejects(list.list(), { code: 'RELAY_API', message: /within 0.005 s/ })
  await t.rejects(list.list(), { code: 'RELAY_API' })
  t.equal(asked, 1, 'the same answer is waited for')
  answer()
  await until('the answer', async () => (await list.list().catch(() => null))?.tasks.length === 1)
  t.equal(asked, 1)

  let failing: Error | null = new Error('the node is gone')
  const settled: unknown[] = []
  const settle = async (list: { tasks: unknown } | null) => {
    settled.push(list?.tasks ?? null)
    return {}
  }
  const ledger = { chain: { name: 'telos' }, settle, turn: async () => {} } as unknown as AntelopeLane
  const { context } = relayerOf(t, { antelope: new Map([[7n, ledger]]), ledger }, async () => {
    if (failing) throw failing
    return work()
  })
  await until('open transactions are looked at', () => settled.includes(null))
  failing = null
  await until('with the list again', () => Array.isArray(settled.at(-1)))
  t.equal(await metricOf(context, 'headwater_relay_turns_total{outcome="done"}').then((lines) => lines.length), 1)
})

t.test('malformed entries are said once, however many the API makes up', async (t) => {
  let id = 0
  const wrong = () => ({ ...WITHDRAWAL, key: `w:${++id}`, amount: 'much' })
  const pending = async () => ({ ...(await work()), pending: [wrong(), wrong(), wrong()] })
  let looks = 0
  const turn = async () => void looks++
  const lane = { chain: { name: 'mainnet' }, settle: async () => ({}), turn } as unknown as EvmLane
  const { said } = relayerOf(t, { evm: new Map([[1n, lane]]) }, pending)
  await until('several lists', () => looks > 3 && id > 6)
  t.ok(said.every((fields) => 'of' in fields && fields.of === 'the list'))
})

t.test('deadlines are watched while the node of their chain fails or lags', async (t) => {
  const soon = { ...WITHDRAWAL, deadline: Math.floor(Date.now() / 1000) + 1800 }
  const foreign = { ...soon, key: 'w:2', id: '2', token: '0x66', deadline: soon.deadline - 900 }
  const pending = async () => ({ ...(await work()), pending: [soon, foreign] })
  const failed = async () => {
    throw new Error('no answer')
  }
  for (const settle of [failed, async () => null]) {
    const lane = { chain: { name: 'mainnet' }, settle } as unknown as EvmLane
    const { context, stop, done } = relayerOf(t, { evm: new Map([[1n, lane]]) }, pending)
    const name = 'headwater_relay_next_deadline_seconds '
    await until('the deadline', async () => (await metricOf(context, name)).length === 1)
    const [line = ''] = await metricOf(context, name)
    const seconds = Number(line.slice(name.length))
    t.ok(seconds > 1700 && seconds <= 1800, 'that of a transfer that the settings leave does not count')
    stop.abort()
    await done
  }
})

t.test('an outage of a signer is its own, and said as an error when it signs wrongly', async (t) => {
  const signer = new SignerApi('http://127.0.0.1:9', new AbortController().signal)
  const turn = async () => {
    throw signer.wrong('answers with no signature')
  }
  const lane = { chain: { name: 'mainnet' }, settle: async () => ({}), turn } as unknown as EvmLane
  const { said, context } = relayerOf(t, { evm: new Map([[1n, lane]]) }, work)
  const name = 'headwater_relay_signer_failures_total{chain="mainnet"}'
  await until('the failure', async () => (await metricOf(context, name)).length === 1)
  t.match(said, [{ error: 'a signer answers wrongly' }])
})

t.test('with the locks of the keys gone, the relayer ends although a chain hangs', async (t) => {
  const { context, done, stop } = relayerOf(t, { evm: new Map() }, work)
  stop.abort()
  await done
  const lane = { chain: { name: 'bsc' }, settle: () => new Promise(() => {}) } as unknown as EvmLane
  const failing = {
    chain: { name: 'mainnet' },
    settle: async () => ({}),
    turn: async () => {
      context.journal.isLost = true
      throw new Error('gone')
    },
  } as unknown as EvmLane
  const evm = new Map([
    [56n, lane],
    [1n, failing],
  ])
  const lanes = { evm, antelope: new Map(), ledger: null }
  const relayer = new Relayer(context as unknown as Context, lanes, UPKEEP)
  await t.rejects(relayer.run(new AbortController().signal), { code: 'RELAY_SESSION_LOST' })
})

t.test('a node that gave no evidence of an outcome is asked again after a minute', async (t) => {
  let asked = 0
  const jsonReceipt = async () => {
    asked++
    throw new Error('no answer in 30 s')
  }
  const head = async () => ({ number: 1, time: 1, baseFee: 1n, finalNumber: 1 })
  const outcomes = new Outcomes(new Map([[1n, { chain: { jsonReceipt, head }, vaults: [] }]]))
  const ask = () => outcomes.positionOf(1n, 1n, '0x1', true)
  const now = Date.now
  t.teardown(() => void (Date.now = now))
  await t.rejects(ask(), { message: 'no answer in 30 s' })
  await t.rejects(ask(), { message: 'no answer in 30 s' })
  t.equal(asked, 1)
  Date.now = () => now() + 61_000
  await t.rejects(ask())
  t.equal(asked, 2)
  t.equal(await outcomes.positionOf(2n, 1n, '0x1', true), null)
})
