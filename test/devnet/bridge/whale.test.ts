// The demo's large account is easy to find: its position is the first in the list of the largest pool's positions.
import t from 'tap'
import { buildExchange, WHALE } from '../../../devnet/contracts/exchange.ts'
import { waxProfile } from '../../../devnet/contracts/profile.ts'
import { type Places, Travellers } from '../../../devnet/relayer/travellers.ts'

interface Range {
  poolId: bigint
  owner: string
  tickLower: number
  tickUpper: number
  tokenADesired: { amount: bigint }
}
interface Call {
  name: string
  data: unknown
}

/** Liquidity of token A from the middle of a range to its end. */
function liquidityOf({ tickLower, tickUpper, tokenADesired }: Range): number {
  const inverse = (tick: number) => 1.0001 ** (-tick / 2)
  return Number(tokenADesired.amount) / (inverse((tickLower + tickUpper) / 2) - inverse(tickUpper))
}

t.test('the position of the large account has the most liquidity of the largest pool', async (t) => {
  const pushed: Call[] = []
  const wax = { rows: async () => [], push: async (calls: Call[]) => void pushed.push(...calls) }
  await new Travellers({ wax } as unknown as Places).settleWhale()
  const positions = [...buildExchange(waxProfile).genesis.flat(), ...pushed]
    .filter(({ name }: Call) => name === 'addliquid')
    .map(({ data }: Call) => data as Range)
    .filter(({ poolId }) => poolId === 0n)
    .sort((one, other) => liquidityOf(other) - liquidityOf(one))
  t.ok(positions.length > 1)
  t.equal(positions[0]?.owner, WHALE)
})
