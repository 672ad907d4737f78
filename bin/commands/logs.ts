// `headwater logs check FOLDER`: checks the logs of a node on disk. Needs neither a database nor a node.
import { UserError } from '../../core/errors.ts'
import type { FinalityStart } from '../../core/finality/start.ts'
import { readStartFile } from '../../indexer/finality/start-file.ts'
import { checkLogs } from '../../indexer/verify/logs/check-logs.ts'
import { logsText } from '../../indexer/verify/logs/report.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'

export const command: Command = {
  name: 'logs',
  positionals: 'check FOLDER...',
  options: {
    from: { type: 'string', value: 'BLOCK', help: 'first block to check; default: the first one there' },
    to: { type: 'string', value: 'BLOCK', help: 'last block to check; default: the last one there' },
    'chain-id': { type: 'string', value: 'ID', help: 'chain id that the block log must have' },
    finality: {
      type: 'string',
      value: 'FILE',
      help: 'where to follow finality from, when the logs begin later than Savanna: a snapshot of the block before, or a file of `headwater finality --export`',
    },
    policy: {
      type: 'string',
      value: 'DIGEST',
      help: 'SHA-256 of the packed finalizer policy that you trust: the first one in the logs must be it',
    },
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
      ...{ start: await startOf(args), policy: policyOf(args) },
      onProgress: (block, last) => process.stderr.write(`block ${block} of ${last}\n`),
    })
    process.stdout.write(args.values.json === true ? `${JSON.stringify(report, null, 2)}\n` : logsText(report))
    if (signal.aborted) return 130
    return report.ok ? 0 : 1
  },
}

/** @throws UserError INVALID_FINALITY_START, and as readStartFile */
async function startOf(args: Arguments): Promise<FinalityStart | undefined> {
  const path = args.values.finality as string | undefined
  if (path === undefined) return undefined
  const start = await readStartFile(path)
  if ('lineage' in start && 'policies' in start) return start
  throw new UserError('INVALID_FINALITY_START', `${path} is of a block before Savanna`, {
    hint: 'leave --finality out: finality is followed from the first block of Savanna on',
  })
}

function policyOf(args: Arguments): string | undefined {
  const digest = args.values.policy as string | undefined
  if (digest === undefined || /^[0-9a-f]{64}$/.test(digest)) return digest
  throw new UsageError('--policy is not a SHA-256 digest', 'give 64 hex digits, lower case')
}
