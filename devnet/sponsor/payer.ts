// Sets up the account that pays CPU as the cosigner's guide requires: a permission with one key, linked only to the
// noop action.

import { call } from '../contracts/actions.ts'
import { SPONSOR } from '../contracts/sponsor.ts'
import type { AntelopeNode } from '../relayer/antelope-node.ts'

export const PERMISSION = 'bw'

/** @param publicKey  `PUB_K1_...` @throws NodeError */
export async function setUpPayer(wax: Pick<AntelopeNode, 'push'>, publicKey: string): Promise<void> {
  const auth = { threshold: 1, keys: [{ key: publicKey, weight: 1 }], accounts: [], waits: [] }
  const permission = { account: SPONSOR, permission: PERMISSION, parent: 'active', auth }
  const link = { account: SPONSOR, code: SPONSOR, type: 'noop', requirement: PERMISSION }
  await wax.push([call('eosio', 'updateauth', SPONSOR, permission), call('eosio', 'linkauth', SPONSOR, link)])
}
