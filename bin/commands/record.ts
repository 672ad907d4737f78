// `headwater record FILE`: records blocks of a state-history node to a file.
import { UserError } from '../../core/errors.ts'
import { recordFrom } from '../../indexer/source/record.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'record',
  positionals: 'FILE',
  options: {
    ...CHAIN_OPTION,
    url: { type: 'string', value: 'URL', help: 'the node, ws://host:port; default: the first one of the chain' },
    from: { type: 'string', value: 'BLOCK', help: 'first block; default: the chain’s start block' },
    to: { type: 'string', value: 'BLOCK', help: 'last block; default: until Ctrl-C' },
  },
  async run(args) {
    const signal = shutdownSignal()
    const from = wholeNumber(args, 'from', 1)
    const to = wholeNumber(args, 'to', 1)
    const { config, log } = openProgram(args)
    const [chain, another] = config.chains
    if (chain === undefined || another !== undefined)
      throw new UsageError('a recording holds one chain', 'choose it with --chain')
    const url = (args.values.url as string | undefined) ?? chain.source.urls[0]
    if (url === undefined)
      throw new UserError('NO_NODE', `${chain.chain} has no node`, {
        hint: `give --url, or set source.urls of ${chain.chain}`,
      })
    const path = args.positionals[0] as string
    let last = 0
    const count = await recordFrom(url, path, {
      chain: chain.chain,
      chainId: args.values.url === undefined ? chain.chainId : undefined,
      maxFrameBytes: chain.source.maxFrameBytes,
      maxQueueBytes: chain.source.queueBytes,
      from: from ?? chain.source.startBlock,
      to,
      signal,
      onAnomaly: (kind, detail) => log.warn(detail, { kind }),
      onBlock: (block) => {
        last = block.num
      },
    })
    process.stdout.write(`${path}: ${count} blocks, the last one is ${last}\n`)
    return 0
  },
}
