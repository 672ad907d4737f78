// Permissions of accounts: keys and links to actions. An account without configured permissions has `owner` and
// `active` without keys, which anyone may use.

import type { ActionData } from './contract.ts'
import { ContractError } from './contract-error.ts'

export interface Permission {
  readonly name: string
  readonly parent: string
  readonly threshold: number
  readonly keys: readonly { readonly key: string; readonly weight: number }[]
  /** Actions that require this permission. An empty action name means all actions of the contract. */
  readonly links: readonly Link[]
}

export type Permissions = readonly Permission[]

interface Link {
  readonly account: string
  readonly action: string
}

const DEFAULT_PERMISSIONS: readonly string[] = ['owner', 'active']

interface Authority {
  threshold: number
  keys: { key: string; weight: number }[]
  accounts: unknown[]
  waits: unknown[]
}

export function isPermissionAction(name: string): boolean {
  return name === 'updateauth' || name === 'linkauth' || name === 'unlinkauth'
}

/** Permissions after one of the system account's actions. @throws ContractError */
export function changePermissions(permissions: Permissions, name: string, data: ActionData): Permissions {
  if (name === 'updateauth') return updated(permissions, data)
  const { code, type } = data as { code: string; type: string }
  const free = permissions.map((one) => ({
    ...one,
    links: one.links.filter(({ account, action }) => account !== code || action !== type),
  }))
  if (name === 'unlinkauth') return free
  const requirement = data.requirement as string
  if (!permissions.some((one) => one.name === requirement))
    throw new ContractError(`Failed to retrieve permission: ${requirement}`)
  return free.map((one) =>
    one.name === requirement ? { ...one, links: [...one.links, { account: code, action: type }] } : one,
  )
}

function updated(permissions: Permissions, data: ActionData): Permissions {
  const { permission: name, parent, auth } = data as { permission: string; parent: string; auth: Authority }
  const { threshold, keys, accounts, waits } = auth
  if (accounts.length + waits.length > 0) throw new ContractError('only keys are supported here')
  const sum = keys.reduce((total, { weight }) => total + weight, 0)
  if (threshold === 0 || sum < threshold) throw new ContractError('Invalid authority')
  const isParent = DEFAULT_PERMISSIONS.includes(parent) || permissions.some((one) => one.name === parent)
  if (name === parent || (!isParent && name !== 'owner')) throw new ContractError(`Unknown permission: ${parent}`)
  const links = permissions.find((one) => one.name === name)?.links ?? []
  return [...permissions.filter((one) => one.name !== name), { name, parent, threshold, keys, links }]
}

/** The permission that an action requires: the linked one, otherwise `active`. */
export function requiredFor(permissions: Permissions, { account, name }: { account: string; name: string }): string {
  const linked = (action: string) =>
    permissions.find(({ links }) => links.some((link) => link.account === account && link.action === action))
  return (linked(name) ?? linked(''))?.name ?? 'active'
}

/** Whether a permission equals the required one or is its ancestor. */
export function covers(permissions: Permissions, name: string, required: string): boolean {
  for (let at: string | undefined = required; at !== undefined && at !== ''; at = parentOf(permissions, at))
    if (at === name) return true
  return false
}

function parentOf(permissions: Permissions, name: string): string | undefined {
  const known = permissions.find((one) => one.name === name)
  if (known) return known.parent
  return name === 'active' ? 'owner' : undefined
}

/** Whether the permission exists. */
export function isPermission(permissions: Permissions, name: string): boolean {
  return DEFAULT_PERMISSIONS.includes(name) || permissions.some((one) => one.name === name)
}
