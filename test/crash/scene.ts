// A simulated node, an indexer in this process, and a failure at a step of a commit.
import type { CommitPoint } from '../../indexer/store/writer.ts'
import { Follower, type Place } from '../simulation/follower.ts'
import { Node } from '../simulation/node.ts'
import type { Plan } from '../simulation/plan.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'

export const QUIET_PLAN: Plan = {
  ...{ lag: 8, rounds: 5, depth: 6, history: 6, startsInTheMiddle: false, free: true },
  ...{ faults: 0, crashes: 0, stops: 0 },
}

export interface Trouble {
  point: CommitPoint
  /** Ordinal of the occurrence of this step at which the failure happens, from 1. */
  ordinal: number
  /**
   * The indexer waits until the failure is in place.
   *
   * @param anomalies  counts of the indexer's errors by code, as they happen
   */
  strike(node: Node, anomalies: ReadonlyMap<string, number>): void | Promise<void>
}

/** Runs until the failure has happened and everything is indexed. @returns counts of the indexer's errors, by code */
export async function endure(
  place: Place,
  trouble: Trouble,
  options: { shipUrl?: (node: Node) => Promise<string> } = {},
): Promise<Map<string, number>> {
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  let left = trouble.ordinal
  const shipUrl = await options.shipUrl?.(node)
  const atPoint = async (point: CommitPoint) => {
    if (point === trouble.point && --left === 0) await trouble.strike(node, follower.report.anomalies)
  }
  const follower: Follower = new Follower(node, place, { free: true, atPoint, ...(shipUrl ? { shipUrl } : {}) })
  try {
    follower.start()
    await follower.catchUp()
    for (let round = 0; round < QUIET_PLAN.rounds || left > 0; round++) {
      if (round > 200) throw new Error(`${trouble.point} never came`)
      node.grow(2)
      await follower.catchUp()
      node.fork()
      node.happen()
      await follower.catchUp()
    }
    return follower.report.anomalies
  } finally {
    await follower.end()
    await node.server.stop()
  }
}
