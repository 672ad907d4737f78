// Swaps of a pool over HTTP, compared with the ledger's rows.
import t from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { MEDIUM_RECORDING } from '../../../indexer/replay/medium-recording.ts'
import { testApi } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { WAX_SCENE } from '../scene.ts'

const path = new URL('../../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname

interface Swap {
  _id: string
  pool: number
  trx_id: string
  sender: string
  recipient: string
  sqrtPriceX64: string
  totalUSDVolume: number
  tokenA: number
  tokenB: number
  time: string
}

for (const [name, scene] of [
  ['a recording', MEDIUM_RECORDING],
  ['a hundred days', WAX_SCENE],
] as const)
  t.test(`swaps of ${name}`, async (t) => {
    const database = await testDatabase(t, { scene })
    const api = await testApi(t, database)
    const { rows } = await database.pool.query(
      `select s.*, s.block_time as time, encode(trx_id, 'hex') as trx from ledger.swaps s where pool_id = 0 order by global_seq desc`,
    )
    const expected: Swap[] = rows.map((row) => ({
      _id: row.global_seq,
      pool: Number(row.pool_id),
      trx_id: row.trx,
      sender: row.sender,
      recipient: row.recipient,
      sqrtPriceX64: row.sqrt_price_x64,
      totalUSDVolume: Number(row.usd ?? 0),
      tokenA: Number(`${row.amount_a}e-${row.decimals_a}`),
      tokenB: Number(`${row.amount_b}e-${row.decimals_b}`),
      time: row.time.toISOString(),
    }))
    const get = async (query = ''): Promise<Swap[]> => (await api.get(`/api/v2/swap/pools/0/swaps${query}`)).body

    t.test('SWP-01 SWP-02 SWP-06 GEN-10 newest first, 200 by default, each as logged', async (t) => {
      t.ok(expected.length > 150)
      t.same(await get(), expected.slice(0, 200))
      t.same(await get('?limit=10000'), expected)
      t.same(await get('?limit=3'), expected.slice(0, 3))
    })

    t.test('SWP-02 joined pages equal the whole list, by skip and by cursor', async (t) => {
      const pages: Swap[] = []
      for (let skip = 0; skip < expected.length; skip += 37) pages.push(...(await get(`?limit=37&skip=${skip}`)))
      t.same(pages, expected)
      const walked: Swap[] = []
      for (let next: string | undefined = '/api/v2/swap/pools/0/swaps?limit=41'; next; ) {
        const answer = await api.get(next)
        walked.push(...answer.body)
        next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
      }
      t.same(walked, expected)
    })

    t.test('SWP-03 from and to are inclusive milliseconds, alone or together', async (t) => {
      const times = [...new Set(expected.map(({ time }) => Date.parse(time)))]
      for (const place of [0, 5, Math.floor(times.length / 2), times.length - 1]) {
        const at = times[place] as number
        const is = (low: number, high: number) =>
          expected.filter(({ time }) => Date.parse(time) >= low && Date.parse(time) <= high)
        t.same(await get(`?limit=10000&from=${at}&to=${at}`), is(at, at))
        t.same(await get(`?limit=10000&from=${at}`), is(at, Number.POSITIVE_INFINITY))
        t.same(await get(`?limit=10000&to=${at}`), is(0, at))
        t.same(await get(`?limit=10000&from=${at + 1}`), is(at + 1, Number.POSITIVE_INFINITY))
        t.same(await get(`?limit=10000&to=${at - 1}`), is(0, at - 1))
      }
      t.same(await get('?from=9e15'), [])
      t.same(await get('?from=5&to=4'), [])
    })

    t.test('SWP-04 sender and recipient, one or both', async (t) => {
      const { sender, recipient } = expected.find((swap) => swap.sender !== swap.recipient) as Swap
      t.same(
        await get(`?limit=10000&sender=${sender}`),
        expected.filter((swap) => swap.sender === sender),
      )
      t.same(
        await get(`?limit=10000&recipient=${recipient}`),
        expected.filter((swap) => swap.recipient === recipient),
      )
      t.same(
        await get(`?limit=10000&sender=${sender}&recipient=${recipient}`),
        expected.filter((swap) => swap.sender === sender && swap.recipient === recipient),
      )
      t.same(await get('?sender=nobody.here'), [])
    })

    t.test('SWP-05 one token enters, the other leaves', async (t) => {
      for (const { tokenA, tokenB } of await get('?limit=10000'))
        t.ok(Math.sign(tokenA) !== Math.sign(tokenB) || tokenA === 0 || tokenB === 0)
    })

    t.test('an unknown pool has no swaps; invalid parameters are 400, never 500', async (t) => {
      t.same((await api.get('/api/v2/swap/pools/424242/swaps')).body, [])
      for (const query of ['from=x', 'to=[]', 'limit=-1', 'limit=abc', 'limit=1.5', 'skip=-1', 'skip=1e99', 'cursor=x'])
        t.match(
          (await api.get(`/api/v2/swap/pools/0/swaps?${query}`)).body,
          { statusCode: 400, error: 'Bad Request' },
          query,
        )
      for (const query of ["sender=' or 1=1", 'from=-1', 'to=1e300', 'limit=0', 'limit=999999', 'sender='])
        t.equal((await api.get(`/api/v2/swap/pools/0/swaps?${query}`)).status, 200, query)
    })
  })

t.test('SWP-07 a swap over several pools is one record in each', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path))
  const api = await testApi(t, database)
  const { rows } = await database.pool.query(
    `select encode(trx_id, 'hex') as trx, array_agg(pool_id::int order by global_seq) as pools from ledger.swaps group by trx_id
     having count(distinct pool_id) > 1 limit 5`,
  )
  t.ok(rows.length > 0)
  for (const { trx, pools } of rows)
    for (const pool of new Set<number>(pools)) {
      const { body } = await api.get(`/api/v2/swap/pools/${pool}/swaps?limit=10000`)
      const times = pools.filter((one: number) => one === pool).length
      t.equal(body.filter((swap: Swap) => swap.trx_id === trx).length, times)
    }
})
