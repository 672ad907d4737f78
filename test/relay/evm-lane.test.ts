// A look at the work of an EVM chain: what counts against the slots, and what an outage of a signer means.
import t from 'tap'
import type { WithdrawalProof } from '../../proofs/json.ts'
import { Board, Decisions } from '../../relay/board.ts'
import { tasksOf } from '../../relay/choice/task.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import { type Context, Limits } from '../../relay/context.ts'
import type { EvmChain } from '../../relay/evm/chain.ts'
import { EvmLane } from '../../relay/evm/lane.ts'
import type { EvmOrder, Sent } from '../../relay/evm/order.ts'
import type { EvmSender } from '../../relay/evm/sender.ts'
import { SILENT } from '../../relay/log.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import type { PendingWithdrawal } from '../../relay/pending.ts'
import { SignerApi } from '../../relay/signer-api.ts'
import { Refusals } from '../../relay/state/journal.ts'

const NOW = Math.floor(Date.now() / 1000)
const CONTRACT = `0x${'77'.repeat(20)}`
const TOKEN = `0x${'55'.repeat(20)}`
const TOKENS = new Tokens([{ domain: '1', token: TOKEN, symbol: 'USDC', decimals: 6 }])
const HASH = `0x${'00'.repeat(32)}`
const RELEASE = {
  ...{
    domain: '1',
    token: TOKEN,
    recipient: TOKEN,
    amount: '75000000',
    deadline: '9999999999',
    memo: '0x',
    recvSequence: '1',
  },
  ...{ witness: HASH, actionSiblings: [], actionPath: '0', actionMroot: HASH, majorVersion: 1, minorVersion: 0 },
  ...{ blockNum: 1, timestamp: 1, parentTimestamp: 1, finalityDigest: HASH, treeSiblings: [], treePath: '0' },
  finalityMroot: HASH,
}
function entryOf(id: number, more: Partial<PendingWithdrawal> = {}): PendingWithdrawal {
  return {
    ...{
      key: `w:${id}`,
      action: 'release',
      id: `${id}`,
      domain: '1',
      releaseTo: CONTRACT,
      recipient: TOKEN,
      token: TOKEN,
    },
    ...{ symbol: 'USDC', amount: '75000000', precision: 6, fee: '5000000', deadline: NOW + 100_000, fits: true },
    ...{ estimatedGas: { light: 100_000, hard: 600_000, handoffs: 0 }, hasProof: true, src_time: NOW - 5000 + id },
    ...more,
  }
}

interface Made {
  entries: PendingWithdrawal[]
  proofs?: (leg: string) => unknown
  send?: (order: EvmOrder) => Promise<Sent>
  relay?: object
}

/** One look. @returns orders that were sent, and refusals */
async function lookAt({ entries, proofs, send = async () => 'sent', relay }: Made) {
  const [orders, refused]: [EvmOrder[], string[]] = [[], []]
  const light = (leg: string) => {
    const release = { ...RELEASE, id: leg.slice(2), fee: '5000000' }
    return { light: { releaseTo: CONTRACT, release }, hard: { release, handoffs: [] } }
  }
  const policy = {
    actions: ['release'],
    policy: 'profit',
    minProfitUsd: 0,
    own: [],
    allow: [],
    deny: [],
    maxValueUsd: 1000,
  }
  const fees = { maxFeeGwei: ['200'], priorityGwei: ['1'], marginSeconds: 0, handoffMarginSeconds: 0, inFlight: 1 }
  const context = {
    config: { ...policy, ...fees, ...relay },
    api: { withdrawalProof: async (leg: string) => (proofs ?? light)(leg) as WithdrawalProof | null },
    journal: {
      isLost: false,
      refuse: async ({ leg, reason }: { leg: string; reason: string }) => void refused.push(`${leg} ${reason}`),
      costs: async () => ({ spent: new Map(), shared: new Set() }),
    },
    ...{ log: SILENT, metrics: new RelayMetrics(), limits: new Limits(), tokens: () => TOKENS },
    prices: () => new Map([...Object.entries({ USDC: 1, ETH: 2500 })]),
  } as unknown as Context
  const sender = {
    ...{ address: TOKEN, limits: { cap: 200n * 10n ** 9n, tip: 10n ** 9n } },
    send: async (order: EvmOrder) => {
      orders.push(order)
      return send(order)
    },
  } as unknown as EvmSender
  const lane = new EvmLane(context, { name: 'mainnet', chainId: 1 } as EvmChain, sender, async () => {})
  const tasks = tasksOf({ pending: entries, deposits: [], settlements: [], hops: [] }, TOKENS)
  const board = new Board(new Refusals(new Map()), () => null, new Decisions(SILENT))
  const head = { number: 1, time: NOW, baseFee: 10n * 10n ** 9n, finalNumber: 1 }
  await lane.turn({ head, waiting: [] }, tasks as never, board)
  return { orders, refused }
}

t.test('a slot is used by what was sent, not by what was tried', async (t) => {
  const { orders, refused } = await lookAt({
    entries: [1, 2, 3, 4, 5].map((id) => entryOf(id)),
    proofs: (leg) =>
      leg === 'w:1'
        ? null
        : { light: { releaseTo: CONTRACT, release: { ...RELEASE, id: leg.slice(2), fee: '5000000' } } },
    send: async ({ leg }) => (leg === 'w:2' ? 'refused' : leg === 'w:3' ? 'limited' : 'sent'),
  })
  t.same(
    orders.map(({ leg }) => leg),
    ['w:2', 'w:3', 'w:4'],
  )
  t.same(refused, ['w:1 the bridge API has no proof yet'], 'it has a pause of its own')
  const all = await lookAt({ entries: Array.from({ length: 50 }, (_, i) => entryOf(i)), send: async () => 'limited' })
  t.equal(all.orders.length, 8, 'a limit that keeps back some keeps back all')
})

t.test('an outage of the signer is no refusal of an entry', async (t) => {
  const wrong = new SignerApi('http://127.0.0.1:9', new AbortController().signal).wrong('answers with no signature')
  const send = async () => {
    throw wrong
  }
  await t.rejects(lookAt({ entries: [entryOf(1)], send }), { code: 'RELAY_SIGNER_WRONG' })
  const other = await lookAt({
    entries: [entryOf(1)],
    send: async () => {
      throw new Error('the node is busy')
    },
  })
  t.same(other.refused, ['w:1 the node is busy'])
})
