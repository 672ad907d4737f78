// Which calls the relayer signs on an EVM chain: those of a fixed list, to contracts of the configuration. A proof names
// its contracts, and it is not trusted.
import { publishedInterface } from '../../proofs/release-calls.ts'
import { NotAllowed } from '../choice/refusal.ts'
import type { EvmChain } from './chain.ts'

/** Contracts of one EVM chain, 0x and 40 lower-case hex digits. */
export interface EvmContracts {
  withdrawals: readonly string[]
  lightClients: readonly string[]
}

const RULES = {
  withdrawals: { name: 'SvcWithdrawals', methods: ['release', 'expire', 'submitAndRelease', 'submitAndExpire'] },
  lightClients: { name: 'SvcLightClient', methods: ['submitAndLearn'] },
} as const

/** @throws NotAllowed when the contract is not configured, or the method is not of the list */
export function requireAllowedCall({ to, data }: { to: string; data: string }, contracts: EvmContracts): void {
  const address = to.toLowerCase()
  const selector = data.slice(0, 10).toLowerCase()
  for (const role of ['withdrawals', 'lightClients'] as const) {
    const { name, methods } = RULES[role]
    const selectors = methods.map((method) => publishedInterface(name).getFunction(method)?.selector)
    if (contracts[role].includes(address) && selectors.includes(selector)) return
  }
  throw new NotAllowed(
    `the call ${selector} of ${address} is not one of a release on contracts.withdrawals or contracts.lightClients`,
  )
}

/** Whom a call of a withdrawals contract pays, in lower case; null for a call that pays no one. */
export function recipientOf(data: string): string | null {
  try {
    const call = publishedInterface('SvcWithdrawals').parseTransaction({ data })
    if (call === null || !['release', 'submitAndRelease'].includes(call.name)) return null
    // The arguments of the release are the last ones of both.
    return String(call.args.at(-1).recipient).toLowerCase()
  } catch {
    // Data that no contract can read.
    return null
  }
}

/** Whether a call only uses a nonce. The action of a stored row says nothing: its call is what is signed. */
export function isCancel({ to, data }: Call, address: string): boolean {
  return to.toLowerCase() === address.toLowerCase() && data === '0x'
}

interface Call {
  to: string
  data: string
}

/** @throws NotAllowed for the first call that may not be signed */
export type CallGuard = (calls: readonly Call[]) => Promise<void>

/** Checks calls before they are signed. Light clients that are not configured are read from the withdrawals contracts. */
export function callGuard(chain: { lightClientsOf: EvmChain['lightClientsOf'] }, contracts: EvmContracts): CallGuard {
  const { withdrawals, lightClients } = contracts
  let known: readonly string[] | null = lightClients.length > 0 ? lightClients : null
  return async (calls) => {
    const isOfOthers = calls.some(({ to }) => !withdrawals.includes(to.toLowerCase()))
    if (isOfOthers) known ??= await chain.lightClientsOf(withdrawals)
    for (const call of calls) requireAllowedCall(call, { withdrawals, lightClients: known ?? [] })
  }
}
