// Checks the relayer: its keys, and the nodes that it would send to.
import type { Config } from '../../config/program-schema.ts'
import { requirePermission } from '../../relay/antelope/key.ts'
import { requireContracts, targetsOf } from '../../relay/chains.ts'
import { antelopeKeyOf, evmKeyOf, hasKeys } from '../../relay/keys.ts'
import { type Finding, failure, ok } from './finding.ts'

/** No findings if no key is configured. */
export async function checkRelay(
  config: Pick<Config, 'chains' | 'evm' | 'relay' | 'bridgeLedger'>,
): Promise<Finding[]> {
  const { relay } = config
  const { signal } = new AbortController()
  const has = hasKeys(relay)
  if (!has.evm && !has.antelope) return []
  const attempt = async (subject: string, work: () => Promise<string> | string): Promise<Finding> => {
    try {
      return ok(subject, await work())
    } catch (error) {
      return failure(subject, error, 'correct the settings of relay')
    }
  }
  const where = (signer: string | undefined) => (signer === undefined ? 'readable by its owner alone' : 'at its signer')
  const findings: Promise<Finding>[] = []
  if (has.evm)
    findings.push(
      attempt('relayer key for EVM chains', async () => {
        return `${(await evmKeyOf(relay, signal))?.address}, ${where(relay.evmSigner)}`
      }),
    )
  if (has.antelope)
    findings.push(
      attempt('relayer key for Antelope chains', () => {
        const key = antelopeKeyOf(relay, signal)
        return `${key?.publicKey} for ${relay.account}@${requirePermission(relay)}, ${where(relay.antelopeSigner)}`
      }),
    )
  findings.push(
    attempt('relayer chains', () => {
      const targets = targetsOf(config)
      const { evm, antelope, ledger } = targets
      requireContracts(targets, relay.actions, has)
      return `${[...evm, ...antelope].map(({ name }) => name).join(', ') || 'none has a node'}; the ledger is on ${ledger.name}`
    }),
  )
  return Promise.all(findings)
}
