// Every block that the simulated chain ever made, on any branch, with its decoded facts.
import type { Chain } from '../../devnet/chain/chain.ts'
import type { LogStart } from '../../devnet/ship/session.ts'
import { type BlockFacts, readFacts } from './facts.ts'

interface Node {
  parent: string | null
  facts: () => BlockFacts
}

export class BlockTree {
  private readonly nodes = new Map<string, Node>()
  /** Number of the first block that an indexer can receive. */
  readonly first: number

  /** @param logStart  start of the node's log; null when it starts with the chain */
  constructor(chain: Chain, logStart: LogStart | null) {
    this.first = logStart?.num ?? chain.firstBlock
    const add = (num: number) => this.add(chain, num, logStart)
    for (let num = this.first; num <= chain.head.num; num++) add(num)
    chain.onBlock(({ num }) => add(num))
  }

  private add(chain: Chain, num: number, logStart: LogStart | null): void {
    const stored = chain.block(num)!
    if (this.nodes.has(stored.id)) return
    const isFirst = num === this.first
    const parent = isFirst ? null : stored.prevId
    const served = logStart && isFirst ? { ...stored, deltas: logStart.deltas } : stored
    let known: BlockFacts | undefined
    const facts = () => {
      known ??= readFacts(served, parent === null ? null : this.nodes.get(parent)!.facts())
      return known
    }
    this.nodes.set(stored.id, { parent, facts })
  }

  has(id: string): boolean {
    return this.nodes.has(id)
  }

  /** Ids from the first block to this one. */
  ids(id: string): string[] {
    const ids: string[] = []
    for (let at: string | null = id; at !== null; at = this.nodes.get(at)!.parent) ids.push(at)
    return ids.reverse()
  }

  /** Blocks from the first to this one. */
  path(id: string): BlockFacts[] {
    return this.ids(id).map((each) => this.nodes.get(each)!.facts())
  }
}
