// The market API while blocks arrive and a fork removes some.
import t from 'tap'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { idOf, LiveExchange } from './stream/live-exchange.ts'

const WAX = 'wax-eosio.token'
const TLM = 'tlm-alien.worlds'

t.test('a live exchange', async (t) => {
  const live = await LiveExchange.start(t)
  const get = async (path: string) => (await live.api.get(`/api/v3/market/${path}`)).body
  const block = async (...transactions: ActionCall[][]) => {
    const num = live.block(transactions)
    await live.caughtUp()
    return num
  }

  await t.test('MKT-01 MKT-35 answers contain the changes of each block, with its number', async (t) => {
    let before = (await get('pools/2')).pool.price
    for (let i = 0; i < 3; i++) {
      const num = await block(live.swap('WAX', 'TLM', 500, [2]))
      const answer = await get('pools/2')
      t.equal(answer.block, num)
      t.not(answer.pool.price, before)
      before = answer.pool.price
      for (const path of ['tokens', `tokens/${TLM}`, `price?base=${TLM}&quote=${WAX}`, 'pools', 'orderbooks'])
        t.equal((await get(path)).block, num, path)
    }
  })

  await t.test('MKT-18 MKT-15 a sale brings as much as the route of the same amount', async (t) => {
    const { sell, buy } = await get(`price?base=${TLM}&quote=${WAX}&amount=1000`)
    const routed = (
      await live.api.get(`/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${TLM}&output=${WAX}&amount=1000`)
    ).body
    t.equal(routed.output.amount, sell.output)
    t.equal(buy.input, sell.output)
    t.ok(Number(buy.output) <= 1000)
  })

  await t.test('MKT-25 the same depth within ten seconds, and another one after a fork', async (t) => {
    live.settle()
    await live.caughtUp()
    const path = `depth?input=${idOf(live.token('USDT'))}&output=${WAX}&impact=1,2`
    await block(live.swap('USDT', 'WAX', 2000, [0]))
    const { headers, body } = await live.api.get(`/api/v3/market/${path}`)
    const other = (await get(path.replace('1,2', '1'))).block
    t.equal(other, body.block)
    await block(live.swap('USDT', 'WAX', 2000, [0]))
    const again = await live.api.get(`/api/v3/market/${path}`)
    t.same(again.body, body, 'with the block that it is of')
    t.equal(again.headers['x-block-num'], String(body.block))
    const known = await live.api.get(`/api/v3/market/${path}`, { 'if-none-match': String(headers.etag) })
    t.equal(known.status, 304)
    t.not((await get(path.replace('1,2', '2'))).block, body.block, 'other levels are another answer')
    live.chain.fork(2)
    await block()
    t.equal((await get(path)).block, live.chain.head.num, 'its block is not there any more')
  })

  await t.test('answers of a block are 304 for clients that have them, and new with the next block', async (t) => {
    const { headers } = await live.api.get('/api/v3/market/tokens')
    const tag = { 'if-none-match': String(headers.etag) }
    t.equal((await live.api.get('/api/v3/market/tokens', tag)).status, 304)
    await block()
    const next = await live.api.get('/api/v3/market/tokens', tag)
    t.equal(next.status, 200)
    t.equal(next.body.block, live.chain.head.num)
  })
})
