// The chain of `pack` and `fetch`: its configuration, and the settings that determine its rows.
import { readFileSync } from 'node:fs'
import { chainName } from '../config/load.ts'
import type { ChainConfig } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import type { ChainSettings } from '../packs/format/settings.ts'
import type { Arguments, Option } from './cli/command.ts'
import { UsageError } from './cli/parse.ts'
import { finality, roleAccounts } from './index-chains.ts'
import { openProgram, type Program } from './program.ts'
import { valuation } from './valuation.ts'

export const PACK_OPTIONS: Record<string, Option> = {
  chain: { type: 'string', short: 'c', value: 'NAME', help: 'chain to work on, or its file' },
  profile: {
    type: 'string',
    value: 'NAME',
    help: 'configuration to use (config/NAME.json, or a file); default: that of the chain',
  },
}

export interface PackedChain extends Pick<Program, 'config' | 'log'> {
  chain: ChainConfig
  settings: ChainSettings
}

/**
 * Reads the configuration of the chain that the arguments name.
 *
 * @param overrides  settings of the chain from the command line
 * @throws UsageError without --chain; UserError PACK_EVM, INVALID_CONFIG
 */
export function openPackedChain(args: Arguments, overrides: Partial<ChainConfig> = {}): PackedChain {
  const entry = args.values.chain as string | undefined
  if (entry === undefined) throw new UsageError('--chain is needed', 'name the chain')
  const name = chainName(entry)
  const profile = args.values.profile as string | undefined
  const { config, log } = openProgram(
    { ...args, values: {} },
    { program: { chains: [profile ?? entry] }, rename: profile === undefined ? undefined : name, chain: overrides },
  )
  const [chain] = config.chains
  if (!chain) {
    throw new UserError('PACK_EVM', `${name} is an EVM chain: packs hold Antelope chains`, {
      hint: 'a new database reads the contracts of the bridge from an EVM node again, which takes minutes',
      place: { chain: name },
    })
  }
  return { config, log, chain, settings: settingsOf(chain) }
}

function settingsOf(config: ChainConfig): ChainSettings {
  const proofs = finality(config, () => {})
  return {
    accounts: roleAccounts(config),
    systemAccount: config.accounts.system,
    tokenContracts: config.tokens.contracts,
    valuation: valuation(config),
    finality: proofs && { bridge: proofs.bridge, legacy: proofs.legacy },
  }
}

/** Version of this program, from package.json. */
export function programVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
