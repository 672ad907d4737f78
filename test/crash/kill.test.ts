// An indexer in a child process is killed at every step of its work. The committed rows are always a prefix of its
// branch, and the next indexer continues from there.
import t from 'tap'
import { Node } from '../simulation/node.ts'
import { linearReplay } from '../simulation/oracle.ts'
import type { Plan } from '../simulation/plan.ts'
import { compareImages } from '../simulation/referee.ts'
import { Observer } from '../simulation/snapshot.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { until } from '../support/until.ts'
import { Child } from './child.ts'
import { POINTS } from './points.ts'

const CHAIN = 'killed'
const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const ordinals = isLong ? [1, 2, 3, 5, 8] : [2]
const plan: Plan = {
  ...{ lag: 8, rounds: 0, depth: 6, history: 6, startsInTheMiddle: false, free: true },
  ...{ faults: 0, crashes: 0, stops: 0 },
}
/** These happen once per process or per database. */
const ONCE = new Set(['at start', 'while taking the chain', 'while indexes are built'])
t.setTimeout(1_800_000)

t.test('SIGKILL at every point loses nothing and doubles nothing', async (t) => {
  const { url, pool } = await testDatabase(t)
  const node = await Node.start(plan, new Random(seedFromEnvironment()))
  const observer = await Observer.open(url, CHAIN)
  const options = { databaseUrl: url, shipUrl: node.server.url, chain: CHAIN, startBlock: node.tree.first }
  const look = async (): Promise<string | null> => {
    const visible = await observer.look()
    if (!visible.position) return null
    const { id, lib } = visible.position
    if (!node.tree.has(id)) throw new Error(`block ${id} is visible, which the node never had`)
    const path = node.tree.path(id)
    compareImages(visible.head, linearReplay(path), `at ${id}`)
    compareImages(visible.final, linearReplay(path.filter(({ block }) => block.num <= lib)), `up to ${lib}`)
    return id
  }

  const hit = new Set<string>()
  for (const ordinal of ordinals) {
    for (const point of POINTS) {
      if (point === 'while indexes are built')
        await pool.query('update meta.position set indexed = false where chain = $1', [CHAIN])
      const child = new Child({ ...options, kill: { point, ordinal: ONCE.has(point) ? 1 : ordinal } })
      t.teardown(() => child.stop('SIGKILL'))
      await until(`${point} comes a ${ordinal}. time`, async () => {
        if (child.ended !== undefined) return true
        if (child.isOpen) node.happen()
        await new Promise((resolve) => setTimeout(resolve, 20))
        return false
      })
      if (child.ended === 'SIGKILL') hit.add(point)
      const last = child.committed.at(-1)
      await t.resolves(async () => {
        const id = await look()
        if (last === undefined || id === last) return
        if (child.committed.includes(id!)) throw new Error(`what was committed after ${id} is lost`)
      }, `${point}, ${ordinal}: a prefix of the branch is left`)
    }
  }
  t.same([...hit].sort(), [...POINTS].sort(), 'every point was hit')

  const survivor = new Child(options)
  t.teardown(() => survivor.stop('SIGKILL'))
  node.grow(3)
  await until(
    'the head is committed',
    async () => survivor.ended !== undefined || (await look()) === node.chain.head.id,
  )
  await survivor.stop()
  t.equal(await look(), node.chain.head.id)
  t.same(await observer.strays(), [])
  await observer.close()
  await node.server.stop()
})
