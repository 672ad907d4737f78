// Chains do not wait for each other: neither for a node that does not answer, nor for one that fails.
import t, { type Test } from 'tap'
import type { AntelopeLane } from '../../relay/antelope/lane.ts'
import { Outcomes } from '../../relay/antelope/outcomes.ts'
import type { Context } from '../../relay/context.ts'
import type { EvmLane } from '../../relay/evm/lane.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import { type Lanes, Relayer } from '../../relay/relayer.ts'
import { Refusals } from '../../relay/state/journal.ts'
import { until } from '../support/until.ts'

const WITHDRAWAL = {
  ...{ key: 'w:1', action: 'release', id: '1', domain: '1', releaseTo: '0x77', recipient: '0xa1', token: '0x55' },
  ...{ symbol: 'USDC', amount: '1', precision: 6, fee: '0', deadline: 5000, estimatedGas: null, fits: true },
  ...{ hasProof: true, src_time: 1 },
}

function relayerOf(t: Test, lanes: Partial<Lanes>, pending: () => Promise<object>) {
  const said: object[] = []
  const note = (_: string, fields: object = {}) => void said.push(fields)
  const context = {
    config: { pollSeconds: 0.01 },
    api: { pending },
    journal: {
      isLost: false,
      refusals: async () => new Refusals(new Map()),
      busy: async () => () => null,
      prune: async () => {},
    },
    log: { info: note, warn: note, error: note },
    metrics: new RelayMetrics(),
  }
  const none = { evm: new Map(), antelope: new Map(), ledger: null }
  const relayer = new Relayer(context as unknown as Context, { ...none, ...lanes }, async () => {})
  const stop = new AbortController()
  const done = relayer.run(stop.signal)
  t.teardown(() => {
    stop.abort()
    return done
  })
  return { said, context, stop, done }
}

const work = async () => ({ pending: [WITHDRAWAL], deposits: [], settlements: [], hops: [] })

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
  const ledger = { chain: { name: 'telos' }, turn: async () => void looks++ } as unknown as AntelopeLane
  const { said, context } = relayerOf(t, { evm, antelope: new Map([[7n, ledger]]), ledger }, work)
  await until('several looks', () => (turns.get('mainnet') ?? 0) >= 3 && looks >= 3)
  t.same(
    said.filter((fields) => 'of' in fields),
    [{ of: 'polygon', reason: 'no answer' }],
    'said once',
  )
  t.match(await context.metrics.registry.metrics(), /headwater_relay_turns_total\{outcome="failed"\} 1/)
  release()
})

t.test('with the locks of the keys gone, the relayer ends although a chain hangs', async (t) => {
  const { context, done, stop } = relayerOf(t, { evm: new Map() }, work)
  stop.abort()
  await done
  const lane = { chain: { name: 'bsc' }, settle: () => new Promise(() => {}) } as unknown as EvmLane
  const failing = {
    chain: { name: 'mainnet' },
    settle: async () => {
      context.journal.isLost = true
      throw new Error('gone')
    },
  } as unknown as EvmLane
  const evm = new Map([
    [56n, lane],
    [1n, failing],
  ])
  const lanes = { evm, antelope: new Map(), ledger: null }
  const relayer = new Relayer(context as unknown as Context, lanes, async () => {})
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
