// The stream of facts through breaks of connections, kills of the server and forks: nothing lost, nothing doubled, soon.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { required } from '../../../../core/required.ts'
import { ChainWriter } from '../../../../indexer/store/writer.ts'
import { childModule } from '../../../support/child-module.ts'
import { testDatabase } from '../../../support/database.ts'
import { Random, seedFromEnvironment } from '../../../support/random.ts'
import { until } from '../../../support/until.ts'
import { Branches } from './branches.ts'
import { byEvents, bySocket, Copy, follow, type Open, stored } from './clients.ts'

const isLong = Boolean(process.env.HEADWATER_TEST_LONG)
if (isLong) t.setTimeout(3_600_000)
const ROUNDS = isLong ? 1000 : 12
const BREAKS = isLong ? 1000 : 10
/** One round in so many kills the server. */
const KILL_EVERY = isLong ? 20 : 6
/** From commit to message, milliseconds. */
const MAX_MS = 50
const REFUSED_MS = 20

t.test('breaks, kills and forks: every fact of the followed branch once', async (t) => {
  const seed = seedFromEnvironment()
  t.comment(`seed ${seed}`)
  const random = new Random(seed)
  const database = await testDatabase(t)
  const writer = await ChainWriter.open({ chain: 'wax', databaseUrl: database.url, chainId: null })
  t.teardown(() => writer.close())
  const chain = new Branches(random)
  /** Time of the commit of each block by id, ms. */
  const committed = new Map<string, number>()
  /** Newest block with facts, if it is known. */
  let withFacts: { num: number; id: string } | null = null
  const write = async (depth: number) => {
    const batch = writer.newBatch()
    const block = chain.next(depth)
    batch.add(block)
    await writer.commit(batch)
    committed.set(block.id, performance.now())
    if (block.ledger.length > 1) withFacts = block
    else if (withFacts !== null && depth > 0 && withFacts.num >= block.num) withFacts = null
  }
  await write(0)
  // Without its indexes a chain is still being filled, and its market is not followed.
  await writer.buildIndexes()
  chain.lib = chain.head
  await write(0)
  const first = chain.head
  let server = await serve(database.url, 0)
  t.teardown(() => server.child.kill('SIGKILL'))
  const { port } = server

  let end = Number.POSITIVE_INFINITY
  const [socket, events] = [patient(bySocket(port)), patient(byEvents(port))]
  const wishes: [open: Open, query: string][] = [
    [socket, 'datasets='],
    [events, 'datasets='],
    [socket, 'datasets=transfers&account=bob'],
    [events, 'final=true'],
  ]
  const copies = wishes.map(() => new Copy())
  const delays: number[] = []
  const following = wishes.map(([open, query], i) => {
    const copy = required(copies[i], 'a copy')
    const numOf = () => Number(copy.cursor.split('-')[0] || 0)
    return follow(
      measured(open, query.includes('final') ? null : { copy, committed, delays }),
      query,
      copy,
      new Random(seed + i),
      // A client may be further on a replaced branch: it still has to hear of the fork.
      () => numOf() >= end && chain.has(copy.cursor),
    )
  })
  await until('the start', () => copies.every(({ cursor }) => cursor !== ''))
  let [kills, forks] = [0, 0]
  const breaks = () => Math.min(...copies.map((copy) => copy.breaks))
  for (let round = 1; round <= ROUNDS || breaks() < BREAKS; round++) {
    if (round % KILL_EVERY === 0) {
      kills++
      server.child.kill('SIGKILL')
      // Blocks and forks while no server runs.
      for (let i = random.integer(1, 4); i > 0; i--) await write(0)
      server = await serve(database.url, port)
    }
    const depth = random.chance(0.35) ? random.integer(0, Math.min(chain.head - chain.lib, 9)) : 0
    if (depth > 0) forks++
    for (let blocks = random.integer(1, depth + 2), cut = depth; blocks > 0; blocks--, cut = 0) await write(cut)
    if (random.chance(0.2)) chain.lib = Math.max(chain.lib, chain.head - 10)
    // Half of the time a client reaches the newest block with facts before the next one is written.
    const newest = withFacts as { num: number; id: string } | null
    if (newest !== null && random.chance(0.5))
      await until(`block ${newest.num}`, () => copies[0]?.blocks.get(newest.num)?.id === newest.id)
  }
  for (let i = 0; i < 2; i++) {
    chain.lib = chain.head
    await write(0)
  }
  end = chain.lib
  await Promise.all(following)

  const after = `block_num > ${first} and block_num <= ${end}`
  const tables = (names: string[], also = '') =>
    stored(database.pool, ({ name }) => (names.includes(name) ? `${after} ${also}` : null))
  const everything = await tables(['transfers', 'swaps'])
  const upTo = (copy: Copy) =>
    copy.keys().filter((key) => Number(key.split(' ')[0]) > first && Number(key.split(' ')[0]) <= end)
  const [sockets, sent, bobs, finals] = copies as [Copy, Copy, Copy, Copy]
  for (const copy of [sockets, sent, finals]) t.same(upTo(copy), everything)
  t.same(upTo(bobs), await tables(['transfers'], `and 'bob' in (from_account, to_account)`))
  t.equal(finals.undone, 0)
  t.ok(breaks() >= BREAKS && forks > 0 && kills > 0 && sockets.undone > 0)
  delays.sort((x, y) => x - y)
  const at = (share: number) => delays[Math.floor(delays.length * share)]?.toFixed(1)
  const figures = `${everything.length} facts, ${copies.map((copy) => copy.breaks)} breaks, ${kills} kills, ${forks} forks, ${sockets.undone} blocks undone;
    ${delays.length} messages: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms from commit to message`
  t.comment(figures)
  if (!isLong) return
  process.stderr.write(`${figures}\n`)
  t.ok(Number(at(0.99)) < MAX_MS, figures)
})

/** Starts the server. @param port  0: any */
async function serve(url: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const { file, execArgv } = childModule('./server.ts', import.meta.url)
  const env = { ...process.env }
  // Variables of the test runner would make the child run as a test.
  for (const name of Object.keys(env)) if (/^(TAP|_TAP|NODE_V8)/.test(name)) delete env[name]
  const child = fork(file, [url, String(port)], { execArgv, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [served] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
  ])
  return { child, port: Number(served) }
}

/** A client that tries again after a refused or broken connection. */
function patient(open: Open): Open {
  return (query, onMessage) =>
    open(query, onMessage).catch(() => new Promise((resolve) => setTimeout(resolve, REFUSED_MS)))
}

/**
 * Measures from the commit of a block to its message, on connections that were open before the commit.
 *
 * @param into  null: measures nothing
 */
function measured(
  open: Open,
  into: { copy: Copy; committed: ReadonlyMap<string, number>; delays: number[] } | null,
): Open {
  if (into === null) return open
  const { copy, committed, delays } = into
  let startedAt = Number.POSITIVE_INFINITY
  copy.onBlock = ({ id }) => {
    const now = performance.now()
    // A message may come before the writer has heard of its own commit.
    const at = committed.get(id) ?? now
    if (at > startedAt) delays.push(Math.max(0, now - at))
  }
  return (query, onMessage) => {
    startedAt = Number.POSITIVE_INFINITY
    return open(query, (message) => {
      if (message.type === 'start') startedAt = performance.now()
      return onMessage(message)
    })
  }
}
