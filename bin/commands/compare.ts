// `headwater compare URL`: finds the first block in which two databases of a chain differ.
import { DatabaseSide } from '../../api/exchange/digests/database-side.ts'
import { type Comparison, compare } from '../../core/compare/compare.ts'
import type { Side } from '../../core/compare/side.ts'
import { ApiSide } from '../../net/headwater-api.ts'
import { openPool } from '../../net/postgres.ts'
import type { Command } from '../cli/command.ts'
import { UsageError } from '../cli/parse.ts'
import { openUnchanged } from '../database.ts'
import { chosenChain, openProgram } from '../program.ts'

/** Exit code when nothing differs, and tables were left out or nothing was compared. */
const NOT_ALL_COMPARED = 3

export const command: Command = {
  name: 'compare',
  positionals: 'URL',
  options: {
    against: { type: 'string', value: 'URL', help: 'compare with this instance instead of the own database' },
    chain: { type: 'string', short: 'c', value: 'NAME', help: 'chain of the own database, or its file' },
    json: { type: 'boolean', help: 'print JSON' },
  },
  help: 'URL is an instance: its API, with the host of the chain. Changes nothing. Ends with 1 when a row differs, with 3 when none differs but not all was compared. docs/operate/compare.md describes it.',
  async run(args) {
    const [url] = args.positionals
    if (url === undefined) throw new UsageError('an address is needed', 'see `headwater compare --help`')
    const other = new ApiSide(url)
    const against = args.values.against as string | undefined
    const result =
      against === undefined
        ? await withDatabase(chosenChain(args), (side) => compare([side, other]))
        : await compare([new ApiSide(against), other])
    process.stdout.write(args.values.json === true ? `${JSON.stringify(result)}\n` : textOf(result))
    if (result.difference !== null) return 1
    return result.isPartial ? NOT_ALL_COMPARED : 0
  },
}

async function withDatabase<T>(wanted: string | undefined, run: (side: Side) => Promise<T>): Promise<T> {
  const { config, log } = openProgram({ values: {}, positionals: [] })
  const chains = [...config.chains, ...config.evm].map(({ chain }) => chain)
  const chain = wanted ?? (chains.length === 1 ? chains[0] : undefined)
  if (chain === undefined) throw new UsageError('name the chain', 'add --chain NAME')
  const database = await openUnchanged(config, { ...log, info() {} })
  const options = '-c default_transaction_read_only=on'
  const pool = openPool({ connectionString: database.url, use: 'statements', max: 2, options })
  try {
    return await run(new DatabaseSide(pool, chain, 'this database'))
  } finally {
    await pool.end()
    await database.close()
  }
}

function textOf({ range, tables, notes, isPartial, difference, questions }: Comparison): string {
  const lines = notes.map((note) => `note: ${note}`)
  if (range !== null)
    lines.push(`compared blocks ${range.from} to ${range.to}, ${tables.length} tables, ${questions} questions`)
  if (difference === null && range === null) lines.push('nothing was compared')
  else if (difference === null) lines.push(isPartial ? 'no difference in these tables' : 'no difference')
  else {
    lines.push(`first difference: block ${difference.block}`)
    for (const { name, rows, differing, isCut } of difference.tables) {
      lines.push(`ledger.${name}: ${rows[0]} and ${rows[1]} rows`)
      for (const { key, kind, columns } of differing) {
        const at = Object.entries(key).map(([column, value]) => `${column} ${value}`)
        const what = { changed: 'differs', missing: 'only on the second side', extra: 'only on the first side' }[kind]
        lines.push(`  ${at.join(', ')}: ${what}`)
        for (const [column, [one, two]] of Object.entries(columns)) lines.push(`    ${column}: ${one} and ${two}`)
      }
      if (isCut) lines.push('  the block has more rows of this table, which were not compared')
    }
  }
  return `${lines.join('\n')}\n`
}
