// Compares the visible rows with the linear replay of the branch that the position names. Called after every commit,
// while the indexer waits.
import type { BlockTree } from './block-tree.ts'
import type { GatedSource } from './gated-source.ts'
import { type Image, linearReplay } from './oracle.ts'
import type { Observer, Visible } from './snapshot.ts'

export class Referee {
  private readonly tree: BlockTree
  private readonly source: GatedSource
  private readonly observer: Observer
  /** Index in the journal of the block committed last. */
  private place = -1
  private tip: string | null = null
  private lib = 0
  private readonly orphaned = new Set<string>()
  commits = 0

  constructor(tree: BlockTree, source: GatedSource, observer: Observer) {
    this.tree = tree
    this.source = source
    this.observer = observer
  }

  /** Id of the block committed last. */
  get committed(): string | null {
    return this.tip
  }

  /** @throws unless the visible rows equal the replay of a prefix of the followed branch */
  async afterCommit(): Promise<void> {
    this.commits++
    const visible = await this.observer.look()
    const { position } = visible
    if (!position) throw new Error('after a commit nothing is visible')
    this.follow(position.num, position.id)
    if (position.lib !== this.lib)
      throw new Error(`block ${position.num}: irreversible up to ${position.lib}, not ${this.lib}`)
    this.compare(visible)
  }

  /** During a commit another reader must still see the state from before it. */
  async unchanged(): Promise<void> {
    const visible = await this.observer.look()
    const id = visible.position?.id ?? null
    if (id !== this.tip) throw new Error(`${id} is visible, ${this.tip} was committed`)
    if (id !== null) this.compare(visible)
  }

  /** After a crash around a commit, the state before or after it may be visible. */
  async afterCrash(): Promise<void> {
    const visible = await this.observer.look()
    if ((visible.position?.id ?? null) === this.tip) await this.unchanged()
    else await this.afterCommit()
  }

  private follow(num: number, id: string): void {
    const { journal } = this.source
    const place = journal.findIndex((told, index) => index > this.place && told.id === id)
    if (place < 0) throw new Error(`block ${num} ${id} is visible, but was not the next to come`)
    const highest = journal.slice(0, place + 1).reduce((lib, told) => Math.max(lib, told.lib), 0)
    this.lib = Math.max(this.lib, Math.min(highest, num))
    const now = new Set(this.tree.ids(id))
    if (this.tip !== null) for (const before of this.tree.ids(this.tip)) if (!now.has(before)) this.orphaned.add(before)
    this.place = place
    this.tip = id
  }

  private compare(visible: Visible): void {
    const { num, lib } = visible.position!
    const path = this.tree.path(this.tip!)
    compareImages(visible.head, linearReplay(path), `at block ${num}`)
    const final = path.filter(({ block }) => block.num <= lib)
    compareImages(visible.final, linearReplay(final), `up to irreversible block ${lib}, at block ${num}`)
    sameLines(visible.orphaned, [...this.orphaned].sort(), `orphaned blocks at block ${num}`)
  }
}

/** @throws with the first table that differs */
export function compareImages(found: Image, expected: Image, where: string): void {
  for (const [table, lines] of expected) sameLines(found.get(table)!, lines, `${table} ${where}`)
}

function sameLines(found: readonly string[], expected: readonly string[], where: string): void {
  if (found.length === expected.length && found.every((line, index) => line === expected[index])) return
  const missing = difference(expected, found)
  const surplus = difference(found, expected)
  const show = (lines: string[]) => lines.slice(0, 3).join('\n    ') || 'none'
  throw new Error(
    `${where}: ${missing.length} rows missing, ${surplus.length} too many\n  missing:\n    ${show(missing)}\n  too many:\n    ${show(surplus)}`,
  )
}

/** Multiset difference of two sorted lists. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1)
  return one.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
