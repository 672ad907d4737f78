// When answers are cached and shared, on a market and a database that are only numbers: the database may be ahead.
import fastify from 'fastify'
import t, { type Test } from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import { keepFresh, mark } from '../../../api/http/freshness.ts'
import { cachedAnswer } from '../../../api/kit/answer-cache.ts'
import { Branch } from '../../../api/live-market/branch.ts'
import type { BlockMark } from '../../../api/live-market/model.ts'

const HOUR = 3_600_000

/** Blocks of half a second. */
const block = (num: number, branch = 'a', time = num * 500): BlockMark => ({
  block: num,
  id: `${branch}${num}`.padStart(64, '0'),
  time,
})

/** A market at block 10, a database at block 10, data that changed at block 5. Answers say which one they are. */
function scene(t: Test) {
  const branch = new Branch()
  branch.restart(block(10))
  const state = { at: block(10) }
  const world = { database: block(10), since: block(5), made: 0, make: async () => {} }
  const market = { state, hasPassed: (at: BlockMark) => branch.has(at) }
  const app = fastify()
  keepFresh(app)
  app.decorateRequest('chain')
  app.decorateRequest('chainPrefix', '')
  app.addHook('onRequest', async (request) => {
    request.chain = context
  })
  const context = { chain: 'wax', market } as unknown as ChainContext
  const stretch = (time: number) => time - (time % HOUR)
  app.get('/answer', (request, reply) =>
    cachedAnswer(request, reply, { since: () => world.since, stretch }, async () => {
      const at = world.database
      const number = ++world.made
      await world.make()
      mark(request, reply, at)
      request.taggedByContent = true
      return Buffer.from(`{"answer":${number}}`)
    }),
  )
  t.teardown(() => app.close())
  return {
    world,
    /** The market takes a step over blocks that follow block `after`. */
    step(after: number, blocks: readonly BlockMark[]) {
      branch.add(after, blocks)
      state.at = blocks.at(-1) ?? state.at
    },
    async get() {
      const { body, headers, statusCode } = await app.inject({ url: '/answer', headers: { host: 'wax.localhost' } })
      return statusCode === 200 ? `${JSON.parse(body).answer} at ${headers['x-block-num']}` : statusCode
    },
  }
}

t.test('an answer of a block ahead of the market is cached when the market has passed it', async (t) => {
  const { world, step, get } = scene(t)
  world.database = block(11)
  t.equal(await get(), '1 at 11')
  t.equal(await get(), '2 at 11', 'the market may learn of a change in block 11')
  step(10, [block(11), block(12)])
  world.database = block(14)
  t.same([await get(), await get()], ['2 at 12', '2 at 12'])
})

t.test(
  'it is not, when a later block changed the data, or the block is on another branch, or time has passed',
  async (t) => {
    await t.test('changed in that block: the answer has the change', async (t) => {
      const { world, step, get } = scene(t)
      world.database = block(11)
      await get()
      world.since = block(11)
      step(10, [block(11), block(12)])
      t.equal(await get(), '1 at 12')
    })
    await t.test('changed later', async (t) => {
      const { world, step, get } = scene(t)
      world.database = block(11)
      await get()
      world.since = block(12)
      step(10, [block(11), block(12)])
      world.database = block(12)
      t.same([await get(), await get()], ['2 at 12', '2 at 12'])
    })
    await t.test('another branch', async (t) => {
      const { world, step, get } = scene(t)
      world.database = block(11)
      await get()
      step(10, [block(11, 'b'), block(12, 'b')])
      world.database = block(12, 'b')
      t.equal(await get(), '2 at 12')
    })
    await t.test('time', async (t) => {
      const { world, step, get } = scene(t)
      world.database = block(11)
      await get()
      const later = block(12, 'a', 11 * 500 + HOUR)
      step(10, [block(11), later])
      world.database = later
      t.same([await get(), await get()], ['2 at 12', '2 at 12'])
      step(12, [block(13, 'a', later.time + HOUR)])
      t.not(await get(), '2 at 13')
    })
  },
)

t.test('an answer that the market passed while it was made is cached', async (t) => {
  const { world, step, get } = scene(t)
  world.make = async () => {
    step(10, [block(11)])
    world.make = async () => {}
  }
  t.equal(await get(), '1 at 10')
  t.equal(await get(), '1 at 11')
})

t.test('requests that come while the answer is made share it, but not a failure', async (t) => {
  const { world, get } = scene(t)
  t.same(await Promise.all([get(), get(), get()]), ['1 at 10', '1 at 10', '1 at 10'])
  world.since = block(6)
  world.make = async () => {
    world.make = async () => {}
    throw new Error('no connection')
  }
  const [first, ...others] = await Promise.all([get(), get()])
  t.equal(first, 500)
  t.match(others[0], / at 10$/)
})

t.test('a request gets no answer older than the market was when it came', async (t) => {
  const { world, step, get } = scene(t)
  let release = () => {}
  world.make = () => new Promise<void>((resolve) => (release = resolve))
  const first = get()
  while (world.made === 0) await new Promise(setImmediate)
  world.make = async () => {}
  world.since = block(11)
  step(10, [block(11)])
  world.database = block(11)
  const second = get()
  release()
  t.same(await Promise.all([first, second]), ['1 at 10', '2 at 11'])
})
