// The start of most commands: configuration and log.
import { chainName, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts'
import type { Arguments } from './cli/command.ts'
import { createLog } from './cli/log.ts'
import { list } from './cli/parse.ts'

export type Program = LoadedConfig & { log: ReturnType<typeof createLog> }

/** Name of the chain that a single `--chain NAME|FILE` selects; undefined without one. @throws UserError INVALID_CONFIG */
export function chosenChain({ values }: Arguments): string | undefined {
  return values.chain === undefined ? undefined : chainName(values.chain as string)
}

/** Names of the chains that a repeatable `--chain NAME|FILE` selects; undefined without one. @throws UserError INVALID_CONFIG */
export function chosenChains(args: Arguments): string[] | undefined {
  return list(args, 'chain')?.map(chainName)
}

/** Loads the configuration; `--chain` selects the chains. */
export function openProgram(args: Arguments, options: Partial<LoadOptions> = {}): Program {
  const program = { chains: list(args, 'chain'), ...options.program }
  const loaded = loadConfig({ env: process.env, ...options, program })
  return { ...loaded, log: createLog(loaded.config.logLevel) }
}
