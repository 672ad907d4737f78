// What the client's types allow and what they refuse. The refusals are checked by `npm run typecheck`: a line below
// `@ts-expect-error` that compiles is an error. Nothing of it runs but the count.
import t from 'tap'
import { type Body, type Client, createClient, type Row } from '../../client/index.ts'

type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false
const isTrue = <T extends true>(value: T) => value

export async function allowed(client: Client) {
  await client.get('/api/v2/tokens')
  await client.get('/api/v2/tokens', { query: { hide_scam: true } })
  const pool = await client.get('/api/v2/swap/pools/{poolId}', { path: { poolId: '1' } })
  isTrue<Same<Extract<typeof pool, null>, null>>(true)
  const liquidity: string | undefined = pool?.liquidity
  const candles = await client.get('/api/v2/swap/pools/{poolId}/candles', {
    path: { poolId: 1 },
    query: { resolution: '1D', volumeField: 'volumeA' },
  })
  const open: string | undefined = candles[0]?.open
  for await (const swap of client.rows('/api/v2/account/{account}/swap-history', { path: { account: 'alice' } })) {
    isTrue<Same<typeof swap.tokenA, number>>(true)
  }
  isTrue<Same<Body<'/api/v2/swap/pools/{poolId}/swaps'>[number], Row<'/api/v2/swap/pools/{poolId}/swaps'>>>(true)
  return [liquidity, open]
}

export async function refused(client: Client) {
  // @ts-expect-error no such path
  await client.get('/api/v2/swap/pool')
  // @ts-expect-error a path with parameters needs them
  await client.get('/api/v2/swap/pools/{poolId}')
  // @ts-expect-error the parameter has another name
  await client.get('/api/v2/swap/pools/{poolId}', { path: { pool: '1' } })
  // @ts-expect-error a path without parameters takes none
  await client.get('/api/v2/tokens', { path: { tokenId: 'x' } })
  // @ts-expect-error the query's parameter has another name
  await client.get('/api/v2/tokens', { query: { hideScam: true } })
  // @ts-expect-error a flag is no text
  await client.get('/api/v2/tokens', { query: { hide_scam: 'yes' } })
  // @ts-expect-error the resolution is required
  await client.get('/api/v2/swap/pools/{poolId}/candles', { path: { poolId: 1 } })
  // @ts-expect-error there is no such resolution
  await client.get('/api/v2/swap/pools/{poolId}/candles', { path: { poolId: 1 }, query: { resolution: '2' } })
  // @ts-expect-error this list has no pages
  client.rows('/api/v2/tokens')
  const [token] = await client.get('/api/v2/tokens')
  // @ts-expect-error a token has no such member
  return token?.price
}

t.test('types need an address', async (t) => {
  t.throws(() => createClient({ baseUrl: 'wax.example.org' }), TypeError)
  t.same(Object.keys(createClient({ baseUrl: 'https://wax.example.org' })).sort(), ['ask', 'get', 'rows'])
})
