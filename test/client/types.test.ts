// Calls that the client's types allow and refuse. `npm run typecheck` checks the refusals: a line below
// `@ts-expect-error` that compiles is an error. At run time, only the calls are counted.
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
  for (const market of [3, '3', 3n])
    await client.get('/api/v2/account/{account}/deals', { path: { account: 'alice' }, query: { market } })
  await client.get('/api/bridge/v1/pending', { query: { domain: 56, limit: 10, cursor: null } })
  await client.get('/api/v3/swapRouter/getRoute', {
    query: {
      tradeType: 'exactIn',
      input: 'a-b',
      output: 'c-d',
      amount: '1.5',
      slippage: 0.5,
      maxHops: 2,
      orderbook: false,
      account: undefined,
    },
  })
  const posted = await client.post('/api/v2/cpu/cosign', { body: { serializedTransaction: '00' } })
  isTrue<Same<typeof posted.signature, string>>(true)
  await client.post('/v1/resource_provider/request_transaction', {
    body: { signer: 'alice@active', request: 'esr://x' },
  })
  for await (const message of client.facts({ query: { datasets: 'swaps', pool: 2, final: true, cursor: undefined } }))
    if (message.type === 'block') isTrue<Same<(typeof message.facts)[number]['sequence'], string>>(true)
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
  // @ts-expect-error a flag is not a text
  await client.get('/api/v2/tokens', { query: { hide_scam: 'yes' } })
  // @ts-expect-error the resolution is required
  await client.get('/api/v2/swap/pools/{poolId}/candles', { path: { poolId: 1 } })
  // @ts-expect-error there is no such resolution
  await client.get('/api/v2/swap/pools/{poolId}/candles', { path: { poolId: 1 }, query: { resolution: '2' } })
  // @ts-expect-error this list has no pages
  client.rows('/api/v2/tokens')
  // @ts-expect-error the answer has four lists with a cursor each; only an array can be paged
  client.rows('/api/bridge/v1/pending')
  // @ts-expect-error a required parameter is missing
  await client.get('/api/v3/udf/symbols', { query: { symbol: null } })
  // @ts-expect-error a time is a number
  await client.get('/api/v3/udf/history', { query: { symbol: 'pool:2', resolution: '60', from: '0', to: 1 } })
  // @ts-expect-error an amount is text
  await client.get('/api/v3/market/price', { query: { base: 'a-b', quote: 'c-d', amount: 1.5 } })
  // @ts-expect-error this path has no POST
  await client.post('/api/v2/tokens')
  // @ts-expect-error this path has no GET
  await client.get('/api/v2/cpu/status')
  // @ts-expect-error the body is required
  await client.post('/api/v2/cpu/cosign')
  // @ts-expect-error a stream has no end: `facts` reads it
  await client.get('/api/v3/stream/facts')
  // @ts-expect-error there is no such filter
  client.facts({ query: { kind: 'swaps' } })
  const [token] = await client.get('/api/v2/tokens')
  // @ts-expect-error a token has no such member
  return token?.price
}

t.test('types need an address', async (t) => {
  t.throws(() => createClient({ baseUrl: 'wax.example.org' }), TypeError)
  t.same(Object.keys(createClient({ baseUrl: 'https://wax.example.org' })).sort(), [
    'ask',
    'facts',
    'get',
    'post',
    'rows',
  ])
})
