// The stream of facts over forks, with clients that break off and come back.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { required } from '../../../../core/required.ts'
import { ChainWriter } from '../../../../indexer/store/writer.ts'
import { testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { Random, seedFromEnvironment } from '../../../support/random.ts'
import { until } from '../../../support/until.ts'
import { Branches } from './branches.ts'
import { byEvents, bySocket, Copy, follow, type Message, type Open, PATH, stored } from './clients.ts'

t.test('clients that break off have every fact of the followed branch, once', async (t) => {
  const seed = seedFromEnvironment()
  t.comment(`seed ${seed}`)
  const random = new Random(seed)
  const database = await testDatabase(t)
  const { pool } = database
  const api = await testApi(t, database, { facts: { checkMs: 10, progressMs: 0 } })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const writer = await ChainWriter.open({ chain: 'wax', databaseUrl: database.url, chainId: null })
  t.teardown(() => writer.close())
  const chain = new Branches(random)
  const write = async (depth: number) => {
    const batch = writer.newBatch()
    batch.add(chain.next(depth))
    await writer.commit(batch)
  }
  await write(0)
  chain.lib = chain.head
  await write(0)
  const first = chain.head
  let end = Number.POSITIVE_INFINITY
  const wishes: [open: Open, query: string][] = [
    [bySocket(port), 'datasets='],
    [byEvents(port), 'datasets='],
    [bySocket(port), 'datasets=transfers,deals&account=bob'],
    [byEvents(port), 'pool=1'],
    [byEvents(port), 'final=true'],
    [bySocket(port), 'token=wax-eosio.token'],
  ]
  const copies = wishes.map(() => new Copy())
  const numOf = ({ cursor }: Copy) => Number(cursor.split('-')[0] || 0)
  // A copy may be at a block of a longer branch that was replaced.
  const isOnChain = ({ cursor }: Copy) => chain.headers.some(({ id }) => cursor.endsWith(id))
  const following = wishes.map(([open, query], i) => {
    const copy = required(copies[i], 'a copy')
    return follow(open, query, copy, new Random(seed + i), () => numOf(copy) >= end && isOnChain(copy))
  })
  const arrived = (copy: Copy) => copy.cursor.endsWith(chain.headers.at(-1)?.id ?? '')
  await until('the start', () => copies.every(({ cursor }) => cursor !== ''))
  for (let i = 0; i < 80; i++) {
    const depth = random.chance(0.35) ? random.integer(0, Math.min(chain.head - chain.lib, 9)) : 0
    // The new branch may be shorter than the old one.
    for (let blocks = random.integer(1, depth + 2), fork = depth; blocks > 0; blocks--, fork = 0) await write(fork)
    if (random.chance(0.2)) chain.lib = Math.max(chain.lib, chain.head - 10)
    const some = copies.slice(0, random.integer(0, 4))
    if (random.chance(0.5)) await until(`block ${chain.head}`, () => some.every(arrived))
  }
  // The next block makes all others irreversible.
  chain.lib = chain.head
  await write(0)
  chain.lib = chain.head
  await write(0)
  end = chain.lib
  await Promise.all(following)
  const [all, , bobs, pools, finals, tokens] = copies as [Copy, Copy, Copy, Copy, Copy, Copy]
  const after = `block_num > ${first} and block_num <= ${end}`
  const tables = (names: string[], also = '') =>
    stored(pool, ({ name }) => (names.includes(name) ? `${after} ${also}` : null))
  const everything = await tables(['transfers', 'swaps'])
  t.ok(everything.length > 100)
  const upTo = (copy: Copy) =>
    copy.keys().filter((key) => Number(key.split(' ')[0]) > first && Number(key.split(' ')[0]) <= end)
  for (const copy of [all, copies[1] as Copy, finals]) t.same(upTo(copy), everything)
  t.same(upTo(bobs), await tables(['transfers'], `and 'bob' in (from_account, to_account)`))
  t.same(upTo(pools), await tables(['swaps'], 'and pool_id = 1'))
  t.same(upTo(tokens), await tables(['transfers']))
  t.ok(all.undone > 20, `${all.undone} blocks were undone`)
  t.equal(finals.undone, 0, 'a final fact is never undone')
  t.ok(
    [...finals.blocks.values()].every(({ final, facts }: Message) => final && facts.every((one: Message) => one.final)),
  )
  t.ok(
    copies.every(({ breaks }) => breaks > 10),
    `${copies.map(({ breaks }) => breaks)} breaks`,
  )
  const [sample] = [...all.blocks.values()].flatMap(({ facts }) => facts)
  const { rows } = await pool.query(
    `select to_jsonb(v)::text as row from head.${sample.dataset} v where global_seq = $1 and trx_id = $2`,
    [sample.sequence, sample.transaction],
  )
  const exact = JSON.parse(rows[0].row.replace(/([:[] ?)(-?\d[\d.eE+-]*)(?=[,\]}])/g, '$1"$2"'))
  for (const name of ['chain', 'block_num', 'block_time', 'global_seq', 'trx_id']) delete exact[name]
  t.same(sample.row, exact, 'a fact has the columns of its view')

  t.test('the facts of one transaction', async (t) => {
    const got: Message[] = []
    const before = required(chain.headers[1], 'the first block')
    const start = `${before.num}-${before.id}`
    await bySocket(port)(`transaction=${sample.transaction}&cursor=${start}`, (message) => {
      got.push(message)
      return message.type !== 'block'
    })
    t.same(got.find(({ type }) => type === 'block')?.facts, [{ ...sample, final: true }])
  })

  t.test('every block and each step of finality, without facts', async (t) => {
    // Its ordinary progress never comes.
    const quiet = await testApi(t, database, { facts: { checkMs: 10, progressMs: 3_600_000 } })
    await quiet.app.listen({ port: 0, host: '127.0.0.1' })
    const address = quiet.app.server.address() as AddressInfo
    const subscribed = (query: string) => {
      const got: Message[] = []
      const following = bySocket(address.port)(`datasets=none${query}`, (message) => {
        got.push(message)
        return message.type !== 'progress' || message.lib < chain.head
      })
      return { got, following }
    }
    const { got, following } = subscribed('&progress=true')
    const plain = subscribed('')
    const final = subscribed('&progress=true&final=true')
    await until('the starts', () => [got, plain.got, final.got].every(({ length }) => length > 0))
    const reached = (block: number, lib: number) =>
      until(`block ${block}`, () => got.some((one) => one.cursor.startsWith(`${block}-`) && one.lib === lib))
    for (let blocks = 0; blocks < 3; blocks++) {
      await write(0)
      await reached(chain.head, chain.lib)
    }
    const before = got.length
    // The blocks become final without a new one.
    chain.lib = chain.head
    await pool.query('update meta.position set lib_num = block_num, updated_at = clock_timestamp()')
    await reached(chain.head, chain.lib)
    await Promise.all([following, final.following])
    t.ok(got.every(({ type }) => type === 'start' || type === 'progress'))
    t.equal(got.length, before + 1, 'nothing twice')
    t.same(
      plain.got.map(({ type }) => type),
      ['start'],
    )
    t.ok(final.got.every(({ cursor, lib }) => Number(`${cursor}`.split('-')[0]) <= Number(lib)))
  })

  t.test('blocks of chains without a stream, where they are wanted', async (t) => {
    const { head } = chain
    const subscribed = (query: string) => {
      const got: Message[] = []
      const following = bySocket(port)(`datasets=none${query}`, (message) => {
        got.push(message)
        return got.filter(({ type }) => type === 'other').length < 2 && message.cursor.startsWith(`${head}-`)
      })
      return { got, following }
    }
    const [wanted, plain] = [subscribed('&others=true'), subscribed('')]
    await until('the starts', () => [wanted, plain].every(({ got }) => got.length > 0))
    const others = () => wanted.got.filter(({ type }) => type === 'other')
    // The chain of the stream, and texts that are no names.
    for (const text of ['wax 5', '<b>', '']) await pool.query(`select pg_notify('headwater', $1)`, [text])
    for (const [i, name] of ['mainnet', 'bsc-testnet'].entries()) {
      await pool.query(`select pg_notify('headwater', $1)`, [`${name} 5`])
      await until(name, () => others().length === i + 1)
    }
    await wanted.following
    const { cursor } = required(wanted.got[0], 'the start')
    t.same(
      others(),
      ['mainnet', 'bsc-testnet'].map((name) => ({ type: 'other', cursor, chain: name, lib: chain.lib })),
    )
    // The next block ends the other one.
    await write(0)
    await plain.following
    t.notOk(plain.got.some(({ type }) => type === 'other'))
  })

  t.test('mistakes, and cursors that are not known', async (t) => {
    for (const bad of ['datasets=planets', 'cursor=7', 'account=ALICE', 'pool=x', 'token=x', 'transaction=5'])
      t.equal((await api.get(`${PATH}?${bad}`)).status, 400, bad)
    const head = await api.app.inject({ method: 'HEAD', url: PATH, headers: { host: 'wax.localhost' } })
    t.match(head, { statusCode: 200, payload: '', headers: { 'content-type': 'text/event-stream' } })
    for (const [open] of wishes.slice(0, 2)) {
      const got: Message[] = []
      await open(`datasets=&cursor=5-${'ab'.repeat(32)}`, (message) => got.push(message) < 9)
      t.match(got, [{ type: 'error', code: 'STREAM_CURSOR', cursor: null }])
    }
  })
})
