// The stream of facts over forks, with clients that break off and come back.
import { get as httpGet } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import t from 'tap'
import { WebSocket } from 'ws'
import { DATASETS } from '../../../api/explore/facts.ts'
import { required } from '../../../core/required.ts'
import type { LedgerRow, ProjectedBlock } from '../../../indexer/store/rows.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { until } from '../../support/until.ts'

const PATH = '/api/v3/stream/facts'

// biome-ignore lint/suspicious/noExplicitAny: messages have every shape.
type Message = any

/** Opens one connection and hands on its messages, until `onMessage` says that it is enough, or the server ends it. */
type Open = (query: string, onMessage: (message: Message) => boolean) => Promise<void>

const bySocket =
  (port: number): Open =>
  (query, onMessage) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}?${query}`)
      socket.on('message', (data) => {
        if (!onMessage(JSON.parse(String(data)))) socket.terminate()
      })
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })

const byEvents =
  (port: number): Open =>
  (query, onMessage) =>
    new Promise((resolve, reject) => {
      const [, cursor] = /cursor=([^&]+)/.exec(query) ?? []
      // The cursor of a browser that connects again.
      const headers = cursor === undefined ? {} : { 'last-event-id': cursor }
      const request = httpGet(
        `http://127.0.0.1:${port}${PATH}?${query.replace(/&?cursor=[^&]+/, '')}`,
        { headers },
        (answer) => {
          let text = ''
          answer.on('data', (part) => {
            text += part
            for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
              const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
              text = text.slice(end + 2)
              if (data !== undefined && !onMessage(JSON.parse(data))) return void request.destroy()
            }
          })
          answer.on('close', () => resolve())
        },
      )
      request.on('error', (error) => (request.destroyed ? resolve() : reject(error)))
    })

/** What a client keeps: the facts of each block that it has, and its cursor. */
class Copy {
  readonly blocks = new Map<number, { id: string; facts: Message[] }>()
  cursor = ''
  lib = 0
  undone = 0
  breaks = 0

  apply(message: Message): void {
    if (message.type === 'undo') {
      for (const num of this.blocks.keys()) if (num > message.block) this.blocks.delete(num)
      this.undone += message.undone.length
    } else if (message.type === 'block') {
      if (this.blocks.has(message.block)) throw new Error(`block ${message.block} came twice`)
      this.blocks.set(message.block, message)
    } else if (message.type === 'error') throw new Error(message.message)
    this.cursor = message.cursor
    this.lib = message.lib
  }

  keys(): string[] {
    return [...this.blocks.values()]
      .flatMap(({ facts }) => facts.map((one) => `${one.block} ${one.sequence} ${one.dataset}`))
      .sort()
  }
}

/** Keys of all facts with a condition, as the tables have them. */
async function stored(pool: Pool, condition: (dataset: (typeof DATASETS)[number]) => string | null): Promise<string[]> {
  const parts = DATASETS.flatMap((dataset) => {
    const found = condition(dataset)
    return found === null
      ? []
      : [
          `select block_num || ' ' || global_seq || ' ${dataset.name}' as key from ledger.${dataset.name} where ${found}`,
        ]
  })
  const { rows } = await pool.query(parts.join(' union all '))
  return rows.map(({ key }) => key).sort()
}

/** Blocks of a chain with transfers and swaps. A fork replaces the last blocks. */
class Branches {
  private readonly random: Random
  private branch = 0
  private sequence = 0n
  readonly headers = [{ num: 1, id: '00'.repeat(32), time: Date.parse('2026-01-01T00:00:00.000Z') }]
  lib = 1

  constructor(random: Random) {
    this.random = random
  }

  get head(): number {
    return this.last.num
  }

  private get last() {
    return required(this.headers.at(-1), 'a block')
  }

  /** @param depth  number of blocks that the fork removes first */
  next(depth: number): ProjectedBlock {
    if (depth > 0) this.branch++
    this.headers.splice(this.headers.length - depth)
    const { num: before, id: prevId, time: then } = this.last
    const [num, time] = [before + 1, then + 500]
    const id = num.toString(16).padStart(8, '0') + this.branch.toString(16).padStart(56, '0')
    const header = { chain: 'wax', blockNum: num, blockId: id, prevId, blockTime: time, producer: 'prod' }
    const ledger: LedgerRow[] = [{ table: 'blocks', row: header }]
    for (let facts = this.random.integer(0, 4); facts > 0; facts--) ledger.push(this.fact(num, time))
    this.headers.push({ num, id, time })
    return { num, id, prevId, time, producer: 'prod', lib: this.lib, head: num, ledger, state: [], candles: [] }
  }

  private fact(blockNum: number, blockTime: number): LedgerRow {
    const globalSeq = ++this.sequence
    const at = { chain: 'wax', blockNum, blockTime, globalSeq, trxId: globalSeq.toString(16).padStart(64, '0') }
    const names = ['alice', 'bob', 'carol']
    const name = () => names[this.random.integer(0, 2)] ?? ''
    if (this.random.chance(0.5)) {
      const token = { contract: 'eosio.token', symbol: 'WAX', decimals: 8 }
      const row = { ...token, fromAccount: name(), toAccount: name(), amount: globalSeq, memo: `${this.branch}` }
      return { table: 'transfers', at, row }
    }
    const amounts = { amountA: 5n, amountB: -5n, decimalsA: 4, decimalsB: 8, reserveA: 9n, reserveB: 9n, usd: null }
    const price = { sqrtPriceX64: 1n << 64n, liquidity: 5n, tick: 0 }
    const poolId = BigInt(this.random.integer(0, 2))
    return { table: 'swaps', at, row: { poolId, sender: name(), recipient: name(), ...amounts, ...price } }
  }
}

/** Follows the stream, breaking off after a few messages, until `isDone`. */
async function follow(open: Open, query: string, copy: Copy, random: Random, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    let left = random.integer(0, 8)
    copy.breaks++
    await open(`${query}${copy.cursor === '' ? '' : `&cursor=${copy.cursor}`}`, (message) => {
      copy.apply(message)
      return left-- > 0 && !isDone()
    })
  }
}

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
  ]
  const copies = wishes.map(() => new Copy())
  const numOf = ({ cursor }: Copy) => Number(cursor.split('-')[0] || 0)
  const following = wishes.map(([open, query], i) => {
    const copy = required(copies[i], 'a copy')
    return follow(open, query, copy, new Random(seed + i), () => numOf(copy) >= end)
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
  const [all, , bobs, pools, finals] = copies as [Copy, Copy, Copy, Copy, Copy]
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

  t.test('mistakes, and cursors that are not known', async (t) => {
    for (const bad of ['datasets=planets', 'cursor=7', 'account=ALICE', 'pool=x'])
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
