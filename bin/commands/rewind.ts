// `headwater rewind --to BLOCK`: rewinds a chain; the indexer then reads the removed blocks again.

import { createInterface } from 'node:readline/promises'
import { UserError } from '../../core/errors.ts'
import { rewindChain } from '../../indexer/rewind/rewind.ts'
import type { Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { openDatabase } from '../database.ts'
import { chosenChain, openProgram } from '../program.ts'

export const command: Command = {
  name: 'rewind',
  options: {
    chain: { type: 'string', short: 'c', value: 'NAME', help: 'the chain, or its file' },
    to: { type: 'string', value: 'BLOCK', help: 'last block that stays' },
    force: { type: 'boolean', help: 'also below the last irreversible block: everything of the chain is removed' },
    yes: { type: 'boolean', help: 'do not ask before --force' },
  },
  help: 'The indexer of the chain must be stopped. Only the owner of the database may use --force; it is recorded.',
  async run(args) {
    const chain = chosenChain(args)
    const to = wholeNumber(args, 'to')
    if (chain === undefined || to === undefined)
      throw new UsageError('--chain and --to are needed', 'see `headwater rewind --help`')
    const force = args.values.force === true
    if (force && args.values.yes !== true) await confirm(chain)
    const { config, log } = openProgram({ ...args, values: {} })
    const database = await openDatabase(config, log)
    try {
      const { outcome, from } = await rewindChain({ url: database.url, chain, to, force })
      const outcomes = {
        rewound: `rewound from block ${from} to ${to}`,
        nothing: `nothing to do, it is at block ${from}`,
        cleared: `removed up to block ${from}, to be indexed again from its first block`,
      }
      process.stdout.write(`${chain}: ${outcomes[outcome]}\n`)
    } finally {
      await database.close()
    }
    return 0
  },
}

/** Requires the operator to type the chain's name. @throws UserError NOT_CONFIRMED; UsageError without a terminal */
async function confirm(chain: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError('--force removes irreversible rows', 'add --yes when there is no terminal')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await terminal.question(`This removes irreversible rows of ${chain}. Type ${chain} to go on: `)
  terminal.close()
  if (typed.trim() === chain) return
  throw new UserError('NOT_CONFIRMED', 'nothing was removed', { hint: `type ${chain}, or give --yes` })
}
