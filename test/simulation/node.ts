// A simulated chain with its state-history server, and the events that can happen to them.
import { Chain } from '../../devnet/chain/chain.ts'
import { type ShipServer, startShip } from '../../devnet/ship/server.ts'
import type { Random } from '../support/random.ts'
import { Activity } from './activity.ts'
import { BlockTree } from './block-tree.ts'
import type { Plan } from './plan.ts'
import { StandIns } from './stand-ins.ts'

/** Shortly before New Year: minutes, hours, days, weeks, months and years soon end in the simulation. */
const START = Date.parse('2025-12-31T23:59:50Z')
/** Gaps between blocks, ms: most are one slot. */
const GAPS = [500, 500, 500, 500, 1000, 20_000, 3_600_000, 4 * 86_400_000]

export const CHAIN_ID = 'ab'.repeat(32)

export class Node {
  readonly chain: Chain
  readonly tree: BlockTree
  readonly server: ShipServer
  private readonly random: Random
  private readonly plan: Plan
  private readonly activity: Activity
  private readonly floor: number
  private lag: number | undefined
  private stalled = false
  /** Heads of abandoned branches. */
  private left: string[] = []
  /** Events so far, as text. */
  readonly story: string[] = []

  private constructor(
    chain: Chain,
    server: ShipServer,
    tree: BlockTree,
    activity: Activity,
    plan: Plan,
    random: Random,
  ) {
    this.chain = chain
    this.server = server
    this.tree = tree
    this.activity = activity
    this.plan = plan
    this.random = random
    this.floor = tree.first
  }

  static async start(plan: Plan, random: Random): Promise<Node> {
    const standIns = new StandIns()
    const irreversibility = { lag: plan.lag }
    const options = { chainId: CHAIN_ID, seed: 'simulation', startTime: START, finalizers: 1 }
    const chain = new Chain({
      ...options,
      contracts: standIns.contracts,
      get legacyLag() {
        return irreversibility.lag
      },
    })
    const activity = new Activity(random, standIns, chain)
    for (let i = 0; i < plan.history; i++) chain.produce({ transactions: activity.block() })
    // Which ABI was in force before a log that starts in the middle is unknown: its first block is empty.
    if (plan.startsInTheMiddle) chain.produce()
    const logStart = plan.startsInTheMiddle ? { num: chain.head.num, deltas: chain.fullDeltas() } : null
    const server = await startShip(chain, logStart ? { logStart } : {})
    const node = new Node(chain, server, new BlockTree(chain, logStart), activity, plan, random)
    node.setLag = (blocks) => {
      irreversibility.lag = blocks
    }
    node.lag = plan.lag
    return node
  }

  private setLag: (blocks: number) => void = () => {}

  /** Runs one random event of the chain. */
  happen(): void {
    const { random } = this
    random.pick<() => void>([
      () => this.grow(random.integer(1, 6)),
      () => this.grow(random.integer(1, 3)),
      () => this.fork(),
      () => this.fork(),
      () => this.goBack(),
      () => this.sendAgain(),
      () => this.moveFinality(),
    ])()
  }

  grow(count: number): void {
    this.story.push(`${count} blocks on ${this.chain.head.num}`)
    for (let i = 0; i < count; i++) {
      const gap = this.random.pick(GAPS)
      const certificate = this.stalled ? 'none' : 'strong'
      this.chain.produce({ transactions: this.activity.block(), time: this.chain.headTime + gap, certificate })
    }
  }

  /** Replaces an event that is not possible. */
  private growInstead(): undefined {
    this.grow(1)
  }

  /** Undoes blocks; the new branch is longer, shorter or of the same length. */
  fork(): undefined {
    const { random, plan, chain } = this
    const deepest = Math.min(plan.depth, chain.head.num - Math.max(chain.lib.num, this.floor))
    if (deepest <= 0) return this.growInstead()
    const depth = deepest > 50 ? random.integer(deepest - 50, deepest) : random.integer(1, deepest)
    this.story.push(`fork of ${depth} at ${chain.head.num}`)
    this.left.push(chain.head.id)
    chain.fork(depth)
    const length = depth > 50 ? random.integer(1, 40) : random.integer(1, depth + 3)
    this.grow(length)
  }

  /** Switches back to an abandoned branch. */
  private goBack(): undefined {
    const { chain, left } = this
    const id = this.random.pick(left)
    const head = chain.head.id
    if (id === undefined || chain.block(blockNumOf(id))?.id === id) return this.growInstead()
    try {
      chain.switchTo(id)
    } catch {
      return this.growInstead() // too old: it forks below the last irreversible block
    }
    this.story.push(`back to ${chain.head.num}`)
    left.push(head)
  }

  /** Sends the same blocks again, as after a switch that ends on the branch where it began. */
  private sendAgain(): undefined {
    const { chain, random } = this
    const { num, id } = chain.head
    const depth = Math.min(random.integer(1, 4), num - Math.max(chain.lib.num, this.floor))
    if (depth <= 0) return this.growInstead()
    this.story.push(`the last ${depth} of ${num} again`)
    chain.fork(depth)
    chain.switchTo(id)
  }

  /** Irreversibility stalls, or catches up. */
  private moveFinality(): void {
    const { lag, random } = this
    this.stalled = !this.stalled
    if (lag !== undefined) this.setLag(this.stalled ? 10_000 : random.pick([1, lag]))
    this.story.push(this.stalled ? 'finality stalls' : 'finality goes on')
    this.grow(1)
  }

  /** Arms a fault of the server for one of the next blocks. */
  misbehave(): void {
    const { faults } = this.server
    const kind = this.random.pick([
      ...([
        'gap',
        'empty',
        'duplicate',
        'wrongPrev',
        'truncated',
        'lyingLength',
        'silence',
        'disconnect',
        'cut',
      ] as const),
    ])
    const num = this.chain.head.num + this.random.integer(0, 3)
    if (kind === 'wrongPrev' && num <= this.tree.first) return
    this.story.push(`${kind} at ${num}`)
    faults[kind].add(num)
  }
}

function blockNumOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}
