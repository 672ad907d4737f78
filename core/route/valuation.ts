// Values of divisions for one request. Paths that share no venue do not change each other's output, so a division is
// valued by groups of paths that meet, and values are kept.
import { type Path, samePath, sharesEdge } from './path.ts'

/** Value of some paths executed in their order: more is better; −∞ when they cannot be executed. */
export type Execute = (paths: readonly Path[], amounts: readonly number[]) => number

export class Valuation {
  private readonly execute: Execute
  private readonly keepsGroups: boolean
  private readonly paths: Path[] = []
  /** By two paths: whether they share a venue. */
  private readonly meetings: boolean[][] = []
  /** Values of single paths by amount, of several by paths and amounts. */
  private readonly alone: Map<number, number>[] = []
  private readonly together = new Map<string, number>()

  /** @param keepsGroups  whether values of several paths are kept: not worth it when they are computed in doubles */
  constructor(execute: Execute, keepsGroups: boolean) {
    this.execute = execute
    this.keepsGroups = keepsGroups
  }

  /** Number of a path, by which it is valued. */
  numberOf(path: Path): number {
    const known = this.paths.findIndex((other) => samePath(other, path))
    if (known >= 0) return known
    const meets = this.paths.map((other) => sharesEdge(other, path))
    for (const [i, row] of this.meetings.entries()) row.push(meets[i] as boolean)
    this.meetings.push([...meets, true])
    this.alone.push(new Map())
    return this.paths.push(path) - 1
  }

  /** Whether two paths share a venue. */
  meets(one: number, other: number): boolean {
    return (this.meetings[one] as boolean[])[other] as boolean
  }

  /** @param amounts  whole units, for each of the paths; a path without an amount is not executed */
  of(paths: readonly number[], amounts: readonly number[]): number {
    let sum = 0
    // Bits of the places that are not valued yet, and of those of a group.
    let left = 0
    for (let i = 0; i < paths.length; i++) if ((amounts[i] as number) > 0) left |= 1 << i
    while (left !== 0) {
      let group = left & -left
      left ^= group
      for (let added = group; added !== 0 && left !== 0; ) {
        const row = this.meetings[paths[31 - Math.clz32(added & -added)] as number] as boolean[]
        added &= added - 1
        for (let rest = left; rest !== 0; rest &= rest - 1) {
          const bit = rest & -rest
          if (!row[paths[31 - Math.clz32(bit)] as number]) continue
          group |= bit
          added |= bit
          left ^= bit
        }
      }
      sum += this.ofGroup(group, paths, amounts)
    }
    return sum
  }

  private ofGroup(group: number, paths: readonly number[], amounts: readonly number[]): number {
    const first = 31 - Math.clz32(group & -group)
    if ((group & (group - 1)) === 0) {
      const [path, amount] = [paths[first] as number, amounts[first] as number]
      const values = this.alone[path] as Map<number, number>
      let value = values.get(amount)
      if (value === undefined) values.set(amount, (value = this.execute([this.paths[path] as Path], [amount])))
      return value
    }
    const members: Path[] = []
    const parts: number[] = []
    let key = ''
    for (let rest = group; rest !== 0; rest &= rest - 1) {
      const i = 31 - Math.clz32(rest & -rest)
      members.push(this.paths[paths[i] as number] as Path)
      parts.push(amounts[i] as number)
      if (this.keepsGroups) key += `${paths[i]}:${amounts[i]} `
    }
    let value = this.keepsGroups ? this.together.get(key) : undefined
    if (value !== undefined) return value
    value = this.execute(members, parts)
    if (this.keepsGroups) this.together.set(key, value)
    return value
  }
}
