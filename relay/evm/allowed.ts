// Which calls the relayer signs on an EVM chain: those of a fixed list, to contracts of the configuration. A proof names
// its contracts, and it is not trusted.
import { publishedInterface } from '../../proofs/release-calls.ts'
import { NotAllowed } from '../choice/refusal.ts'

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
