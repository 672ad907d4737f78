// Planned forks of a live chain: their times, and that no transaction is lost by them.
import t from 'tap'
import { Chain } from '../../devnet/chain/chain.ts'
import { Inbox } from '../../devnet/chain/inbox.ts'
import { ForkPlan } from '../../devnet/fork-plan.ts'
import { advance } from '../../devnet/live.ts'
import { simplePlayer } from '../../devnet/scenario.ts'
import { add, counter } from './counter.ts'

const SLOT_MS = 500
// Live chains use the wall clock: transactions expire by it.
const START = Math.floor(Date.now() / SLOT_MS) * SLOT_MS

t.test('one orphaned branch in each window, the same for the same seed', async (t) => {
  const plan = (seed: string) => new ForkPlan(seed, { everySeconds: 10, deepest: 3 })
  const lengths = new Set<number>()
  for (let window = 0; window < 200; window++) {
    const lost = Array.from({ length: 20 }, (_, i) => window * 20 + i).filter((slot) => plan('a').isLost(slot))
    const [first] = lost
    lengths.add(lost.length)
    t.same(
      lost,
      lost.map((_, i) => first! + i),
    )
    t.match(plan('a').endingAt(first! + lost.length), { first, end: first! + lost.length })
  }
  t.same([...lengths].sort(), [1, 2, 3])
  const begins = (seed: string) => Array.from({ length: 20 }, (_, window) => plan(seed).at(window * 20).first)
  t.same(begins('b'), begins('b'))
  t.not(`${begins('a')}`, `${begins('b')}`)
  t.throws(() => new ForkPlan('a', { everySeconds: 2 }), RangeError)
})

/** A chain that advances slot by slot without waiting. */
function liveChain(seed: string, forked: boolean) {
  const chain = new Chain({ chainId: '11'.repeat(32), seed, startTime: START, contracts: [counter], firstBlock: 10 })
  const inbox = new Inbox(chain)
  const player = simplePlayer((block) => void block.push([add('carol', 1n)]))
  const forks = forked ? new ForkPlan(seed, { everySeconds: 10 }) : null
  const line = { chain, player, inbox, forks }
  const seen: { num: number; id: string }[] = []
  chain.onBlock((block) => void seen.push(block))
  return { chain, inbox, seen, step: (i: number) => advance(line, START + i * SLOT_MS) }
}

/** Pushes a transaction in each slot, and checks that the node accepts it. */
async function runWithSenders(slots: number, forked: boolean) {
  const live = liveChain('s', forked)
  const { chain, inbox } = live
  const answers: Promise<unknown>[] = []
  for (let i = 1; i <= slots; i++) {
    const { packedTrx } = chain.prepare([add('alice', BigInt(i))], Math.floor(START / 1000) + 600 + i)
    answers.push(inbox.send(packedTrx))
    live.step(i)
  }
  await Promise.all(answers)
  const row = chain.tables('counter.svc').get<{ count: bigint }>('counters', 'alice', 5n)
  return { ...live, total: row?.count ?? 0n }
}

t.test('each pushed transaction is in the chain once, whichever branch becomes canonical', async (t) => {
  const slots = 200
  const { chain, seen, total, inbox } = await runWithSenders(slots, true)
  t.equal(total, BigInt((slots * (slots + 1)) / 2))
  const replaced = new Set(seen.filter(({ num, id }) => chain.idOf(num) !== id).map(({ id }) => id))
  t.ok(replaced.size >= 10, `${replaced.size} blocks were replaced`)
  const quiet = await runWithSenders(slots, false)
  t.equal(quiet.seen.length, slots, 'no block is replaced without a plan')
  t.equal(quiet.total, total)
  const now = START + slots * SLOT_MS
  const [billed, once] = [inbox, quiet.inbox].map(({ cpu }) => cpu.used('alice', now)) as [number, number]
  t.ok(once > 0 && Math.abs(billed / once - 1) < 0.02, `and is billed once: ${billed}, ${once}`)
})

t.test('forks are the same for the same seed', async (t) => {
  const heads = () => {
    const { seen, step } = liveChain('s', true)
    for (let i = 1; i <= 60; i++) step(i)
    return seen.map(({ id }) => id)
  }
  const first = heads()
  t.same(heads(), first)
  t.ok(first.length > 60, 'some numbers came more than once')
})
