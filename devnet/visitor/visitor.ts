// Whoever tries a devnet out: an account on both simulated chains and an address of the EVM node, with tokens of the bridge
// to move. Nobody else acts for them: their releases and collections are their own.
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

/** The key that development chains of Antelope share. A devnet checks no signatures; wallets want to sign with something. */
export const VISITOR_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

/** USD of each token of the bridge, on each chain. */
const USD = 5_000
/** Has plenty of everything. */
const GIVER = 'trent.lp'

interface Places {
  telos: AntelopeNode
  wax: AntelopeNode
  evm: EvmRpc
}

/** Gives the visitor something to move, once the chains go on live. */
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
    return call(token.contract, 'transfer', GIVER, { from: GIVER, to: VISITOR, quantity, memo: 'welcome' })
  })
}
