// `headwater status`: the indexed position of each chain in the database, and what its indexer waits for.
import { type ChainPosition, readPositions } from '../../api/operate/positions.ts'
import { readReports } from '../../api/operate/reports.ts'
import { chainName, isChainFile } from '../../config/load.ts'
import { suggest } from '../../config/suggest.ts'
import { UserError } from '../../core/errors.ts'
import { openPool } from '../../net/postgres.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { list } from '../cli/parse.ts'
import { openUnchanged } from '../database.ts'
import { chosenChains, openProgram } from '../program.ts'
import { statusLine } from '../status-line.ts'

export const command: Command = {
  name: 'status',
  options: { ...CHAIN_OPTION, json: { type: 'boolean', help: 'print JSON' } },
  help: 'Without --chain: every chain of the database, and every configured one. Changes nothing. A chain that lags is shown with the cause and a command.',
  async run(args) {
    const wanted = chosenChains(args)
    const files = list(args, 'chain')?.filter(isChainFile) ?? []
    const { config, log } = openProgram({ ...args, values: {} })
    const configured = [...[...config.chains, ...config.evm].map(({ chain }) => chain), ...files.map(chainName)]
    const database = await openUnchanged(config, { ...log, info() {} })
    const pool = openPool({ connectionString: database.url, use: 'statements', max: 1 })
    try {
      const [positions, reports] = await Promise.all([readPositions(pool), readReports(pool)])
      const chains = chosen(wanted, configured, positions)
      const found = chains.flatMap((chain) => positions.find((at) => at.chain === chain) ?? [])
      if (args.values.json === true) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
      else
        for (const chain of chains) {
          const of = <T extends { chain: string }>(list: readonly T[]) => list.find((one) => one.chain === chain)
          const line = statusLine(chain, of(positions), of(reports), config.maxLagSeconds)
          process.stdout.write(`${line}\n`)
        }
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
