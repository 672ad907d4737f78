// Checks the relayer: its keys, and the nodes that it would send to.
import type { Config } from '../../config/program-schema.ts'
import { AntelopeKey, requirePermission } from '../../relay/antelope/key.ts'
import { requireContracts, targetsOf } from '../../relay/chains.ts'
import { EvmKey } from '../../relay/evm/key.ts'
import { type Finding, failure, ok } from './finding.ts'

/** No findings if no key is configured. */
export function checkRelay(config: Pick<Config, 'chains' | 'evm' | 'relay' | 'bridgeLedger'>): Finding[] {
  const { evmKeyFile, antelopeKeyFile, account } = config.relay
  if (evmKeyFile === undefined && antelopeKeyFile === undefined) return []
  const attempt = (subject: string, work: () => string): Finding => {
    try {
      return ok(subject, work())
    } catch (error) {
      return failure(subject, error, 'correct the settings of relay')
    }
  }
  return [
    ...(evmKeyFile === undefined
      ? []
      : [
          attempt(
            'relayer key for EVM chains',
            () => `${EvmKey.read(evmKeyFile).address}, readable by its owner alone`,
          ),
        ]),
    ...(antelopeKeyFile === undefined
      ? []
      : [
          attempt('relayer key for Antelope chains', () => {
            return `${AntelopeKey.read(antelopeKeyFile).publicKey} for ${account}@${requirePermission(config.relay)}, readable by its owner alone`
          }),
        ]),
    attempt('relayer chains', () => {
      const targets = targetsOf(config)
      const { evm, antelope, ledger } = targets
      requireContracts(targets, config.relay.actions, {
        evm: evmKeyFile !== undefined,
        antelope: antelopeKeyFile !== undefined,
      })
      return `${[...evm, ...antelope].map(({ name }) => name).join(', ') || 'none has a node'}; the ledger is on ${ledger.name}`
    }),
  ]
}
