// Which accounts of a chain play which roles, as the configuration says.
import { UserError } from '../../core/errors.ts'
import type { ContractRole } from './projection.ts'

/** A contract that credits the deposits of one domain. */
export interface Gateway {
  account: string
  domain: bigint
}

/** Accounts that play the roles; contracts of `token` are named apart. */
export interface RoleAccounts extends Partial<Record<Exclude<ContractRole, 'token' | 'gateway'>, string>> {
  gateways?: readonly Gateway[]
}

export interface RoleAccount {
  role: Exclude<ContractRole, 'token'>
  account: string
  /** Of a gateway: the domain whose deposits it credits. */
  domain: bigint | null
}

/**
 * Every role with its account; a role that has none is absent, `gateway` may have several.
 *
 * @throws UserError GATEWAY_TWICE when an account is the gateway of two domains: its actions do not say which
 */
export function listRoles({ gateways = [], ...single }: RoleAccounts): RoleAccount[] {
  const listed = (Object.entries(single) as [RoleAccount['role'], string | undefined][]).flatMap(([role, account]) =>
    account === undefined ? [] : [{ role, account, domain: null }],
  )
  const domains = gatewayDomains(gateways)
  return [...listed, ...[...domains].map(([account, domain]) => ({ role: 'gateway' as const, account, domain }))]
}

/** All accounts that play a role, each once. @throws as `listRoles` */
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
