// One seed: a node whose chain grows, forks and fails; an indexer that follows it over the real protocol and is stopped
// and killed; a referee that checks the database after every commit.
import type { CommitPoint } from '../../indexer/store/writer.ts'
import { Random } from '../support/random.ts'
import { Follower, Killed, type Place } from './follower.ts'
import { Node } from './node.ts'
import { makePlan, type Plan } from './plan.ts'
import type { Report } from './report.ts'

/** Probability that another reader checks during a commit. */
const GLANCE = 0.04
/** Limit, because each crash costs a restart. */
const MAX_CRASHES = 6

/** @throws with the events of the seed when a check failed */
export async function simulate(seed: number, place: Place): Promise<Report> {
  const random = new Random(seed)
  const plan = makePlan(seed, random)
  const node = await Node.start(plan, random)
  // A separate generator for decisions that depend on the indexer's progress.
  const dice = new Random(random.integer(0, 0xffffffff))
  const atPoint = async (point: CommitPoint): Promise<void> => {
    if (follower.report.restarts < MAX_CRASHES && dice.chance(plan.crashes)) {
      follower.report.restarts++
      node.story.push(`killed at ${point}`)
      throw new Killed('KILLED', `killed at ${point}`)
    }
    if (point !== 'committed' && dice.chance(GLANCE)) await follower.judge(() => follower.referee.unchanged())
  }
  const follower: Follower = new Follower(node, place, { free: plan.free, atPoint })
  try {
    await live(node, follower, plan, random)
    const strays = await place.observer.strays()
    if (strays.length > 0) throw new Error(`there are rows in ${strays.join(', ')}`)
    return { ...follower.report, seeds: 1, commits: follower.referee.commits }
  } catch (error) {
    const story = [`seed ${seed}: ${JSON.stringify(plan)}`, ...node.story].join('\n  ')
    throw new Error(`${(error as Error).message}\n${story}`, { cause: error })
  } finally {
    await follower.end()
    await node.server.stop()
  }
}

async function live(node: Node, follower: Follower, plan: Plan, random: Random): Promise<void> {
  follower.start()
  if (plan.depth > 100) await follower.catchUp()
  for (let round = 0; round < plan.rounds; round++) {
    if (random.chance(plan.faults)) node.misbehave()
    if (random.chance(plan.stops)) {
      node.story.push('stopped')
      await follower.end()
      for (let i = random.integer(1, 3); i > 0; i--) node.happen()
      follower.start()
    }
    if (plan.depth > 100) node.fork()
    for (let i = random.integer(1, 3); i > 0; i--) node.happen()
    if (random.chance(0.8)) await follower.catchUp()
  }
  node.grow(1)
  await follower.catchUp()
}
