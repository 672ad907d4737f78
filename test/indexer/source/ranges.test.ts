import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import { itemAt } from '../../../core/required.ts'
import { type PackedSource, type ParallelOptions, parallelBlocks, splitRange } from '../../../indexer/source/ranges.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { PackedBlock, StartPosition } from '../../../indexer/source/source.ts'
import { ShipServer } from '../../support/ship-server.ts'
import { branchOf, GENESIS } from '../../support/synthetic-chain.ts'

const never = new AbortController().signal
const chain = branchOf(GENESIS, 200, 'main', 1000)

/** A source over blocks in memory that counts the yielded blocks. */
class ArraySource implements PackedSource {
  readonly name = 'array'
  given = 0
  ended = 0
  readonly #blocks: PackedBlock[]

  constructor(blocks: PackedBlock[]) {
    this.#blocks = blocks
  }

  async *blocks({ from, to = 0 }: StartPosition, signal: AbortSignal): AsyncGenerator<PackedBlock> {
    try {
      for (const block of this.#blocks) {
        if (block.num < from || block.num > to) continue
        await turn()
        if (signal.aborted) return
        this.given++
        yield block
      }
    } finally {
      this.ended++
    }
  }
}

async function all(sources: PackedSource[], size: number, options?: ParallelOptions): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  const ranges = splitRange({ from: 2, to: 201 }, size)
  for await (const block of parallelBlocks(sources, ranges, never, options)) blocks.push(block)
  return blocks
}

async function seamOf(promise: Promise<unknown>): Promise<RetryableError> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof RetryableError) || error.code !== 'RANGE_SEAM') throw new Error(`no seam but ${error}`)
  return error
}

t.test('a range is divided into consecutive parts that cover it', async (t) => {
  t.same(splitRange({ from: 2, to: 11 }, 4), [
    { from: 2, to: 5 },
    { from: 6, to: 9 },
    { from: 10, to: 11 },
  ])
  t.same(splitRange({ from: 5, to: 4 }, 4), [])
})

t.test('several sessions yield the same stream as one', async (t) => {
  for (const [sessions, size] of [
    [1, 500],
    [3, 7],
    [4, 50],
    [5, 200],
  ] as const) {
    const sources = Array.from({ length: sessions }, () => new ArraySource(chain))
    t.same(
      (await all(sources, size)).map((block) => block.id),
      chain.map((block) => block.id),
      `${sessions} sessions of ${size}`,
    )
    t.ok(
      sources.every((source, index) => index * size >= 200 || source.given > 0),
      'every session has worked',
    )
  }
})

t.test('sessions read ahead in parallel, within their byte limit', async (t) => {
  const sources = Array.from({ length: 4 }, () => new ArraySource(chain))
  const stream = parallelBlocks(sources, splitRange({ from: 2, to: 201 }, 50), never, { maxBytes: 40_000 })
  await stream.next()
  for (let count = 0; count < 200; count++) await turn()
  const perBlock = 1000 + itemAt(chain, 0).block.length + 8
  for (const { given } of sources) {
    t.ok(given >= 9 && given <= Math.ceil(10_000 / perBlock) + 1, `${given} blocks ahead`)
  }
  await stream.return(undefined)
  await turn()
  await turn()
  t.ok(
    sources.every((source) => source.ended === 1),
    'sessions end with the stream',
  )
})

t.test('ranges of different chains are not joined', async (t) => {
  const other = branchOf(itemAt(chain, 98), 101, 'other')
  const wrong = new ArraySource([...chain.slice(0, 99), ...other])
  const error = await seamOf(all([new ArraySource(chain), wrong], 100))
  t.match(error.message, /block 102 does not continue/)
})

t.test('a session that ends early is an error, not a gap', async (t) => {
  const short = new ArraySource(chain.slice(0, 80))
  t.match((await seamOf(all([short, new ArraySource(chain)], 100))).message, /block 82 is missing/)
})

t.test('the first range must continue after the stored block', async (t) => {
  const have = [{ num: 1, id: 'bb'.repeat(32) }]
  t.match((await seamOf(all([new ArraySource(chain)], 100, { have }))).message, /block 2 does not continue/)
  t.equal((await all([new ArraySource(chain)], 100, { have: [GENESIS] })).length, 200)
})

t.test('the error of a session reaches the consumer at its range', async (t) => {
  const failing: PackedSource = {
    name: 'failing',
    // biome-ignore lint/correctness/useYield: it fails before its first block
    async *blocks() {
      throw new RetryableError('TEST_FAILURE', 'on purpose')
    },
  }
  let count = 0
  const ranges = splitRange({ from: 2, to: 201 }, 100)
  const run = async () => {
    for await (const _ of parallelBlocks([new ArraySource(chain), failing], ranges, never)) count++
  }
  await t.rejects(run(), { code: 'TEST_FAILURE' })
  t.equal(count, 100)
})

t.test('sessions to a node read disjoint ranges at once', async (t) => {
  const server = await ShipServer.start({
    blocks: ({ start, end }) => chain.filter((block) => block.num >= start && block.num < end),
  })
  t.teardown(() => server.stop())
  const sources = Array.from({ length: 3 }, () => new ShipSource({ urls: [server.url] }))
  t.same(
    (await all(sources, 40)).map((block) => block.id),
    chain.map((block) => block.id),
  )
  t.equal(server.requests.length, 5)
})
