// The user who tries the devnet: an account on both simulated chains and an address of the EVM node, with tokens of the
// bridge. No program acts for this user: releases and collections are left to them.
import { call } from '../contracts/actions.ts'
import { amountOf, bridgedTokens, VISITOR } from '../contracts/exchange.ts'
import { type Profile, telosProfile, waxProfile } from '../contracts/profile.ts'
import { OWNER_ADDRESS, VISITOR_ADDRESS } from '../evm/accounts.ts'
import { USDC_ADDRESS, USDT_ADDRESS } from '../evm/addresses.ts'
import { encode } from '../evm/deploy.ts'
import type { EvmRpc } from '../evm/rpc.ts'
import type { AntelopeNode } from '../relayer/antelope-node.ts'
import { execute } from '../relayer/evm-account.ts'

export { VISITOR } from '../contracts/exchange.ts'
export { VISITOR_ADDRESS } from '../evm/accounts.ts'

/**
 * Private key that Antelope development chains share. The devnet does not check signatures of accounts without keys,
 * such as this one; wallets need a key to sign.
 */
export const VISITOR_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

/** Value of each of the bridge's tokens on each chain, USD. */
const USD = 5_000
/** Account that gives the tokens. */
const FUNDER = 'trent.lp'

interface Places {
  telos: AntelopeNode
  wax: AntelopeNode
  evm: EvmRpc
}

/** Funds the visitor's accounts, once the chains are live. */
export async function fundVisitor({ telos, wax, evm }: Places): Promise<void> {
  await telos.push(gifts(telosProfile))
  await wax.push(gifts(waxProfile))
  const amount = BigInt(USD) * 10n ** 6n
  for (const token of [USDC_ADDRESS, USDT_ADDRESS]) {
    const data = encode('PlainToken', 'transfer', [VISITOR_ADDRESS, amount])
    await execute(evm, { from: OWNER_ADDRESS, to: token, data })
  }
}

function gifts(profile: Profile) {
  return bridgedTokens(profile).map((token) => {
    const quantity = amountOf(token, USD / token.usd)
    return call(token.contract, 'transfer', FUNDER, { from: FUNDER, to: VISITOR, quantity, memo: 'welcome' })
  })
}
