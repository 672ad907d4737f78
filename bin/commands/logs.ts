// `headwater logs check FOLDER`: checks the logs of a node on disk. Needs neither a database nor a node.
import { checkLogs } from '../../indexer/verify/logs/check-logs.ts'
import { logsText } from '../../indexer/verify/logs/report.ts'
import type { Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'

export const command: Command = {
  name: 'logs',
  positionals: 'check FOLDER...',
  options: {
    from: { type: 'string', value: 'BLOCK', help: 'first block to check; default: the first one there' },
    to: { type: 'string', value: 'BLOCK', help: 'last block to check; default: the last one there' },
    'chain-id': { type: 'string', value: 'ID', help: 'chain id that the block log must have' },
    json: { type: 'boolean', help: 'print JSON' },
  },
  help: `FOLDER is the data folder of nodeos, or one that holds some of its logs; several folders are read as one. Files are only
read, and the node may be running. Prints which blocks are there, what is verified, and what no block commits to.
Ends with 1 when something is missing, damaged or contradictory.`,
  async run(args) {
    const [what, ...folders] = args.positionals
    if (what !== 'check') throw new UsageError(`unknown argument ${what}`, 'use `headwater logs check FOLDER`')
    if (folders.length === 0) throw new UsageError('FOLDER is missing', 'see `headwater logs --help`')
    const signal = shutdownSignal()
    const report = await checkLogs({
      ...{ folders, chainId: args.values['chain-id'] as string | undefined, signal },
      ...{ from: wholeNumber(args, 'from', 1), to: wholeNumber(args, 'to', 1) },
      onProgress: (block, last) => process.stderr.write(`block ${block} of ${last}\n`),
    })
    process.stdout.write(args.values.json === true ? `${JSON.stringify(report, null, 2)}\n` : logsText(report))
    if (signal.aborted) return 130
    return report.ok ? 0 : 1
  },
}
