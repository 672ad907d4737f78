// `headwater verify`: recomputes derived data and compares it with the stored data.
import { isChainFile } from '../../config/load.ts'
import type { ChainConfig } from '../../config/schema.ts'
import type { RoleAccounts } from '../../indexer/project/role-accounts.ts'
import { checkAgainst } from '../../indexer/verify/against/check-against.ts'
import { type VerifyReport, verifyChain } from '../../indexer/verify/verify.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { list, UsageError } from '../cli/parse.ts'
import { openDatabase } from '../database.ts'
import { roleAccounts } from '../index-chains.ts'
import { chosenChains, openProgram } from '../program.ts'

export const command: Command = {
  name: 'verify',
  options: {
    ...CHAIN_OPTION,
    against: { type: 'string', value: 'URL', help: 'compare current rows with those of this node (chain API)' },
    json: { type: 'boolean', help: 'print JSON' },
  },
  help: 'Changes nothing. Ends with 1 when something differs.',
  async run(args) {
    const { config, log } = openProgram({ ...args, values: {} })
    const chains = chosenChains(args) ?? config.chains.map(({ chain }) => chain)
    const nodeUrl = args.values.against as string | undefined
    if (nodeUrl !== undefined && chains.length !== 1) throw new UsageError('name one chain', 'add --chain NAME')
    const database = await openDatabase(config, log)
    try {
      let ok = true
      for (const chain of chains) {
        const report = await verifyChain(database.url, chain)
        if (nodeUrl !== undefined) {
          const { accounts, chainId } = settings(chain, config.chains, list(args, 'chain')?.[0])
          const options = { url: database.url, chain, nodeUrl, chainId, accounts }
          report.checks.push(...(await checkAgainst(options)))
          report.ok = report.checks.every(({ differing }) => differing === 0)
        }
        ok &&= report.ok
        process.stdout.write(args.values.json === true ? `${JSON.stringify(report)}\n` : text(report))
      }
      return ok ? 0 : 1
    } finally {
      await database.close()
    }
  },
}

/**
 * Role accounts and id of a chain; a recording under an unconfigured name has the development profile.
 *
 * @param entry  the value of --chain; a file holds the settings
 */
function settings(
  chain: string,
  configured: readonly ChainConfig[],
  entry = chain,
): { accounts: RoleAccounts; chainId: string | null } {
  const load = (entry: string) =>
    openProgram({ values: {}, positionals: [] }, { program: { chains: [entry] } }).config.chains
  const found = (isChainFile(entry) ? load(entry) : configured).find((config) => config.chain === chain)
  if (found) return { accounts: roleAccounts(found), chainId: found.chainId ?? null }
  return { accounts: roleAccounts(load('dev')[0] as ChainConfig), chainId: null }
}

function text({ chain, block, blockId, checks, digest }: VerifyReport): string {
  const lines = [`${chain}: block ${block} ${blockId}`]
  for (const { name, compared, differing, differences, notes } of checks) {
    lines.push(`${differing === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${compared} compared, ${differing} differ`)
    for (const { what, expected, found } of differences) lines.push(`        ${what}: ${found} instead of ${expected}`)
    for (const note of notes) lines.push(`        note: ${note}`)
  }
  for (const { table, rows, sha256 } of digest.tables) lines.push(`digest ${sha256} ${table} ${rows}`)
  lines.push(`digest ${digest.sha256}`)
  return `${lines.join('\n')}\n`
}
