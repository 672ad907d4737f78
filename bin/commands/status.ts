// `headwater status`: the indexed position of each chain in the database, and what its indexer waits for.
import { type ChainPosition, readPositions } from '../../api/operate/positions.ts'
import { type ChainReport, readReports } from '../../api/operate/reports.ts'
import { suggest } from '../../config/suggest.ts'
import { UserError } from '../../core/errors.ts'
import { age } from '../../indexer/operate/progress-line.ts'
import { openPool } from '../../net/postgres.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { list } from '../cli/parse.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'status',
  options: { ...CHAIN_OPTION, json: { type: 'boolean', help: 'print JSON' } },
  help: 'Without --chain: every chain of the database, and every configured one.',
  async run(args) {
    const wanted = list(args, 'chain')
    const { config, log } = openProgram({ ...args, values: {} })
    const configured = [...config.chains, ...config.evm].map(({ chain }) => chain)
    const database = await openDatabase(config, { ...log, info() {} }, 'statements')
    const pool = openPool({ connectionString: database.url, use: 'statements', max: 1 })
    try {
      const [positions, reports] = await Promise.all([readPositions(pool), readReports(pool)])
      const chains = chosen(wanted, configured, positions)
      const found = chains.flatMap((chain) => positions.find((at) => at.chain === chain) ?? [])
      if (args.values.json === true) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
      else for (const chain of chains) process.stdout.write(`${line(chain, positions, reports)}\n`)
    } finally {
      await pool.end()
      await database.close()
    }
    return 0
  },
}

/** @throws UserError NO_SUCH_CHAIN for a chain that is neither configured nor in the database */
function chosen(
  wanted: readonly string[] | undefined,
  configured: readonly string[],
  positions: readonly ChainPosition[],
): string[] {
  const known = [...new Set([...configured, ...positions.map(({ chain }) => chain)])].sort()
  const unknown = wanted?.find((chain) => !known.includes(chain))
  if (unknown === undefined) return [...new Set(wanted ?? known)]
  const meant = suggest(unknown, known)
  const guess = meant === undefined ? '' : `, did you mean ${meant}?`
  throw new UserError('NO_SUCH_CHAIN', `no chain ${JSON.stringify(unknown)}${guess}; there are: ${known.join(', ')}`, {
    hint: 'give one of these, or configure it (HEADWATER_CHAINS)',
  })
}

/** Longest time for which a fault is shown after its last occurrence, seconds. */
const RECENT_S = 60

function line(chain: string, positions: readonly ChainPosition[], reports: readonly ChainReport[]): string {
  const at = positions.find((position) => position.chain === chain)
  const report = reports.find((one) => one.chain === chain)
  const fault = report?.fault && (report.ended || report.fault.ageSeconds < RECENT_S) ? `; ${report.fault.text}` : ''
  if (at === undefined) return `${chain}: nothing is indexed yet${fault}`
  const { block, head, lib, lagSeconds, indexed, stateBlock } = at
  const parts = [`block ${block} of ${head}`, `irreversible ${lib}`, `${age(lagSeconds * 1000)} old`]
  if (!indexed) parts.push('backfill under way')
  if (stateBlock !== null && block < stateBlock) parts.push(`current rows exact from block ${stateBlock} on`)
  return `${chain}: ${parts.join(', ')}${fault}`
}
