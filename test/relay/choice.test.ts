// What a relayer chooses: lists, worth, deadlines, profit, one root for many releases.
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import type { ReleaseArguments } from '../../proofs/json.ts'
import { batchOf, gasOf, sharedGas } from '../../relay/choice/batch.ts'
import { choose, gasWorth, type Policy, pricesOf, valuationOf, worthOf } from '../../relay/choice/choose.ts'
import { gasLimit } from '../../relay/choice/limits.ts'
import { type EvmTask, provenTask, type Task, tasksOf } from '../../relay/choice/task.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import type { PendingWithdrawal, PendingWork } from '../../relay/pending.ts'

const ALICE = `0x${'A1'.repeat(20)}`
const NOW = 1_000_000
const PRICES = new Map([
  ['USDC', 1],
  ['ETH', 2500],
])
const TOKEN = `0x${'55'.repeat(20)}`
const NEW = `0x${'56'.repeat(20)}`
const WAX_DOMAIN = '1181148696416462999'
const TOKENS = new Tokens([
  { domain: '1', token: TOKEN, symbol: 'USDC', decimals: 6 },
  { domain: '1', token: NEW, symbol: 'NEW', decimals: 8 },
  { domain: WAX_DOMAIN, token: 'wrap.svc', symbol: 'USDC', decimals: 6 },
  { domain: WAX_DOMAIN, token: 'wrap.svc', symbol: 'ETH', decimals: 8 },
])
const POLICY: Policy = {
  actions: ['release', 'expire', 'pay', 'credit', 'forward', 'bounce', 'settle', 'refund', 'recover'],
  policy: 'profit',
  minProfitUsd: 0.5,
  own: [],
  allow: [],
  deny: [],
  maxValueUsd: 1000,
  marginSeconds: 900,
}

function withdrawal(more: Partial<PendingWithdrawal> = {}): PendingWithdrawal {
  return {
    key: `w:${more.id ?? more.key?.slice(2) ?? 1}`,
    action: 'release',
    id: more.key?.slice(2) ?? '1',
    domain: '1',
    releaseTo: `0x${'77'.repeat(20)}`,
    recipient: ALICE,
    token: TOKEN,
    symbol: 'USDC',
    amount: '75000000',
    precision: 6,
    fee: '5000000',
    deadline: NOW + 100_000,
    estimatedGas: { light: 160_000, hard: 1_200_000, handoffs: 0 },
    fits: true,
    hasProof: true,
    src_time: NOW - 100,
    ...more,
  }
}

const work = (more: Partial<PendingWork> = {}): PendingWork => ({
  pending: [],
  deposits: [],
  settlements: [],
  hops: [],
  ...more,
})
const taskOf = (more: Partial<PendingWithdrawal> = {}): EvmTask =>
  tasksOf(work({ pending: [withdrawal(more)] }), TOKENS)[0] as EvmTask

function skipOf(task: Task, policy: Partial<Policy> = {}, gasUsd: number | null = 1, now = NOW): string {
  const choice = choose(task, task.actions[0]!, { ...POLICY, ...policy }, valuationOf(task, PRICES), gasUsd, now)
  return choice.go ? 'go' : choice.skip
}

t.test('an entry that comes twice is one task, and a key of another withdrawal is none', async (t) => {
  const wrong: string[] = []
  const pending = [
    withdrawal(),
    withdrawal(),
    { ...withdrawal(), key: 'w:7' },
    { ...withdrawal(), key: 'x'.repeat(900) },
  ]
  const tasks = tasksOf(work({ pending }), TOKENS, (key) => wrong.push(key.slice(0, 3)))
  t.same([tasks.map(({ leg }) => leg), wrong], [['w:1'], ['w:7', 'xxx']])
})

t.test('each entry is a task with its actions in order', async (t) => {
  const deposit = {
    key: 'd:1:7',
    contract: 'bridge.svc',
    domain: '1',
    nonce: '7',
    recipient: 'bob',
    symbol: 'USDC',
    amount: '1',
    precision: 6,
  }
  const settlement = {
    key: 'w:3',
    contract: 'gateway.evm',
    id: '3',
    domain: '1',
    released: true,
    tx: '0x1',
    owner: 'dave',
  }
  const tasks = tasksOf(
    work({
      pending: [
        withdrawal(),
        withdrawal({ key: 'w:2', domain: '5073219243131244279', releaseTo: null }),
        withdrawal({ domain: '5073219243131244279', action: 'expire' }),
      ],
      deposits: [{ ...deposit, actions: ['forward', 'bounce'] }],
      settlements: [{ ...settlement, action: 'settle' }],
      hops: [{ key: 'd:1:9', contract: 'hop.svc', id: '9', back: { recipient: 'Eve' } }],
    }),
    TOKENS,
  )
  t.same(
    tasks.map(({ leg, actions, to }) => `${leg} ${actions} ${to}`),
    [
      'w:1 release 1',
      'w:2 pay 5073219243131244279',
      'd:1:7 forward,bounce null',
      'w:3 settle null',
      'd:1:9 recover null',
    ],
    'nobody sends an expiry to an Antelope chain',
  )
  t.same(tasks.at(-1)?.parties, ['eve'], 'a journey goes back to its sender')
  const malformed: string[] = []
  const bad = withdrawal({ key: 'w:9', amount: 'a lot' })
  t.equal(tasksOf(work({ pending: [bad, withdrawal()] }), TOKENS, (key) => malformed.push(key)).length, 1)
  t.same(malformed, ['w:9'], 'a malformed entry stops no other')
})

t.test('profit is the fee minus gas, both in USD', async (t) => {
  const task = taskOf()
  t.same(valuationOf(task, PRICES), { valueUsd: 75, feeUsd: 5 })
  t.equal(worthOf(150_000_000n, 'ETH', 8, PRICES), 3750)
  t.equal(gasWorth(160_000n, 25_000_000_000n, 'ETH', PRICES), 10, '160,000 gas at 25 gwei are 0.004 ETH')
  t.equal(gasWorth(1n, 1n, undefined, PRICES), null)
  t.equal(skipOf(task, {}, 4.5), 'go', 'exactly the bound')
  t.equal(skipOf(task, {}, 4.51), 'loss')
  t.equal(skipOf(task, { own: [ALICE] }, 4.51), 'go', 'own transfers are always relayed')
  t.equal(skipOf(task, { policy: 'always' }, null), 'go', 'without a price of gas')
  t.equal(skipOf(task, {}, null), 'price-unknown')
  t.equal(skipOf(taskOf({ fee: '0' }), { minProfitUsd: -100 }, 1), 'loss', 'a fee of nothing earns nothing')
})

t.test('a price that is not above 0 counts as none', async (t) => {
  const read = new Map([
    ['A', 2],
    ['B', 0],
    ['C', -1],
    ['D', 5],
  ])
  t.same([...pricesOf(read, ['D=0', 'A=3'])], [['A', 3]])
})

t.test('profit counts what the proof says', async (t) => {
  const release = {
    id: '1',
    domain: '1',
    recipient: `0x${'B2'.repeat(20)}`,
    amount: '80000000',
    fee: '1',
    token: TOKEN,
    deadline: `${NOW + 100_000}`,
  }
  const proven = provenTask(taskOf(), release as ReleaseArguments, TOKENS)
  t.match(proven, { fee: 1n, amount: { units: 80_000_000n }, parties: [`0x${'b2'.repeat(20)}`] })
  t.equal(skipOf(proven, { own: [ALICE] }), 'loss', 'the list called it one of an own party with a fee of 5 USDC')
  const late = provenTask(
    taskOf(),
    { ...release, fee: '5000000', deadline: `${NOW + 899}` } as ReleaseArguments,
    TOKENS,
  )
  t.equal(skipOf(late), 'deadline', 'the list said that it has a day left')
  t.equal(skipOf(provenTask(taskOf(), { ...release, fee: '5000000' } as ReleaseArguments, TOKENS)), 'go')
  t.throws(() => provenTask(taskOf({ id: '2' }), release as ReleaseArguments, TOKENS), {
    message: /^RELAY_NOT_ALLOWED/,
  })
})

t.test('symbol and precision are those of the ledger, whatever the list says', async (t) => {
  const worthless = { token: NEW, symbol: 'USDC', precision: 0 }
  t.same(valuationOf(taskOf(worthless), PRICES), { valueUsd: null, feeUsd: null }, 'under the name of a dear one')
  t.equal(skipOf(taskOf({ symbol: 'SHIB', precision: 18 })), 'go', 'a large transfer cannot be made small')
  t.equal(skipOf(taskOf({ symbol: 'SHIB', precision: 18, amount: '1000000001' })), 'value')
  const release = { ...withdrawal(), recipient: ALICE, token: NEW } as unknown as ReleaseArguments
  t.equal(skipOf(provenTask(taskOf(), release, TOKENS)), 'value-unknown', 'the proof is of another token than the list')
  const wax = { domain: WAX_DOMAIN, token: 'wrap.svc', releaseTo: null, amount: '100000000' }
  const worth = (symbol: string | null) => valuationOf(taskOf({ ...wax, symbol, precision: 0 }), PRICES).valueUsd
  t.same([worth('ETH'), worth('USDC'), worth('NEW')], [2500, 100, null], 'an account may have several tokens')
  const two = { domain: '1', token: TOKEN, decimals: 6 }
  const unclear = new Tokens([
    { ...two, symbol: 'USDC' },
    { ...two, symbol: 'USDT' },
  ])
  t.equal(unclear.of('1', TOKEN, null), null)
  t.same(TOKENS.deposited('1', 'USDC'), { symbol: 'USDC', decimals: 6 })
  t.equal(TOKENS.deposited('56', 'USDC'), null, 'no route from there has it')
})

t.test('lists, worth, deadlines and proofs', async (t) => {
  t.equal(skipOf(taskOf(), { deny: [ALICE.toLowerCase()], own: [ALICE] }), 'denied', 'in any case, before own ones')
  const expired = taskOf({ action: 'expire', deadline: NOW - 1 })
  t.equal(skipOf(expired, { deny: [ALICE], policy: 'always' }), 'go', 'the way back is open')
  t.equal(skipOf(taskOf(), { allow: ['bob'] }), 'not-allowed')
  t.equal(skipOf(taskOf(), { allow: [ALICE] }), 'go')
  t.equal(skipOf(taskOf({ amount: '1000000001' })), 'value')
  t.equal(skipOf(taskOf({ token: NEW })), 'value-unknown')
  t.equal(skipOf(taskOf({ token: ALICE }), { policy: 'always' }), 'value-unknown', 'an unknown token may be worth more')
  t.equal(skipOf(taskOf({ deadline: NOW + 899 })), 'deadline')
  t.equal(skipOf(taskOf({ deadline: NOW + 900 })), 'go')
  t.equal(skipOf(taskOf({ action: 'expire', deadline: NOW - 1 }), { policy: 'always' }), 'go', 'no margin after it')
  t.equal(skipOf(taskOf({ hasProof: false })), 'no-proof')
  t.equal(skipOf(taskOf({ releaseTo: null })), 'no-contract')
  t.equal(skipOf(taskOf(), { actions: ['expire'] }), 'action-off')
})

t.test('a list may name a route: the domain at the other end, and the symbol on the ledger', async (t) => {
  const env = { HEADWATER_RELAY_OWN: '1:USDC,alice' }
  t.same(loadConfig({ env }).config.relay.own, ['1:USDC', 'alice'])
  t.throws(() => loadConfig({ env: { HEADWATER_RELAY_OWN: 'one:USDC' } }), { code: 'INVALID_CONFIG' })
  t.equal(skipOf(taskOf(), { own: ['1:USDC'] }, 4.51), 'go')
  t.equal(skipOf(taskOf(), { own: ['1:usdc'] }, 4.51), 'go', 'in any case')
  t.equal(skipOf(taskOf(), { own: ['56:USDC', '1:ETH', 'USDC', '1'] }, 4.51), 'loss')
  t.equal(skipOf(taskOf(), { deny: ['1:USDC'] }), 'denied')
  t.equal(skipOf(taskOf(), { allow: ['1:ETH'] }), 'not-allowed')
  t.equal(skipOf(taskOf(), { allow: ['1:USDC'] }), 'go')
  const named = { token: NEW, symbol: 'USDC' }
  t.equal(skipOf(taskOf(named), { own: ['1:USDC'], policy: 'profit' }, 4.51), 'value-unknown', 'by the API alone')
  const deposit = { key: 'd:1:7', contract: 'bridge.svc', domain: '1', nonce: '7', recipient: 'bob', symbol: 'USDC' }
  const [task] = tasksOf(work({ deposits: [{ ...deposit, amount: '1', precision: 6, actions: ['forward'] }] }), TOKENS)
  t.equal(skipOf(task as Task, { own: ['1:USDC'] }, 0), 'go', 'a deposit from there')
  t.equal(skipOf(task as Task, { own: ['1:ETH'] }, 0), 'loss')
})

t.test('the newest withdrawal brings the root, the others wait for it', async (t) => {
  const hard = { light: null, hard: 1_280_000, handoffs: 0 }
  const tasks = [
    taskOf({ key: 'w:1', src_time: 10, estimatedGas: hard }),
    taskOf({ key: 'w:2', src_time: 30, estimatedGas: hard }),
    taskOf({ key: 'w:3', src_time: 20, estimatedGas: hard }),
    taskOf({ key: 'w:4', src_time: 5 }),
  ]
  const { light, root, waiting } = batchOf(tasks)
  t.same(
    [light, [root!], waiting].map((list) => list.map(({ leg }) => leg)),
    [['w:4'], ['w:2'], ['w:1', 'w:3']],
  )
  t.equal(sharedGas(root!, 3), 546_667n, '180,000 and a third of 1,100,000, rounded up')
  t.equal(gasOf(tasks[3]!), 160_000n)
  t.equal(gasOf(taskOf({ estimatedGas: null })), null)
  t.equal(batchOf([]).root, null)
})

t.test('the gas of a day is limited', async (t) => {
  t.equal(gasLimit({ spentUsd: 9, costUsd: 1, limitUsd: 10 }), null)
  t.equal(gasLimit({ spentUsd: 9.5, costUsd: 1, limitUsd: 10 }), 'gas-day')
  t.equal(gasLimit({ spentUsd: 0, costUsd: null, limitUsd: 10 }), 'gas-price-unknown')
})
