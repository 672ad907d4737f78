// The start of most commands: configuration and log.
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts'
import type { Arguments } from './cli/command.ts'
import { createLog } from './cli/log.ts'
import { list } from './cli/parse.ts'

export type Program = LoadedConfig & { log: ReturnType<typeof createLog> }

/** Loads the configuration; `--chain` selects the chains. */
export function openProgram(args: Arguments, options: Partial<LoadOptions> = {}): Program {
  const program = { chains: list(args, 'chain'), ...options.program }
  const loaded = loadConfig({ env: process.env, ...options, program })
  return { ...loaded, log: createLog(loaded.config.logLevel) }
}
