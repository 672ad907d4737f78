// Cursors, shared reads and connections of the stream of facts, without a database.
import type { Pool } from 'pg'
import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import type { Place } from '../../../api/explore/stream/cursor.ts'
import { FactFeed } from '../../../api/explore/stream/fact-feed.ts'
import { FactStreams } from '../../../api/explore/stream/fact-streams.ts'
import { ANCESTRY, POSITION } from '../../../api/explore/stream/sql.ts'
import { readStep, type Step, UnknownCursor } from '../../../api/explore/stream/step.ts'
import { SILENT } from '../../../api/http/log.ts'
import { Turns } from '../../../api/kit/turns.ts'
import { OtherChains } from '../../../api/live-market/other-chains.ts'

const HEAD = { num: 5000, id: 'ab'.repeat(32), lib: 4990 }

/** A pool of a chain at `HEAD` that knows no block of a client. */
function poolOf(head: typeof HEAD | null): Pool {
  const query = async (asked: string | { text: string; values: unknown[] }) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: [] } : asked
    if (text === POSITION) return { rows: head === null ? [] : [head] }
    if (text === ANCESTRY) return { rows: [{ num: values[1], id: String(values[2]), stands: false }] }
    return { rows: [] }
  }
  return { connect: async () => ({ query, release() {} }) } as unknown as Pool
}

t.test('a step is shared only by subscribers with the same number and id', async (t) => {
  const reads: (Place | null)[] = []
  const read = async (from: Place | null): Promise<Step> => {
    reads.push(from)
    return { undone: [], shared: from ?? HEAD, blocks: [], lib: HEAD.lib }
  }
  const feed = new FactFeed({ read, listen: () => () => {} }, 60_000)
  t.teardown(() => feed.close())
  const { id } = HEAD
  const forged = feed.read({ num: 9_999_999_999, id }, false)
  const honest = feed.read({ num: HEAD.num, id }, false)
  t.equal((await forged)?.shared.num, 9_999_999_999)
  t.equal((await honest)?.shared.num, HEAD.num)
  t.equal(feed.read({ num: HEAD.num, id }, false), honest)
  t.not(feed.read({ num: HEAD.num, id }, true), honest, 'final facts are another read')
  t.equal(reads.length, 3)
})

t.test('a cursor far above the head is of another chain', async (t) => {
  const id = 'cd'.repeat(32)
  const step = (num: number) => readStep(poolOf(HEAD), 'wax', { num, id }, false)
  const near = await step(HEAD.num + 1000)
  t.match(near, { shared: { num: HEAD.num + 1000, id }, blocks: [], undone: [] }, 'from a server that is ahead')
  for (const num of [HEAD.num + 1001, 9_999_999_999]) t.ok((await step(num).catch((e) => e)) instanceof UnknownCursor)
})

t.test('connections are limited in all and by address', async (t) => {
  const streams = new FactStreams(SILENT, { connections: 3, connectionsPerAddress: 2, checkMs: 5 })
  t.teardown(() => streams.close())
  // Timers of the stream do not keep a process alive; in a server its sockets do.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  const market = { state: null, listenToAnnouncements: () => () => {} }
  const others = new OtherChains()
  const context = { chain: 'wax', pool: poolOf(null), market, others } as unknown as ChainContext
  const wanted = {
    datasets: [],
    account: null,
    pool: null,
    token: null,
    transaction: null,
    final: false,
    everyBlock: false,
    others: false,
    from: null,
  }
  const gone = new AbortController()
  const sink = { send: async () => {} }
  const open = (address: string) => streams.serve(context, wanted, { sink, gone: gone.signal, address })
  const served = [open('10.0.0.1')]
  t.equal(streams.refuses('10.0.0.1'), null)
  served.push(open('10.0.0.1'))
  t.equal(streams.refuses('10.0.0.1'), 'address')
  t.equal(streams.refuses('10.0.0.2'), null)
  served.push(open('10.0.0.2'))
  t.equal(streams.refuses('10.0.0.2'), 'all')
  gone.abort()
  await Promise.all(served)
  t.equal(streams.refuses('10.0.0.1'), null, 'closed connections do not count')
})

t.test('turns: few at a time, urgent work first, and the others never starve', async (t) => {
  const turns = new Turns(2)
  let running = 0
  const order: string[] = []
  const work = (name: string, isUrgent: boolean) =>
    turns.run(async () => {
      t.ok(++running <= 2)
      order.push(name)
      await null
      running--
    }, isUrgent)
  const all = [work('first', false), work('second', false), work('slow', false)]
  for (let i = 0; i < 8; i++) all.push(work(`urgent ${i}`, true))
  t.equal(turns.waiting, 9)
  await Promise.all(all)
  t.equal(order.length, 11)
  t.ok(order.indexOf('slow') > 2 && order.indexOf('slow') < 8, order.join())
  await t.rejects(
    turns.run(async () => {
      throw new Error('failed')
    }),
  )
  t.equal(await turns.run(async () => 5), 5, 'a failure gives its turn back')
})
