// Runs the cosigner until the process should end, or switches cosigning on or off. Shared by `headwater cosign` and the
// package of the cosigner (bin/cosign.ts).
import type { Config } from '../config/program-schema.ts'
import type { ChainConfig } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import { startCosigner, switchCosigner } from '../cosign/start.ts'
import type { Arguments, Option } from './cli/command.ts'
import type { Log } from './cli/log.ts'
import { UsageError, wholeNumber } from './cli/parse.ts'
import { aborted, shutdownSignal } from './cli/shutdown.ts'
import type { Database } from './database.ts'

export const COSIGN_OPTIONS: Record<string, Option> = {
  port: { type: 'string', value: 'N', help: 'port to listen on; default: cosign.port' },
  off: { type: 'boolean', help: 'switch every cosigner of this database off, and end' },
  on: { type: 'boolean', help: 'switch them on again, and end' },
}

export interface CosignProgram {
  load(): { config: Config; log: Log }
  openDatabase(config: Config, log: Log): Promise<Database>
}

/** @throws UsageError, and UserError of the configuration, the database and the key file */
export async function runCosigner(args: Arguments, { load, openDatabase }: CosignProgram): Promise<number> {
  const { on, off } = args.values
  if (on === true && off === true) throw new UsageError('--on and --off exclude each other', 'give one of them')
  const signal = shutdownSignal()
  // If a parent process of ours has started it, it ends with the parent.
  process.once('disconnect', () => process.exit(0))
  process.channel?.unref()
  const { config, log } = load()
  const chain = chainOf(config)
  const database = await openDatabase(config, log)
  try {
    if (on === true || off === true) {
      await switchCosigner(database.url, chain.chain, on === true, log)
      process.stdout.write(`${chain.chain}: cosigning is switched ${on === true ? 'on' : 'off'}\n`)
      return 0
    }
    const port = wholeNumber(args, 'port') ?? config.cosign.port
    const cosigner = await startCosigner({
      config: { ...config.cosign, port },
      chain,
      databaseUrl: database.url,
      log,
      inThread: true,
    })
    await aborted(signal)
    await cosigner.close()
  } finally {
    await database.close()
  }
  return 0
}

/** @throws UserError COSIGN_CHAIN */
function chainOf({ chains, cosign }: Config): ChainConfig {
  const chain = chains.find((one) => one.chain === cosign.chain)
  if (chain !== undefined) return chain
  throw new UserError('COSIGN_CHAIN', `${cosign.chain}, which cosign.chain names, is not one of the chains`, {
    hint: 'add it to HEADWATER_CHAINS, or correct cosign.chain',
  })
}
