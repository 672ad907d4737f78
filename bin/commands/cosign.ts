// `headwater cosign`: the CPU sponsor in its own process, the only one that reads its key.

import { UserError } from '../../core/errors.ts'
import { startCosigner, switchCosigner } from '../../cosign/start.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'cosign',
  options: {
    ...CHAIN_OPTION,
    port: { type: 'string', value: 'N', help: 'port to listen on; default: cosign.port' },
    off: { type: 'boolean', help: 'switch every cosigner of this database off, and end' },
    on: { type: 'boolean', help: 'switch them on again, and end' },
  },
  help: 'The key comes from the file of cosign.keyFile (HEADWATER_COSIGN_KEY_FILE). docs/operate/cosigner.md tells how to set it up.',
  async run(args) {
    const { on, off } = args.values
    if (on === true && off === true) throw new UsageError('--on and --off exclude each other', 'give one of them')
    const signal = shutdownSignal()
    // If a parent process of ours has started it, it ends with the parent.
    process.once('disconnect', () => process.exit(0))
    process.channel?.unref()
    const { config, log } = openProgram(args)
    const chain = config.chains.find((one) => one.chain === config.cosign.chain)
    if (chain === undefined)
      throw new UserError('COSIGN_CHAIN', `${config.cosign.chain}, which cosign.chain names, is none of the chains`, {
        hint: 'add it to HEADWATER_CHAINS, or correct cosign.chain',
      })
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
  },
}
