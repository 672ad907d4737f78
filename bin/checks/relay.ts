// Checks the relayer: its keys, its settings, and what it talks to. No finding has a key.
import type { Config } from '../../config/program-schema.ts'
import { requirePermission } from '../../relay/antelope/key.ts'
import { requireContracts, type Targets, targetsOf } from '../../relay/chains.ts'
import { antelopeKeyOf, evmKeyOf, hasKeys } from '../../relay/keys.ts'
import { type Finding, failure, ok } from './finding.ts'
import { checkRelayDatabase, checkRelayNodes } from './relay-nodes.ts'

type Settings = Pick<Config, 'chains' | 'evm' | 'relay' | 'bridgeLedger' | 'database'>

/** No findings if no key is configured. */
export async function checkRelay(config: Settings): Promise<Finding[]> {
  const { relay } = config
  const { signal } = new AbortController()
  const has = hasKeys(relay)
  if (!has.evm && !has.antelope) return []
  const found: Finding[] = []
  /** @returns undefined after a failure, which is a finding */
  const attempt = async <T>(subject: string, work: () => Promise<T> | T, say: (made: T) => string) => {
    try {
      const made = await work()
      found.push(ok(subject, say(made)))
      return made
    } catch (error) {
      found.push(failure(subject, error, 'correct the settings of relay'))
      return undefined
    }
  }
  const where = (signer: string | undefined) => (signer === undefined ? 'readable by its owner alone' : 'at its signer')
  const evm = has.evm
    ? await attempt(
        'relayer key for EVM chains',
        () => evmKeyOf(relay, signal),
        (key) => `${key?.address}, ${where(relay.evmSigner)}`,
      )
    : null
  const antelope = has.antelope
    ? await attempt(
        'relayer key for Antelope chains',
        () => ({ key: antelopeKeyOf(relay, signal), permission: requirePermission(relay) }),
        ({ key, permission }) => `${key?.publicKey} for ${relay.account}@${permission}, ${where(relay.antelopeSigner)}`,
      )
    : null
  const targets = await attempt('relayer chains', () => usableTargets(config, has), chainsText)
  if (config.database !== undefined) found.push(await checkRelayDatabase(config.database))
  if (targets === undefined) return found
  const keys = { address: evm?.address ?? null, publicKey: antelope?.key?.publicKey ?? null }
  return [...found, ...(await checkRelayNodes(relay, targets, keys))]
}

function usableTargets(config: Settings, has: { evm: boolean; antelope: boolean }): Targets {
  const targets = targetsOf(config)
  requireContracts(targets, config.relay.actions, has)
  return targets
}

const chainsText = ({ evm, antelope, ledger }: Targets): string =>
  `${[...evm, ...antelope].map(({ name }) => name).join(', ') || 'none has a node'}; the ledger is on ${ledger.name}`
