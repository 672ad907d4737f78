import t from 'tap'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { NodeModel } from '../../support/node-model.ts'
import { Random } from '../../support/random.ts'
import { ShipServer } from '../../support/ship-server.ts'
import { GENESIS } from '../../support/synthetic-chain.ts'

t.setTimeout(14_400_000)
const fixed = process.env.HEADWATER_SEED
const seeds = fixed
  ? [Number(fixed)]
  : Array.from({ length: process.env.HEADWATER_TEST_LONG ? 3000 : 120 }, (_, index) => index + 1)

/** A naive consumer: the id at each number; throws when a block does not link. */
class Held {
  readonly ids = new Map<number, string>([[GENESIS.num, GENESIS.id]])
  #tip = GENESIS.num
  #lib = GENESIS.num

  add({ num, id, prevId, lib }: PackedBlock): void {
    if (this.ids.get(num - 1) !== prevId) throw new Error(`block ${num} has no parent`)
    if (this.ids.get(num) === id) throw new Error(`block ${num} comes twice`)
    if (num <= this.#lib) throw new Error(`block ${num} replaces an irreversible one`)
    for (let above = num; above <= this.#tip; above++) this.ids.delete(above)
    this.ids.set(num, id)
    this.#tip = num
    this.#lib = Math.max(this.#lib, Math.min(lib.num, num))
  }
}

/** Follows a node of this seed to its end. @returns the events on the way */
async function follow(seed: number): Promise<{ forks: number; faults: number; reconnects: number }> {
  const random = new Random(seed)
  const model = new NodeModel(random, random.integer(20, 80), random.chance(0.8))
  const version = random.chance(0.5) ? 0 : 1
  const server = await ShipServer.start({ version, blocks: (request) => model.answer(request) })
  const source = new ShipSource({
    urls: [server.url],
    backoffMs: [1, 4],
    maxQueueBytes: 500,
    maxCredits: 5,
    silenceMs: 500,
  })
  const held = new Held()
  let forks = 0
  let tip = GENESIS.num
  try {
    for await (const block of source.blocks({ from: 2, have: [GENESIS] }, AbortSignal.timeout(240_000))) {
      held.add(block)
      if (block.num <= tip) forks++
      tip = block.num
      if (tip === model.lastNum) break
    }
    for (const { num, id } of model.chain) {
      if (held.ids.get(num) !== id) throw new Error(`block ${num} is not the node's`)
    }
    if (held.ids.size !== model.chain.length + 1) throw new Error('blocks of a losing branch are left')
    if (server.mostCredits > 5) throw new Error(`${server.mostCredits} credits`)
    return { forks, faults: model.faults, reconnects: source.stats.reconnects }
  } finally {
    await server.stop()
  }
}

t.test(
  'over random forks, faults and disconnects the consumer always has one linked chain, in the end the node’s',
  async (t) => {
    const met = { forks: 0, faults: 0, reconnects: 0 }
    for (const seed of seeds) {
      try {
        const { forks, faults, reconnects } = await follow(seed)
        met.forks += forks
        met.faults += faults
        met.reconnects += reconnects
      } catch (error) {
        t.fail(`HEADWATER_SEED=${seed} npm test -- test/indexer/source/ship-fuzz.test.ts: ${(error as Error).message}`)
        return
      }
    }
    t.comment(`${seeds.length} seeds: ${JSON.stringify(met)}`)
    if (!fixed) t.ok(met.forks > seeds.length && met.faults > seeds.length / 2 && met.reconnects > seeds.length / 4)
  },
)
