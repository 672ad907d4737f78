// Finds the first block in which two databases of a chain differ: requests digests of parts of a range from both, and
// continues in the first part that differs. With 16 parts a request, 100 million blocks take seven requests.
import { UserError } from '../errors.ts'
import { type BlockRange, divide } from './ranges.ts'
import { type DifferingRow, differingRows } from './rows.ts'
import type { RangeDigest, Side, Summary } from './side.ts'

export interface Comparison {
  /** The compared blocks; null when the databases have none in common. */
  range: BlockRange | null
  /** Compared tables. */
  tables: string[]
  /** Why blocks or tables were left out. */
  notes: string[]
  /** Whether tables were left out, or the databases have no blocks in common. */
  isPartial: boolean
  /** The first differing block; null: no difference. */
  difference: Difference | null
  /** Requests to each side. */
  questions: number
}

export interface Difference {
  block: number
  tables: { name: string; rows: [number, number]; differing: DifferingRow[]; isCut: boolean }[]
}

/**
 * @throws UserError COMPARE_CHAINS for databases of different chains, COMPARE_VERSIONS, COMPARE_ANSWER; COMPARE_STORED
 *   when stored digests differ and the rows do not; the errors of the sides
 */
export async function compare(sides: readonly [Side, Side]): Promise<Comparison> {
  const summaries = await both(sides, (side) => side.summary())
  checkChains(sides, summaries)
  const { tables, notes, isPartial } = comparableTables(sides, summaries)
  const range = commonRange(sides, summaries, notes)
  const comparison: Comparison = {
    range,
    tables,
    notes,
    isPartial: isPartial || range === null,
    difference: null,
    questions: 1,
  }
  if (range === null) return comparison
  const search = new Search(sides, summaries[0].leaf, comparison)
  const unmatched: Part[] = []
  for (let among: readonly string[] = tables; among.length > 0; ) {
    const found = await search.run(range, among)
    if (found === null) break
    if (found.isBlock) {
      comparison.difference = await search.differenceIn(found)
      break
    }
    const names = found.tables.map(({ name }) => name)
    among = among.filter((name) => !names.includes(name))
    unmatched.push(found)
  }
  if (unmatched.length === 0) return comparison
  const texts = unmatched.map(unmatchedText)
  if (comparison.difference === null)
    throw new UserError('COMPARE_STORED', texts.join('; '), {
      hint: `compare again; if it remains, delete the chain's rows of meta.range_digests as the owner of the database, on both sides: the indexer computes them again (docs/operate/compare.md)`,
      place: { chain: summaries[0].chain, block: unmatched[0]?.from },
    })
  notes.push(...texts)
  return comparison
}

function unmatchedText({ from, to, tables }: Part): string {
  const names = tables.map(({ name }) => name).join(', ')
  return `the stored digests of blocks ${from} to ${to} do not match the rows of one side: ${names} (digests differ, rows do not)`
}

/** A part of a range in which tables differ, with the number of their rows on both sides. */
interface Part extends BlockRange {
  tables: { name: string; rows: [number, number] }[]
}

class Search {
  readonly #sides: readonly [Side, Side]
  readonly #leaf: number
  readonly #comparison: Comparison

  constructor(sides: readonly [Side, Side], leaf: number, comparison: Comparison) {
    this.#sides = sides
    this.#leaf = leaf
    this.#comparison = comparison
  }

  /**
   * @param among  tables that are compared
   * @returns the first block in which they differ (`isBlock`), the smallest range whose digests differ while those of
   *   its parts do not, or null: no difference
   */
  async run(range: BlockRange, among: readonly string[]): Promise<(Part & { isBlock: boolean }) | null> {
    let outer: Part | null = null
    for (let at = range; ; ) {
      this.#comparison.questions++
      const answers = await both(this.#sides, (side) => side.digests(at))
      const found = firstDifference(this.#sides, divide(at, this.#leaf), answers, among)
      if (found === null) return outer && { ...outer, isBlock: false }
      if (found.from === found.to) return { ...found, isBlock: true }
      outer = at = found
    }
  }

  /** The rows that differ in a block. */
  async differenceIn({ from: block, tables }: Part): Promise<Difference> {
    const difference: Difference = { block, tables: [] }
    for (const { name, rows } of tables) {
      this.#comparison.questions++
      const sent = await both(this.#sides, (side) => side.rows(name, block))
      difference.tables.push({ name, rows, differing: differingRows(sent), isCut: sent.some(({ more }) => more) })
    }
    return difference
  }
}

function both<T>(sides: readonly [Side, Side], ask: (side: Side) => Promise<T>): Promise<[T, T]> {
  return Promise.all([ask(sides[0]), ask(sides[1])])
}

function checkChains([a, b]: readonly [Side, Side], [one, other]: [Summary, Summary]): void {
  if (one.chainId !== null && other.chainId !== null && one.chainId !== other.chainId)
    throw new UserError(
      'COMPARE_CHAINS',
      `${a.name} is of the chain ${one.chainId}, ${b.name} of ${other.chainId}: they cannot be compared`,
      { hint: 'name the same chain on both sides: --chain, and the host in the address', place: { chain: one.chain } },
    )
  if (one.leaf !== other.leaf)
    throw new UserError('COMPARE_VERSIONS', `${a.name} and ${b.name} make digests of ranges of different lengths`, {
      hint: 'run the same version of the program on both',
      place: { chain: one.chain },
    })
}

function comparableTables([a, b]: readonly [Side, Side], [one, other]: [Summary, Summary]) {
  const notes: string[] = []
  const columns = new Map(other.tables.map((table) => [table.name, table.columns]))
  const same = one.tables.filter((table) => columns.get(table.name) === table.columns).map(({ name }) => name)
  const all = new Set([...one.tables, ...other.tables].map(({ name }) => name))
  const others = [...all].filter((name) => !same.includes(name)).sort()
  if (others.length > 0)
    notes.push(`the programs are of different versions: not compared, because the columns differ: ${others.join(', ')}`)
  const missing = (from: Summary, of: Summary) => of.contracts.filter((contract) => !from.contracts.includes(contract))
  const onlyOne = missing(other, one)
  const onlyOther = missing(one, other)
  if (onlyOne.length + onlyOther.length === 0) return { tables: same, notes, isPartial: others.length > 0 }
  for (const [side, contracts] of [
    [a, onlyOne],
    [b, onlyOther],
  ] as const)
    if (contracts.length > 0) notes.push(`only ${side.name} watches: ${contracts.join(', ')}`)
  notes.push('because they watch different contracts, only the blocks are compared')
  return { tables: same.filter((name) => name === 'blocks'), notes, isPartial: true }
}

function commonRange([a, b]: readonly [Side, Side], [one, other]: [Summary, Summary], notes: string[]) {
  let from = Math.max(one.firstBlock, other.firstBlock)
  const to = Math.min(one.lastBlock, other.lastBlock)
  if (one.firstBlock !== other.firstBlock) {
    // The first block of a database may have rows that were read from a node's tables.
    from++
    notes.push(`${a.name} begins at block ${one.firstBlock}, ${b.name} at ${other.firstBlock}: compared from ${from}`)
  }
  if (one.lastBlock !== other.lastBlock)
    notes.push(`${a.name} can be compared to block ${one.lastBlock}, ${b.name} to ${other.lastBlock}`)
  if (from <= to) return { from, to }
  notes.push('they have no final blocks in common')
  return null
}

/** The first part whose digests differ. @throws UserError COMPARE_ANSWER */
function firstDifference(
  sides: readonly [Side, Side],
  parts: readonly BlockRange[],
  answers: readonly [RangeDigest[], RangeDigest[]],
  among: readonly string[],
): Part | null {
  for (const [k, answer] of answers.entries())
    if (answer.length !== parts.length || parts.some(({ from, to }, i) => !isOf(answer[i], from, to)))
      throw new UserError('COMPARE_ANSWER', `${sides[k]?.name} sends digests of other ranges than asked for`, {
        hint: 'run the same version of the program on both',
      })
  for (const [i, { from, to }] of parts.entries()) {
    const tables = among.flatMap((name) => {
      const [one, other] = answers.map((answer) => answer[i]?.tables.find((table) => table.name === name))
      if (one?.rows === other?.rows && one?.sha256 === other?.sha256) return []
      return [{ name, rows: [one?.rows ?? 0, other?.rows ?? 0] satisfies [number, number] }]
    })
    if (tables.length > 0) return { from, to, tables }
  }
  return null
}

function isOf(found: RangeDigest | undefined, from: number, to: number): boolean {
  return found?.from === from && found.to === to
}
