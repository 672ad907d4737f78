// What the alerts of the relayer read: deadlines of all that is to be sent, and the last look at each chain.
import t from 'tap'
import { Board, countsOf, Decisions } from '../../relay/board.ts'
import { tasksOf } from '../../relay/choice/task.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import type { Context } from '../../relay/context.ts'
import { SILENT } from '../../relay/log.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import { type Busy, type Refusal, Refusals } from '../../relay/state/journal.ts'

const sample = async (metrics: RelayMetrics, name: string) =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name))

t.test('without a deadline there is no sample', async (t) => {
  const metrics = new RelayMetrics()
  const name = 'headwater_relay_next_deadline_seconds'
  t.same(await sample(metrics, name), [], 'before the first look')
  let now = 1_000_000
  t.intercept(Date, 'now', { value: () => now * 1000 })
  metrics.setDeadline('bsc', now + 1800)
  metrics.setDeadline('mainnet', now + 900)
  t.same(await sample(metrics, name), [`${name} 900`], 'the next one of all chains')
  now += 1000
  t.same(await sample(metrics, name), [`${name} -100`], 'its time goes on while no lane reports')
  metrics.setDeadline('mainnet', null)
  t.same(await sample(metrics, name), [`${name} 800`])
  metrics.setDeadline('bsc', null)
  t.same(await sample(metrics, name), [])
})

t.test('each chain has a last look, from the start on', async (t) => {
  const metrics = new RelayMetrics()
  metrics.begin('bsc')
  t.match(await sample(metrics, 'headwater_relay_last_turn_timestamp_seconds'), [/\{chain="bsc"\} \d{10}/])
})

t.test('deadlines of open and refused releases count', async (t) => {
  const entry = {
    ...{ key: 'w:1', action: 'release' as const, id: '1', domain: '1', releaseTo: '0x77', recipient: '0xa1' },
    ...{ token: '0x55', symbol: 'USDC', amount: '1', precision: 6, fee: '0', deadline: 5000, estimatedGas: null },
    ...{ fits: true, hasProof: true, src_time: 1 },
  }
  const [task] = tasksOf({ pending: [entry], deposits: [], settlements: [], hops: [] }, new Tokens([]))
  if (task === undefined) throw new Error('no task')
  const boardOf = (stage: ReturnType<Busy>, refusal?: Refusal) => {
    const refusals = new Refusals(new Map(refusal === undefined ? [] : [['release w:1', refusal]]))
    return new Board(refusals, () => stage, new Decisions(SILENT satisfies Context['log']))
  }
  const deadlineOf = (stage: ReturnType<Busy>, refusal?: Refusal) => {
    const board = boardOf(stage, refusal)
    board.isFree(task)
    return board.deadline
  }
  const refusal: Refusal = { reason: 'x', kind: 'later', count: 1, isFinal: false, isClosed: true, seconds: 1 }
  t.equal(deadlineOf('waiting'), 5000)
  t.equal(deadlineOf('mined'), null, 'it is in a block')
  t.equal(deadlineOf(null, refusal), 5000)
  t.equal(deadlineOf(null, { ...refusal, kind: 'done' }), null, 'another sender has done it')
  t.equal(deadlineOf(null), null, 'free: it counts when it is chosen')

  const left = { ...refusal, kind: 'left' as const }
  t.equal(deadlineOf(null, left), null, 'the operator’s settings leave it')
  const chosen = { go: true as const, valueUsd: 1, feeUsd: 1, gasUsd: 0 }
  const again = boardOf(null, { ...left, isClosed: false })
  again.note(task, chosen)
  t.equal(again.deadline, null, 'and when it is tried again')
  const first = boardOf(null)
  first.note(task, chosen)
  t.equal(first.deadline, 5000)

  const [one, other] = [boardOf('waiting'), boardOf(null)]
  one.isFree(task)
  other.count('loss')
  other.count('open')
  t.same(Object.fromEntries(countsOf([one, other, again])), { open: 2, loss: 1, chosen: 1 }, 'of all chains')
})
