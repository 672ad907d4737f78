// Accounts of roles, from the configuration to the watched contracts.
import t from 'tap'
import { roleAccounts } from '../../../bin/index-chains.ts'
import type { ChainConfig } from '../../../config/schema.ts'
import { Projector } from '../../../indexer/project/projector.ts'
import { gatewayDomains, listRoles, roleAccountNames } from '../../../indexer/project/role-accounts.ts'

const WAX = 1181148696416462999n

t.test('a configuration names gateways by domain, and all other roles once', (t) => {
  const configured = {
    ...{ system: 'eosio', amm: 'swap.svc', bridge: 'bridge.svc', hop: 'bridge.svc', liquid: 'liquid.svc' },
    gateways: [
      { account: 'gateway.evm', domain: '1' },
      { account: 'gateway.wax', domain: `${WAX}` },
    ],
  }
  const accounts = roleAccounts({ accounts: configured } as ChainConfig)
  t.same(listRoles(accounts), [
    { role: 'amm', account: 'swap.svc', domain: null },
    { role: 'bridge', account: 'bridge.svc', domain: null },
    { role: 'hop', account: 'bridge.svc', domain: null },
    { role: 'liquid', account: 'liquid.svc', domain: null },
    { role: 'gateway', account: 'gateway.evm', domain: 1n },
    { role: 'gateway', account: 'gateway.wax', domain: WAX },
  ])
  t.same(roleAccountNames(accounts), ['swap.svc', 'bridge.svc', 'liquid.svc', 'gateway.evm', 'gateway.wax'])
  const { wanted } = new Projector({ chain: 'test', accounts, tokenContracts: [] })
  for (const gateway of ['gateway.evm', 'gateway.wax']) t.same(wanted.actions.get(gateway), new Set(['credit']))
  t.same(wanted.actions.get('liquid.svc'), new Set(['noop']))
  t.ok(wanted.actions.get('bridge.svc')?.has('hoplog') && wanted.actions.get('bridge.svc')?.has('wdlog'))
  t.end()
})

t.test('no account is the gateway of two domains', (t) => {
  const twice = [1n, 56n].map((domain) => ({ account: 'gateway.evm', domain }))
  const refusal = { code: 'GATEWAY_TWICE', message: /gateway\.evm .* 1 and 56/, hint: /accounts\.gateways/ }
  t.throws(() => new Projector({ chain: 'test', accounts: { gateways: twice }, tokenContracts: [] }), refusal)
  t.same(gatewayDomains([twice[0]!, twice[0]!]), new Map([['gateway.evm', 1n]]), 'to say it twice is no matter')
  t.end()
})
