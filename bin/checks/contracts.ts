// Checks that the configured accounts have contracts with the actions and tables that the indexer reads.
import type { ChainConfig } from '../../config/schema.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import type { NodeApi } from '../../indexer/bootstrap/node-api.ts'
import { Projector } from '../../indexer/project/projector.ts'
import { listRoles } from '../../indexer/project/role-accounts.ts'
import { roleAccounts } from '../index-chains.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'

export async function checkContracts(api: NodeApi, config: ChainConfig): Promise<Finding[]> {
  const accounts = roleAccounts(config)
  const { wanted } = new Projector({ chain: config.chain, accounts, tokenContracts: [] })
  return await Promise.all(
    listRoles(accounts).map(async ({ role, account }) => {
      const subject = `${config.chain} ABI of ${account} (${role})`
      try {
        const packed = await api.rawAbi(account)
        const setting = role === 'gateway' ? 'gateways' : role
        if (packed === null)
          return fail(
            subject,
            'no contract',
            `correct accounts.${setting} of ${config.chain}, or leave it out if that chain has no such contract`,
          )
        const abi = parseAbi(packed)
        const actions = new Set(abi.actions.map(({ name }) => name))
        const tables = new Set(abi.tables.map(({ name }) => name))
        const missing = [
          ...[...(wanted.actions.get(account) ?? [])].filter((name) => !actions.has(name)),
          ...[...(wanted.tables.get(account) ?? [])].filter((name) => !tables.has(name)).map((name) => `table ${name}`),
        ]
        if (missing.length === 0) return ok(subject, `${actions.size} actions, ${tables.size} tables`)
        return warn(
          subject,
          `lacks ${missing.sort().join(', ')}`,
          'what it lacks is not indexed; older contracts are like that',
        )
      } catch (error) {
        return failure(subject, error, 'look at the contract')
      }
    }),
  )
}
