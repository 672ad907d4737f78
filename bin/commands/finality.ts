// `headwater finality`: where a chain's proofs begin. Imports a start in the middle of a chain, or exports one.
import { writeFile } from 'node:fs/promises'
import { chainName } from '../../config/load.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { UserError } from '../../core/errors.ts'
import { exportStart, importStart } from '../../indexer/finality/import-start.ts'
import { type AnyStart, readStartFile } from '../../indexer/finality/start-file.ts'
import type { Command } from '../cli/command.ts'
import type { Log } from '../cli/log.ts'
import { UsageError } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'
import { createSource } from '../source.ts'

/** Time within which the node must show a certificate after the start, ms. */
const TIMEOUT_MS = 600_000

export const command: Command = {
  name: 'finality',
  options: {
    chain: { type: 'string', short: 'c', value: 'NAME', help: 'the chain, or its file' },
    import: {
      type: 'string',
      value: 'FILE',
      help: 'a snapshot of a node, or what --export has written: read on from there until finalizers confirm it; before Savanna, the answer of get_block_header_state',
    },
    export: { type: 'string', value: 'FILE', help: 'write the last irreversible block as a start' },
  },
  help: 'The indexer of the chain must be stopped for --import. The source of a start need not be trusted: a false start is refused.',
  async run(args) {
    const { chain: entry, import: from, export: to } = args.values as Record<string, string | undefined>
    if (entry === undefined || (from === undefined) === (to === undefined))
      throw new UsageError('--chain and one of --import and --export are needed', 'see `headwater finality --help`')
    const { config, log } = openProgram({ ...args, values: { chain: [entry] } })
    const chain = chainName(entry)
    const database = await openDatabase(config, log)
    try {
      const settings = config.chains[0]
      if (to !== undefined) {
        const { blockNum, json } = await exportStart(database.url, chain)
        await writeFile(to, `${JSON.stringify(json, null, 2)}\n`)
        process.stdout.write(`${to}: ${chain} at block ${blockNum}\n`)
      } else if (from !== undefined && settings !== undefined) {
        const start = await readStartFile(from)
        const kept = await importFrom(settings, database.url, start, log)
        process.stdout.write(`${chain}: proofs begin after block ${kept.lineage.blockNum}\n`)
      }
    } finally {
      await database.close()
    }
    return 0
  },
}

function importFrom(config: ChainConfig, databaseUrl: string, start: AnyStart, log: Log): Promise<AnyStart> {
  const { chain, chainId = null } = config
  if (config.source.kind === 'hyperion')
    throw new UserError('NO_NODE', `${chain}: a start is confirmed by blocks of a state-history node`, {
      hint: `set source.kind of ${chain} to ship`,
      place: { chain },
    })
  const source = createSource(config, (kind, detail) => log.warn(detail, { chain, kind }))
  const signal = AbortSignal.any([shutdownSignal(), AbortSignal.timeout(TIMEOUT_MS)])
  return importStart({ chain, databaseUrl, chainId, source, signal, start })
}
