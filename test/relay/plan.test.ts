// What an EVM chain's withdrawals may cost: one root for many, the vault's allowance, and members of a
// root whose fees count by their proofs alone.
import t from 'tap'
import type { ReleaseArguments, WithdrawalProof } from '../../proofs/json.ts'
import { laterOf } from '../../relay/choice/batch.ts'
import { callBudget, lossLimit } from '../../relay/choice/limits.ts'
import { chooseProven, type Market, mustWait, planOf, rootBudget, waitsForAllowance } from '../../relay/choice/plan.ts'
import { Refused } from '../../relay/choice/refusal.ts'
import { type EvmTask, tasksOf } from '../../relay/choice/task.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import { provenMembers } from '../../relay/evm/members.ts'
import type { PendingWithdrawal } from '../../relay/pending.ts'

const NOW = 1_000_000
const HARD = { light: null, hard: 1_180_000, handoffs: 0 }
const ALICE = `0x${'a1'.repeat(20)}`
const CONTRACT = `0x${'77'.repeat(20)}`
const TOKENS = new Tokens(['0x55', '0x66', ALICE].map((token) => ({ domain: '1', token, symbol: 'USDC', decimals: 6 })))

/** A fee of `usd` dollars; gas costs 10 USD a million. */
function taskOf(id: number, usd: number, more: Partial<PendingWithdrawal> = {}): EvmTask {
  const entry: PendingWithdrawal = {
    ...{ key: `w:${id}`, action: 'release', id: `${id}`, domain: '1', releaseTo: CONTRACT, recipient: ALICE },
    ...{
      token: '0x55',
      symbol: 'USDC',
      amount: '75000000',
      precision: 6,
      fee: `${usd * 1e6}`,
      deadline: NOW + 100_000,
    },
    ...{ estimatedGas: HARD, fits: true, hasProof: true, src_time: NOW - 1000 + id },
    ...more,
  }
  return tasksOf({ pending: [entry], deposits: [], settlements: [], hops: [] }, TOKENS)[0] as EvmTask
}

function marketOf(config: Partial<Market['config']> = {}): Market {
  return {
    config: {
      ...{ actions: ['release', 'expire'], policy: 'profit', minProfitUsd: 0, own: [], allow: [], deny: [] },
      ...{ maxValueUsd: 1000, marginSeconds: 900, ...config },
    },
    prices: new Map([['USDC', 1]]),
    tokens: TOKENS,
    usdOf: (gas) => Number(gas) / 100_000,
    now: NOW,
  }
}

const legsOf = (list: readonly { task: EvmTask }[]) => list.map(({ task }) => task.leg)

t.test('the newest brings the root, and what loses does not share its costs', async (t) => {
  const light = taskOf(1, 2, { estimatedGas: { light: 180_000, hard: 1_180_000, handoffs: 0 } })
  const { light: sent, root, judged } = planOf([light, taskOf(2, 7), taskOf(3, 8), taskOf(4, 1)], marketOf())
  t.same(legsOf(sent), ['w:1'], '1.80 USD of gas')
  t.equal(root?.task.leg, 'w:3', 'the root costs 10 USD, shared by two; the newest one loses and is left')
  t.same(legsOf(root?.members ?? []), ['w:2'])
  t.same(judged.map(({ task, choice }) => `${task.leg} ${choice.go}`).sort(), [
    'w:1 true',
    'w:2 true',
    'w:3 true',
    'w:4 false',
  ])
  t.equal(planOf([taskOf(2, 6), taskOf(3, 6)], marketOf()).root, null, 'each would pay 6.80 USD')
  t.equal(planOf([], marketOf()).root, null)
})

t.test('a budget counts for all calls of a withdrawal', async (t) => {
  t.equal(callBudget(10, 3, 2), 5)
  t.equal(callBudget(10, 3, null), 7)
  t.equal(callBudget(null, 3, 2), null, 'whatever it earns')
  t.equal(lossLimit(5.01, callBudget(10, 3, 2)), 'loss')
  t.equal(lossLimit(5, callBudget(10, 3, 2)), null)
  t.equal(lossLimit(null, 5), 'gas-price-unknown')
  t.equal(lossLimit(null, null), null)
  const estimatedGas = { light: null, hard: 1_500_000, handoffs: 600_000 }
  t.same(laterOf(taskOf(1, 1, { estimatedGas }), 2), { handoffs: 1, gas: 900_000n })
  t.same(laterOf(taskOf(1, 1, { estimatedGas: null }), 1), { handoffs: 0, gas: 550_000n })
  t.same(laterOf(taskOf(1, 1), 0), { handoffs: 0, gas: 0n }, 'the last call')
})

t.test('the budget of a root', async (t) => {
  t.equal(rootBudget(5, [], 1.8), 5)
  const members = [
    { budgetUsd: 5, spentUsd: 0 },
    { budgetUsd: 4, spentUsd: 1 },
    { budgetUsd: 1, spentUsd: 0 },
  ]
  t.ok(Math.abs((rootBudget(5, members, 1.8) ?? 0) - 9.4) < 1e-9, '5, 3.20 and 1.20; the third is not worth its gas')
  t.equal(rootBudget(5, [...members, { budgetUsd: null, spentUsd: 0 }], 1.8), null, 'one of an own party')
  t.equal(rootBudget(null, members, 1.8), null)
})

t.test('a choice by the proof has its fee, parties and budget', async (t) => {
  const market = marketOf({ minProfitUsd: 0.5, own: [`0x${'b2'.repeat(20)}`] })
  const chosen = planOf([taskOf(1, 20)], market).root
  if (chosen === null) throw new Error('nothing is chosen')
  const release = {
    ...{ id: '1', domain: '1', recipient: ALICE, token: '0x55', amount: '75000000', fee: '13000000' },
    deadline: `${NOW + 100_000}`,
  } as ReleaseArguments
  t.match(chooseProven(chosen, release, market), { choice: { go: true, feeUsd: 13 }, budgetUsd: 12.5 })
  t.match(chooseProven(chosen, { ...release, fee: '1' }, market), { choice: { go: false, skip: 'loss' } })
  t.match(chooseProven(chosen, { ...release, recipient: `0x${'B2'.repeat(20)}`, fee: '0' }, market), {
    choice: { go: true },
    budgetUsd: null,
  })
})

t.test('an older withdrawal that waits for the allowance holds back younger ones for a while', async (t) => {
  const tasks = [taskOf(1, 1), taskOf(2, 1), taskOf(3, 1, { token: '0x66' }), taskOf(4, 1, { action: 'expire' })]
  const waiting = (reason: string, seconds: number) => {
    const refusalOf = (leg: string) => (leg === 'w:1' ? { reason, seconds } : undefined)
    return legsOf(tasks.filter((task) => mustWait(task, tasks, refusalOf)).map((task) => ({ task })))
  }
  t.same(waiting('OutflowLimited', 10), ['w:2'], 'not itself, other tokens or expiries')
  t.same(waiting('OutflowLimited', 600), [])
  t.same(waiting('TransferFailed', 10), [])
  const open = new Set(['0x55'])
  t.equal(waitsForAllowance(taskOf(1, 1, { fits: false }), open), true)
  t.equal(waitsForAllowance(taskOf(1, 1, { fits: null }), open), false, 'nobody knows: it is tried')
  t.equal(waitsForAllowance(taskOf(1, 1, { fits: false }), new Set()), false, 'the vault may have more by now')
})

t.test('fees of other withdrawals pay for a root when the contract accepts their proofs, once', async (t) => {
  const market = marketOf()
  const { root } = planOf(
    [9, 8, 7, 6, 5].map((usd, i) => taskOf(i + 1, usd)),
    market,
  )
  if (root === null) throw new Error('no root')
  t.equal(root.task.leg, 'w:5')
  const fees = new Map([
    ['w:1', 9],
    ['w:2', 8],
    ['w:3', 0.001],
  ])
  const asked: string[] = []
  const release = (leg: string, fee: number) => ({
    ...{ id: leg.slice(2), domain: '1', recipient: ALICE, amount: '75000000', fee: `${fee * 1e6}` },
    deadline: `${NOW + 100_000}`,
  })
  const proofOf = (leg: string) => {
    const hard = { releaseTo: CONTRACT, release: release(leg, fees.get(leg) ?? 6), handoffs: [], submitRoot: SUBMIT }
    return { track: 'hard', light: null, hard: { ...hard, release: { ...EMPTY, ...hard.release } } }
  }
  const refused = new Set<string>()
  const shared = new Set<string>()
  const prove = async (own: number) => {
    asked.length = 0
    const found = await provenMembers({
      context: {
        api: {
          withdrawalProof: async (leg: string) => {
            asked.push(leg)
            return proofOf(leg) as unknown as WithdrawalProof
          },
        },
        journal: { costs: async () => ({ spent: new Map([['w:2', 1]]), shared }) },
      } as never,
      chain: {
        name: 'mainnet',
        simulate: async () => {
          if (refused.has(asked.at(-1) ?? '')) throw new Refused('ActionNotInBlock')
        },
      },
      ...{ from: ALICE, root, own, market, requireAllowed: async () => {} },
    })
    return { own: found.own, legs: found.members.map(({ leg }) => leg) }
  }
  t.same(await prove(20), { own: 20, legs: [] }, 'it pays for itself')
  t.same(asked, [])
  t.same((await prove(5)).legs, ['w:1', 'w:2'], 'the list’s highest fees first, until the root is paid')
  t.same(asked, ['w:1', 'w:2'])
  refused.add('w:1')
  t.same((await prove(5)).legs, ['w:2', 'w:4'], 'a refused proof, and a fee that the list made up')
  t.same(asked, ['w:1', 'w:2', 'w:3', 'w:4'])
  shared.add('w:2')
  t.same((await prove(5)).legs, ['w:4'], 'its fee has paid for another root')
  shared.add('w:5')
  t.equal((await prove(5)).own, 1.8, 'its own fee has, too: it pays for its light release alone')
})

const HASH = `0x${'00'.repeat(32)}`
const EMPTY = {
  ...{ token: ALICE, deadline: '1', memo: '0x', recvSequence: '1', witness: HASH, actionSiblings: [], actionPath: '0' },
  ...{ actionMroot: HASH, majorVersion: 1, minorVersion: 0, blockNum: 1, timestamp: 1, parentTimestamp: 1 },
  ...{ finalityDigest: HASH, treeSiblings: [], treePath: '0', finalityMroot: HASH },
}
const SUBMIT = {
  finality: {
    ...{ majorVersion: 1, minorVersion: 0, activeGeneration: 1, lastPendingGeneration: 1, finalityMroot: HASH },
    ...{ lastPendingPolicyDigest: HASH, lastPendingPolicyStart: 1, reversibleBlocksMroot: HASH, qcClaimBlockNum: 1 },
    ...{ qcClaimFinalityDigest: HASH, qcClaimTimestamp: 1, timestamp: 1, baseDigest: HASH },
  },
  ...{ bits: '0x', signature: '0x', policyKeys: [], pending: { policy: '0x', bits: '0x', signature: '0x' } },
}
