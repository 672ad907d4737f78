// Sets up the account of a devnet's relayer as the relayer's guide requires: a permission with one key, linked only to
// the contracts of the bridge.
import { call } from '../contracts/actions.ts'
import { RELAYER } from '../contracts/exchange.ts'
import type { AntelopeNode } from './antelope-node.ts'

export const RELAYER_PERMISSION = 'relay'

/** @param publicKey `PUB_K1_...` @param contracts that the relayer calls on this chain @throws NodeError */
export async function setUpRelayer(
  node: Pick<AntelopeNode, 'push'>,
  publicKey: string,
  contracts: readonly string[],
): Promise<void> {
  const auth = { threshold: 1, keys: [{ key: publicKey, weight: 1 }], accounts: [], waits: [] }
  const permission = { account: RELAYER, permission: RELAYER_PERMISSION, parent: 'active', auth }
  const links = contracts.map((code) => ({ account: RELAYER, code, type: '', requirement: RELAYER_PERMISSION }))
  await node.push([
    call('eosio', 'updateauth', RELAYER, permission),
    ...links.map((link) => call('eosio', 'linkauth', RELAYER, link)),
  ])
}
