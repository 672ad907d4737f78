// Calls of the published EVM contracts that end a withdrawal, from its proof.
import { Interface, type InterfaceAbi } from 'ethers'
// Imported, not read: the package of the relayer has no folder abis/.
import lightClientAbi from '../abis/SvcLightClient.abi.json' with { type: 'json' }
import vaultAbi from '../abis/SvcVault.abi.json' with { type: 'json' }
import withdrawalsAbi from '../abis/SvcWithdrawals.abi.json' with { type: 'json' }
import { UserError } from '../core/errors.ts'
import type { HandoffArguments, SubmitRootArguments, WithdrawalProof } from './json.ts'

type ContractName = 'SvcWithdrawals' | 'SvcLightClient' | 'SvcVault'

/** `learn`: hand-off of a finalizer policy. `light`: by a stored root. `submit`: with a root of its own. */
export type ReleaseStep = 'learn' | 'light' | 'submit'

export interface ReleaseCall {
  step: ReleaseStep
  /** Contract, 0x and 40 digits. */
  to: string
  /** 0x and hex digits. */
  data: string
}

const ABIS: Readonly<Record<ContractName, InterfaceAbi>> = {
  SvcLightClient: lightClientAbi,
  SvcVault: vaultAbi,
  SvcWithdrawals: withdrawalsAbi,
}
const interfaces = new Map<ContractName, Interface>()

export function publishedInterface(name: ContractName): Interface {
  const known = interfaces.get(name)
  if (known) return known
  const made = new Interface(ABIS[name])
  interfaces.set(name, made)
  return made
}

/** Name of a custom error of the published contracts in revert data; null for any other data. */
export function publishedError(data: string | null): string | null {
  if (data === null || data.length < 10) return null
  for (const name of ['SvcWithdrawals', 'SvcVault', 'SvcLightClient'] as const) {
    const found = publishedInterface(name).parseError(data)
    if (found) return found.name
  }
  return null
}

/** Arguments of `submitRoot`, in order. */
function rootArguments({ finality, bits, signature, policyKeys, pending }: SubmitRootArguments): unknown[] {
  return [finality, bits, signature, policyKeys, pending]
}

/**
 * Calls that end a withdrawal, in order: each needs the ones before it in a block.
 *
 * @param action  `release`, or `expire` after the deadline
 * @throws UserError PROOF_WITHOUT_CONTRACT when the chain is configured without its contracts
 */
export function releaseCalls({ light, hard }: WithdrawalProof, action: 'release' | 'expire'): ReleaseCall[] {
  const to = requireAddress(light?.releaseTo ?? hard.releaseTo)
  const encode = (method: string, values: unknown[]) =>
    publishedInterface('SvcWithdrawals').encodeFunctionData(method, values)
  if (light) return [{ step: 'light', to, data: encode(action, [light.release]) }]
  const learn = hard.handoffs.map((handoff) => learnCall(hard.lightClient, handoff))
  const method = action === 'release' ? 'submitAndRelease' : 'submitAndExpire'
  return [...learn, { step: 'submit', to, data: encode(method, [...rootArguments(hard.submitRoot), hard.release]) }]
}

/** Call that hands a finalizer policy over. @throws UserError PROOF_WITHOUT_CONTRACT */
export function learnCall(lightClient: string | null, { submitRoot, learn }: HandoffArguments): ReleaseCall {
  const values = [...rootArguments(submitRoot), learn]
  const data = publishedInterface('SvcLightClient').encodeFunctionData('submitAndLearn', values)
  return { step: 'learn', to: requireAddress(lightClient), data }
}

/** A transaction without an address would create a contract. */
function requireAddress(contract: string | null): string {
  if (contract !== null) return contract
  throw new UserError('PROOF_WITHOUT_CONTRACT', 'the proof names no contract to send it to', {
    hint: 'the chain is configured without: set contracts.withdrawals and contracts.lightClients of the chain',
  })
}
