// How a token is distributed over its holders: shares of the largest, and holders by the size of their balance.
import { Type } from 'typebox'
import { perObject } from '../../../core/cache.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { significant } from '../../kit/digits.ts'
import { decimalText } from '../../kit/numbers.ts'
import { markOf } from '../../kit/snapshot.ts'
import { Complete, Text, TextOrNull } from '../value-schema.ts'
import { HolderCounts, type Sizes } from './holder-counts.ts'
import { TokenParams } from './schema.ts'
import { partsOf } from './token-id.ts'

const share = TextOrNull('Part of the supply, 8 significant digits; null when there is no supply.')
const amount = Text('Tokens that they hold together, exact.')

const DistributionAnswer = Type.Object({
  block: Type.Integer({
    description: 'Block as of which the answer is. Of a token with very many holders, it can be an earlier block.',
  }),
  token: Text('Token id.'),
  holders: Type.Integer({ description: 'Accounts with a balance.' }),
  complete: Complete,
  largest: Type.Array(Type.Object({ count: Type.Integer({ description: 'Number of holders.' }), amount, share }), {
    description: 'The largest 1, 10, 50 and 100 holders together. With fewer holders: all of them.',
  }),
  buckets: Type.Array(
    Type.Object({
      from: Text('Smallest balance of the bucket, in tokens: a power of ten.'),
      below: Text('Ten times `from`: balances of the bucket are below it.'),
      holders: Type.Integer({ description: 'Accounts with such a balance.' }),
      amount,
      share,
    }),
    { description: 'By size of the balance, the largest first, without gaps.' },
  ),
})

const countsOf = perObject(({ pool }: Pick<ChainContext, 'pool'>) => new HolderCounts(pool))

export function tokenDistributionRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'How a token is distributed over its holders',
    params: TokenParams,
    response: { 200: DistributionAnswer },
  }
  api.get('/api/v3/explore/token/:tokenId/distribution', { schema }, async (request, reply) => {
    const { chain } = request.chain
    const token = request.params.tokenId.toLowerCase()
    const { contract, symbol } = partsOf(token)
    const row = await countsOf(request.chain).of([chain, contract, symbol])
    if (row === undefined) throw new HttpError(503, 'The chain has no indexed block yet')
    if (row.supply === null || row.decimals === null)
      throw new HttpError(404, `The balances of ${token} are not watched: its holders are not known`)
    mark(request, reply, markOf(row))
    request.taggedByContent = true
    const { decimals } = row
    const supply = BigInt(row.supply)
    const held = (sum: bigint) => ({
      amount: decimalText(sum, decimals),
      share: supply === 0n ? null : significant({ numerator: sum, denominator: supply }),
    })
    const holders = row.sizes.reduce((sum, size) => sum + size.holders, 0)
    return {
      block: markOf(row).block,
      token,
      holders,
      complete: row.isWhole,
      largest: row.largest.map(({ count, sum }) => ({ count, ...held(BigInt(sum)) })),
      buckets: withoutGaps(row.sizes).map(({ digits, holders: some, sum }) => ({
        from: decimalText(10n ** BigInt(digits - 1), decimals),
        below: decimalText(10n ** BigInt(digits), decimals),
        holders: some,
        ...held(BigInt(sum)),
      })),
    }
  })
}

/** @param sizes  the largest first */
function withoutGaps(sizes: readonly Sizes[]): Sizes[] {
  const [first, last] = [sizes[0]?.digits ?? 0, sizes.at(-1)?.digits ?? 1]
  return Array.from({ length: first - last + 1 }, (_, i) => {
    const digits = first - i
    return sizes.find((size) => size.digits === digits) ?? { digits, holders: 0, sum: '0' }
  })
}
