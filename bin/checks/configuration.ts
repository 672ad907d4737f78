// Checks the configuration itself.
import type { LoadedConfig } from '../../config/load.ts'
import { UserError } from '../../core/errors.ts'
import type { Arguments } from '../cli/command.ts'
import { openProgram } from '../program.ts'
import { seedAbis } from '../seed-abis.ts'
import { type Finding, fail, failure, ok } from './finding.ts'

const SUBJECT = 'configuration'

/** The configuration if it is valid, and the findings in any case. */
export function checkConfiguration(args: Arguments): { found: Finding[]; loaded: LoadedConfig | undefined } {
  let loaded: LoadedConfig
  try {
    loaded = openProgram(args)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const problems = error.message.split('\n').slice(1)
    const found = problems.map((line) => fail(SUBJECT, line.trim(), 'see docs/operate/configuration.md'))
    return { found: found.length > 0 ? found : [failure(SUBJECT, error, 'correct it')], loaded: undefined }
  }
  const names = [...loaded.config.chains, ...loaded.config.evm].map(({ chain }) => chain)
  const found = [ok(SUBJECT, `valid, ${names.length === 1 ? 'chain' : 'chains'} ${names.join(', ')}`)]
  for (const chain of loaded.config.chains) {
    try {
      seedAbis(chain)
    } catch (error) {
      found.push(failure(`${chain.chain} seed ABIs`, error, 'correct the file'))
    }
  }
  return { found, loaded }
}
