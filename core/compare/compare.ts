// Finds the first block in which two databases of a chain differ: asks both for digests of parts of a range, and
// continues in the first part that differs. 16 parts a question: 100 million blocks take seven.
import { UserError } from '../errors.ts'
import { type BlockRange, divide } from './ranges.ts'
import { type DifferingRow, differingRows } from './rows.ts'
import type { RangeDigest, Side, Summary, TableDigest } from './side.ts'

export interface Comparison {
  /** The compared blocks; null when the databases have none in common. */
  range: BlockRange | null
  /** Compared tables. */
  tables: string[]
  /** Why blocks or tables were left out. */
  notes: string[]
  /** The first differing block; null: no difference. */
  difference: Difference | null
  /** Questions to one side. */
  questions: number
}

export interface Difference {
  block: number
  tables: { name: string; rows: [number, number]; differing: DifferingRow[]; isCut: boolean }[]
}

/**
 * @throws UserError COMPARE_CHAINS for databases of different chains; the errors of the sides
 */
export async function compare(sides: readonly [Side, Side]): Promise<Comparison> {
  const summaries = await both(sides, (side) => side.summary())
  checkChains(sides, summaries)
  const { tables, notes } = comparableTables(sides, summaries)
  const range = commonRange(sides, summaries, notes)
  const comparison: Comparison = { range, tables, notes, difference: null, questions: 1 }
  if (range === null) return comparison
  const leaf = summaries[0].leaf
  const ask = async (asked: BlockRange) => {
    comparison.questions++
    return await both(sides, (side) => side.digests(asked))
  }
  for (let at = range; ; ) {
    const found = firstDifference(sides, divide(at, leaf), await ask(at), tables)
    if (found === null) return comparison
    if (found.from === found.to) {
      comparison.difference = await differenceIn(sides, found, comparison)
      return comparison
    }
    at = found
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
  if (onlyOne.length + onlyOther.length === 0) return { tables: same, notes }
  for (const [side, contracts] of [
    [a, onlyOne],
    [b, onlyOther],
  ] as const)
    if (contracts.length > 0) notes.push(`only ${side.name} watches: ${contracts.join(', ')}`)
  notes.push('because they watch different contracts, only the blocks are compared')
  return { tables: same.filter((name) => name === 'blocks'), notes }
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
  tables: readonly string[],
): RangeDigest | null {
  for (const [i, { from, to }] of parts.entries()) {
    const [one, other] = answers.map((answer, k) => {
      const found = answer[i]
      if (found?.from === from && found.to === to && answer.length === parts.length) return found
      throw new UserError('COMPARE_ANSWER', `${(sides[k] as Side).name} sends digests of other ranges than asked for`, {
        hint: 'run the same version of the program on both',
      })
    }) as [RangeDigest, RangeDigest]
    if (tables.some((name) => textOf(one, name) !== textOf(other, name))) return { ...one, tables: [] }
  }
  return null
}

function textOf({ tables }: RangeDigest, name: string): string {
  const found = tables.find((table) => table.name === name)
  return found === undefined ? '' : `${found.rows} ${found.sha256}`
}

async function differenceIn(
  sides: readonly [Side, Side],
  { from: block }: BlockRange,
  comparison: Comparison,
): Promise<Difference> {
  const answers = await both(sides, (side) => side.digests({ from: block, to: block }))
  comparison.questions++
  const [one, other] = answers.map(([answer]) => answer as RangeDigest) as [RangeDigest, RangeDigest]
  const tables: Difference['tables'] = []
  for (const name of comparison.tables.filter((table) => textOf(one, table) !== textOf(other, table))) {
    comparison.questions++
    const rows = await both(sides, (side) => side.rows(name, block))
    const count = (from: RangeDigest) => from.tables.find((table: TableDigest) => table.name === name)?.rows ?? 0
    tables.push({
      name,
      rows: [count(one), count(other)],
      differing: differingRows(rows),
      isCut: rows.some(({ more }) => more),
    })
  }
  return { block, tables }
}
