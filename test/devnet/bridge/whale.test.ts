// The demo's large account is easy to find: its positions are the first in the lists of the largest pools.
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

t.test('the position of the large account has the most liquidity of each of the three largest pools', async (t) => {
  const pushed: Call[] = []
  const wax = { rows: async () => [], push: async (calls: Call[]) => void pushed.push(...calls) }
  await new Travellers({ wax } as unknown as Places).settleWhale()
  const all = [...buildExchange(waxProfile).genesis.flat(), ...pushed]
    .filter(({ name }: Call) => name === 'addliquid')
    .map(({ data }: Call) => data as Range)
  for (const id of [0n, 1n, 2n]) {
    const positions = all
      .filter(({ poolId }) => poolId === id)
      .sort((one, other) => liquidityOf(other) - liquidityOf(one))
    t.ok(positions.length > 1)
    t.equal(positions[0]?.owner, WHALE, `pool ${id}`)
  }
})
