// The parts of a node's `get_account` that the cosigner reads.
import type { Json } from '../../net/chain-api.ts'

export interface Permission {
  name: string
  parent: string
  /** Number of accounts that the permission is delegated to. */
  delegates: number
  threshold: number
  /** Weights by key, as the node writes keys. */
  keys: { key: string; weight: number }[]
  /**
   * Actions that the permission is linked to; null when the node does not list them. An empty action means all actions
   * of the contract.
   */
  links: { account: string; action: string }[] | null
}

export interface AccountInfo {
  name: string
  /** Unix milliseconds. */
  created: number
  permissions: Permission[]
  cpu: CpuLimit
}

/** Microseconds in the chain's 24-hour window. */
export interface CpuLimit {
  used: bigint
  /** Negative: no limit. */
  max: bigint
}

/** @throws TypeError, SyntaxError, RangeError when the answer has another format */
export function parseAccount(answer: Json): AccountInfo {
  const { account_name, created, permissions, cpu_limit } = answer
  const { used, max } = cpu_limit as Json
  return {
    name: String(account_name),
    created: Date.parse(`${String(created).replace(/Z$/, '')}Z`),
    permissions: (permissions as Json[]).map(parsePermission),
    cpu: { used: BigInt(used as string | number), max: BigInt(max as string | number) },
  }
}

function parsePermission({ perm_name, parent, required_auth, linked_actions }: Json): Permission {
  const { threshold, keys, accounts } = required_auth as Json
  const links = Array.isArray(linked_actions)
    ? linked_actions.map(({ account, action }) => ({
        account: String(account),
        action: String(action ?? ''),
      }))
    : null
  return {
    name: String(perm_name),
    parent: String(parent),
    delegates: Array.isArray(accounts) ? accounts.length : 0,
    threshold: Number(threshold),
    keys: ((keys ?? []) as Json[]).map(({ key, weight }) => ({ key: String(key), weight: Number(weight) })),
    links,
  }
}
