// Which actions the relayer's account authorises: those of a fixed list, on contracts of the configuration. Proofs and
// entries of the bridge API name contracts and actions, and they are not trusted.
import type { RelayConfig } from '../../config/relay-schema.ts'
import { NotAllowed } from '../choice/refusal.ts'
import type { RelayAction } from '../pending.ts'

/** Contracts of one Antelope chain by role, from its configuration. */
export interface AntelopeContracts {
  bridge: readonly string[]
  hop: readonly string[]
  gateways: readonly string[]
}

interface Rule {
  role: keyof AntelopeContracts
  names: readonly string[]
}

/** Actions that a proof of a deposit consists of (abis/gateway.evm.abi.json, abis/gateway.antelope.abi.json). */
const CREDITING = ['credit', 'update', 'attest', 'extend', 'submitroot', 'learn', 'schedule'] as const

const RULES: Readonly<Partial<Record<RelayAction, Rule>>> = {
  pay: { role: 'bridge', names: ['pay'] },
  credit: { role: 'gateways', names: CREDITING },
  forward: { role: 'bridge', names: ['forward'] },
  bounce: { role: 'bridge', names: ['bounce'] },
  settle: { role: 'gateways', names: ['settle'] },
  refund: { role: 'bridge', names: ['refund'] },
  recover: { role: 'hop', names: ['recover'] },
}

/**
 * Checks one action before it is packed and signed.
 *
 * @param action  what the relayer does
 * @param account contract that the API names
 * @param name    action of that contract
 * @throws NotAllowed
 */
export function requireAllowedAction(
  contracts: AntelopeContracts,
  action: RelayAction,
  account: string,
  name: string,
): void {
  const rule = RULES[action]
  if (rule?.names.includes(name) === true && contracts[rule.role].includes(account)) return
  const where =
    rule === undefined ? 'no contract' : `accounts.${rule.role}: ${contracts[rule.role].join(', ') || 'none'}`
  throw new NotAllowed(`${account}::${name} is not part of ${action} on the configured contracts (${where})`)
}

/** Actions of a contract that the relayer's permission has to be linked to. */
export interface LinkedActions {
  account: string
  names: readonly string[]
}

/**
 * Actions that the relayer sends to one chain, by its settings.
 *
 * @param isLedger  payments go to the other chains, everything else to the ledger's
 */
export function linkedActionsOf(
  contracts: AntelopeContracts,
  { actions, outcomes }: Pick<RelayConfig, 'actions' | 'outcomes'>,
  isLedger: boolean,
): LinkedActions[] {
  const names = new Map<string, string[]>()
  for (const action of actions) {
    const rule = RULES[action]
    if (rule === undefined || (action === 'pay') === isLedger || (action === 'settle' && outcomes === 'none')) continue
    for (const account of contracts[rule.role]) names.set(account, [...(names.get(account) ?? []), ...rule.names])
  }
  return [...names].map(([account, list]) => ({ account, names: list }))
}
