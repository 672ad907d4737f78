// The accounts of a chain by role, from the configuration.
import { UserError } from '../../core/errors.ts'
import type { ContractRole } from './projection.ts'

/** A contract that credits the deposits of one domain. */
export interface Gateway {
  account: string
  domain: bigint
}

/** Accounts by role; token contracts are configured separately. */
export interface RoleAccounts extends Partial<Record<Exclude<ContractRole, 'token' | 'gateway'>, string>> {
  gateways?: readonly Gateway[]
}

export interface RoleAccount {
  role: Exclude<ContractRole, 'token'>
  account: string
  /** For a gateway: the domain whose deposits it credits. */
  domain: bigint | null
}

/**
 * All configured roles with their account; `gateway` may have several.
 *
 * @throws UserError GATEWAY_TWICE when an account is the gateway of two domains, because its actions have no domain
 */
export function listRoles({ gateways = [], ...single }: RoleAccounts): RoleAccount[] {
  const listed = (Object.entries(single) as [RoleAccount['role'], string | undefined][]).flatMap(([role, account]) =>
    account === undefined ? [] : [{ role, account, domain: null }],
  )
  const domains = gatewayDomains(gateways)
  return [...listed, ...[...domains].map(([account, domain]) => ({ role: 'gateway' as const, account, domain }))]
}

/** All accounts with a role, without duplicates. @throws as `listRoles` */
export function roleAccountNames(accounts: RoleAccounts): string[] {
  return [...new Set(listRoles(accounts).map(({ account }) => account))]
}

/** The domain of each gateway, by account. @throws as `listRoles` */
export function gatewayDomains(gateways: readonly Gateway[]): Map<string, bigint> {
  const domains = new Map<string, bigint>()
  for (const { account, domain } of gateways) {
    const before = domains.get(account) ?? domain
    if (before !== domain) {
      throw new UserError(
        'GATEWAY_TWICE',
        `${account} is configured as the gateway of domains ${before} and ${domain}`,
        {
          hint: 'name one domain for each account in accounts.gateways',
          place: { contract: account },
        },
      )
    }
    domains.set(account, domain)
  }
  return domains
}
