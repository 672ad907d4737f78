// The v3 route against the contracts: the transfers of an answer, signed in order by an account that owns nothing else.
import t, { type Test } from 'tap'
import { call } from '../../../devnet/contracts/actions.ts'
import { AMM, amountOf, DEX } from '../../../devnet/contracts/exchange.ts'
import type { Answer } from '../../support/api.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { Exchange, id, orderOf, PAUPER, swapOf, token } from './exchange.ts'
import { bookSpot, poolSpot, randomTrade, raw, rawAsset, type Wanted } from './expected.ts'
import { type Body, checkForm, type Part, sum, transfersFor } from './v3-form.ts'

const WAX = token('WAX')
const TLM = token('TLM')
const USDT = token('USDT')
const LSW = token('LSW')
const EOS = token('EOS')
const ORE = token('ORE')
const seed = seedFromEnvironment()
const TRADES = process.env.HEADWATER_TEST_LONG ? 200 : 15

type Query = Record<string, string>

const good: Query = { tradeType: 'exactIn', input: id(TLM), output: id(WAX), amount: '1000' }

const ask = (exchange: Exchange, query: Query | string): Promise<Answer> =>
  exchange.get(`/api/v3/swapRouter/getRoute?${typeof query === 'string' ? query : new URLSearchParams(query)}`)

const queryOf = (tradeType: string, { input, output, amount }: Wanted, more: Query = {}): Query => ({
  tradeType,
  input: id(input),
  output: id(output),
  amount,
  ...more,
})

t.test(`the v3 route, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const exchange = await Exchange.open(t, random)

  const refused = async (t: Test, query: Query | string, error: string, status = 400) => {
    const answer = await ask(exchange, query)
    t.same(
      { status: answer.status, text: answer.text },
      { status, text: JSON.stringify({ error }) },
      JSON.stringify(query),
    )
    t.match(answer.headers['content-type'], /^application\/json/)
    t.equal(answer.headers.etag, undefined)
  }

  t.test('RT3-01 an invalid trade type', async (t) => {
    const { tradeType: _, ...without } = good
    await refused(t, without, 'Invalid tradeType')
    for (const tradeType of ['', 'EXACT_INPUT', 'exactin', 'exactIn ', 'toString'])
      await refused(t, { ...good, tradeType }, 'Invalid tradeType')
  })

  t.test('RT3-02 an unknown or missing token', async (t) => {
    for (const name of ['input', 'output']) {
      for (const value of ['', 'x-y', 'wax', '-', '__proto__', 'constructor', 'İ', 'wax-eosio.token '])
        await refused(t, { ...good, [name]: value }, 'Unknown token')
    }
    t.equal((await ask(exchange, { ...good, input: 'TLM-Alien.Worlds' })).body.input.id, id(TLM))
  })

  t.test('RT3-03 a token for itself', async (t) => {
    for (const tradeType of ['exactIn', 'exactOut'])
      await refused(t, { ...good, tradeType, output: id(TLM).toUpperCase() }, 'Input and output are the same token')
  })

  t.test('RT3-04 an invalid amount', async (t) => {
    const { amount: _, ...without } = good
    await refused(t, without, 'Invalid amount')
    const bad = [
      '',
      '0',
      '0.0',
      '-1',
      '+1',
      'x',
      '1e3',
      '1E3',
      '0x10',
      '1,5',
      ' 1',
      '1.00001',
      '.5',
      '1.',
      '١',
      '1n',
      'NaN',
    ]
    const huge = ['Infinity', '9'.repeat(30), '9'.repeat(500), '461168601842738.7904']
    for (const amount of [...bad, ...huge]) await refused(t, { ...good, amount }, 'Invalid amount')
    await refused(t, { ...good, tradeType: 'exactOut', amount: '1.123456789' }, 'Invalid amount')
    t.equal((await ask(exchange, { ...good, tradeType: 'exactOut', amount: '1.12345678' })).status, 200)
  })

  t.test('RT3-05 an invalid slippage', async (t) => {
    for (const slippage of ['x', '-1', '100', '1e1', '0x1', '٣', 'NaN', '1%', '9'.repeat(99)])
      await refused(t, { ...good, slippage }, 'Invalid slippage')
    for (const slippage of ['0', '0.01', '99.999']) t.equal((await ask(exchange, { ...good, slippage })).status, 200)
  })

  t.test('RT3-06 one to three hops', async (t) => {
    for (const maxHops of ['0', '4', '1.5', 'x', '-1', '1e0', '01', '1e999', '٣'])
      await refused(t, { ...good, maxHops }, 'Invalid maxHops')
    const query = { ...good, input: id(ORE), output: id(EOS), orderbook: 'false' }
    const three = (await ask(exchange, query)).body as Body
    t.same((await ask(exchange, { ...query, maxHops: '3' })).body, three)
    t.equal((await ask(exchange, { ...query, maxHops: '2' })).body.routes[0].hops.length, 2)
    await refused(t, { ...query, maxHops: '1' }, 'No route', 404)
  })

  t.test('RT3-07 with and without order books', async (t) => {
    for (const orderbook of ['yes', '1', '0', 'TRUE', 'null', 'x'])
      await refused(t, { ...good, orderbook }, 'Invalid orderbook')
    t.same((await ask(exchange, { ...good, orderbook: 'true' })).body, (await ask(exchange, good)).body)
    t.same((await ask(exchange, { ...good, orderbook: '' })).body, (await ask(exchange, good)).body)
  })

  t.test('RT3-08 no route', async (t) => {
    await refused(t, { ...good, amount: '400000000000000' }, 'No route', 404)
    await refused(t, { ...good, tradeType: 'exactOut', output: id(EOS), amount: '1' }, 'No route', 404)
  })

  t.test('RT3-19 invalid accounts and permissions', async (t) => {
    for (const account of ['Alice', 'a_b', 'thirteenchars', 'dot.', 'a b', '#', 'a#b', 'é', "' or 1"]) {
      await refused(t, { ...good, account }, 'Invalid account')
    }
    for (const permission of ['Active', 'a b', 'fourteenletters', 'x.', '#'])
      await refused(t, { ...good, account: 'alice', permission }, 'Invalid permission')
  })

  t.test('RT3-26 of several errors the first in a fixed order is reported', async (t) => {
    const mistakes: [error: string, wrong: Query][] = [
      ['Invalid tradeType', { tradeType: 'x' }],
      ['Unknown token', { input: 'x' }],
      ['Invalid amount', { amount: '0' }],
      ['Invalid slippage', { slippage: 'x' }],
      ['Invalid maxHops', { maxHops: '9' }],
      ['Invalid orderbook', { orderbook: 'x' }],
      ['Input and output are the same token', { output: id(TLM) }],
      ['Invalid account', { account: 'X' }],
      ['Invalid permission', { permission: 'X' }],
    ]
    for (const [i, [error]] of mistakes.entries()) {
      const all = Object.assign({}, good, ...mistakes.slice(i).map(([, wrong]) => wrong))
      await refused(t, all, error)
    }
    await refused(t, `${new URLSearchParams(good)}&amount=0&amount=x`, 'Invalid amount')
    t.equal((await ask(exchange, `amount=0&${new URLSearchParams(good)}`)).status, 200, 'of several the last counts')
  })

  t.test('RT3-27 leading and trailing zeros change nothing', async (t) => {
    const plain = (await ask(exchange, { ...good, amount: '1.1' })).body as Body
    t.equal(plain.input.amount, '1.1000')
    for (const amount of ['1.10', '01.1', '0001.1000']) t.same((await ask(exchange, { ...good, amount })).body, plain)
  })

  t.test('RT3-15 RT3-16 RT3-17 actions for an account that is named, and for no other', async (t) => {
    const query = { ...good, output: id(EOS), amount: '300000' }
    const nobody = (await ask(exchange, query)).body as Body
    t.notOk('actions' in nobody)
    t.ok(nobody.transfers.some(({ memo }) => memo.includes('#<account>#')))
    for (const [account, permission] of [['alice.trade'], ['bob', 'trade'], ['carol.gm', 'owner']] as [
      string,
      string?,
    ][]) {
      const more: Query = permission === undefined ? {} : { permission }
      const { body } = (await ask(exchange, { ...query, account, ...more })) as { body: Body }
      const memos = (of: Body) => of.transfers.map(({ memo }) => memo)
      t.same(
        memos(body),
        memos(nobody).map((memo) => memo.replace('<account>', account)),
      )
      t.same(
        body.actions,
        body.transfers.map(({ tokenContract, to, quantity, memo }) => ({
          account: tokenContract,
          name: 'transfer',
          authorization: [{ actor: account, permission: permission ?? 'active' }],
          data: { from: account, to, quantity, memo },
        })),
      )
    }
    t.same((await ask(exchange, query)).body, nobody, 'nothing of them stays')
  })

  t.test('RT3-09 RT3-10 RT3-11 RT3-12 RT3-13 RT3-18 RT3-20 RT3-21 RT3-22 RT3-24 RT3-25 exact input', async (t) => {
    const seen = { books: 0, mixed: 0, split: 0, better: 0 }
    for (let i = 0; i < TRADES; i++) {
      const wanted = randomTrade(random, 'input')
      const { input, output, amount } = wanted
      const label = `${amount} ${input.code} for ${output.code}`
      const [both, pools] = [
        await ask(exchange, queryOf('exactIn', wanted, { account: PAUPER })),
        await ask(exchange, queryOf('exactIn', wanted, { account: PAUPER, orderbook: 'false' })),
      ]
      if (both.status === 404) {
        t.equal(pools.status, 404, label)
        continue
      }
      for (const { status, body } of [both, pools] as { status: number; body: Body }[]) {
        if (status === 404) continue
        t.equal(body.input.amount, amount)
        checkForm(t, body, wanted)
        const outcome = exchange.rehearse(body.transfers, [[input, raw(amount, input)]])
        if (outcome.error !== null) t.fail(`${label}: ${outcome.error}`)
        else {
          const got = outcome.left.get(id(output))
          t.equal(got, raw(body.output.amount, output), `${label}: the chain gives what is quoted, to the last unit`)
          t.equal(outcome.left.get(id(input)), undefined, `${label}: everything was sent`)
        }
      }
      const [with_, without] = [both, pools].map(({ status, body }) =>
        status === 200 ? raw(body.output.amount, output) : 0n,
      )
      t.ok(with_! >= without!, `${label}: books never make it worse`)
      const venues = (both.body as Body).routes.map(({ hops }) => new Set(hops.map(({ venue }) => venue)))
      if (with_! > without!) seen.better++
      if (venues.some((set) => set.has('orderbook'))) seen.books++
      if (venues.some((set) => set.size === 2)) seen.mixed++
      if (venues.length > 1) seen.split++
      t.ok(
        pools.status === 404 || pools.body.routes.every(({ hops }: Part) => hops.every(({ venue }) => venue === 'amm')),
      )
    }
    t.comment(JSON.stringify(seen))
    t.ok(
      Object.values(seen).every((count) => count > 0),
      'books, splits and routes over both took part',
    )
  })

  t.test('RT3-14 exact output is over pools alone', async (t) => {
    let routed = 0
    for (let i = 0; i < TRADES; i++) {
      const wanted = randomTrade(random, 'output')
      const { input, output, amount } = wanted
      const query = queryOf('exactOut', wanted, { account: PAUPER, orderbook: random.pick(['true', 'false']) })
      const { status, body } = (await ask(exchange, query)) as { status: number; body: Body }
      if (status === 404) continue
      routed++
      checkForm(t, body, wanted)
      t.equal(body.output.amount, amount)
      t.ok(body.routes.every(({ hops }) => hops.every(({ venue }) => venue === 'amm')))
      const sent = sum(body.transfers.map(({ quantity }) => rawAsset(quantity, input)))
      const outcome = exchange.rehearse(body.transfers, [[input, sent]])
      if (outcome.error !== null) t.fail(outcome.error)
      else {
        t.equal(outcome.left.get(id(output)), raw(amount, output))
        t.equal(
          outcome.left.get(id(input)) ?? 0n,
          sent - raw(body.input.amount, input),
          'what was not needed comes back',
        )
      }
    }
    t.ok(routed > 1, `${routed} trades had a route`)
  })

  t.test('over a pool and a book, with a better book than any pool', async (t) => {
    // An order buys ORE far above the pools' price and is larger than all sell orders, so that its rest stays in the book.
    const ores = 20_000_000
    const cheap = orderOf(USDT, ores * ORE.usd * 1.5, ORE, ores)
    exchange.produce([[cheap]])
    await exchange.follow()
    const wanted = { input: EOS, output: USDT, amount: '300.0000' }
    const { body } = (await ask(exchange, queryOf('exactIn', wanted, { account: PAUPER, slippage: '0.5' }))) as {
      body: Body
    }
    checkForm(t, body, wanted, 500)
    const mixed = body.routes.find(({ hops }) => hops.length === 3)
    t.same(
      mixed?.hops.map(({ venue }) => venue),
      ['amm', 'amm', 'orderbook'],
    )
    t.equal(transfersFor(mixed!.hops).length, 2, 'pools in a row are one transfer')
    const atOnce = exchange.rehearse(body.transfers, [[EOS, 3_000_000n]])
    t.equal(
      atOnce.error === null && atOnce.left.get(id(USDT)),
      raw(body.output.amount, USDT),
      'at the same block the chain gives what is quoted, to the last unit',
    )

    const outcomes = { done: 0, refused: 0 }
    for (const whole of [20, 100, 300, 900, 30_000]) {
      const outcome = exchange.rehearse(body.transfers, [[EOS, 3_000_000n]], [swapOf(EOS, whole, [4, 5], ORE)])
      if (outcome.error !== null) outcomes.refused++
      else {
        outcomes.done++
        const got = outcome.left.get(id(USDT)) ?? 0n
        t.ok(got + BigInt(body.routes.length) > raw(body.minReceived!, USDT), 'never below the minimum')
      }
    }
    t.ok(outcomes.done > 0 && outcomes.refused > 0, JSON.stringify(outcomes))
  })

  t.test('RT3-23 frozen markets and inactive pools are not routed', async (t) => {
    const query = { ...good, input: id(ORE), output: id(USDT), maxHops: '1' }
    const { body } = (await ask(exchange, query)) as { body: Body }
    t.same(
      body.routes.map(({ hops }) => hops.map(({ market }) => market)),
      [[4]],
    )
    exchange.produce([[call(DEX, 'setfrozen', DEX, { market_id: 4n, frozen: true })]])
    await exchange.follow()
    await refused(t, query, 'No route', 404)
    exchange.produce([[call(DEX, 'setfrozen', DEX, { market_id: 4n, frozen: false })]])
    exchange.produce([[call(AMM, 'lockpool', AMM, { poolId: 3n, active: false })]])
    await exchange.follow()
    const over = (await ask(exchange, { ...query, input: id(LSW), output: id(WAX) })).body as Body
    t.ok(
      over.routes.every(({ hops }) => hops.every(({ venue }) => venue === 'orderbook')),
      'the book is left',
    )
    await refused(t, { ...query, input: id(LSW), output: id(WAX), orderbook: 'false' }, 'No route', 404)
  })

  t.test('the impact counts from the best order of a book, and from the spot price of a pool', async (t) => {
    const wanted = { input: ORE, output: USDT, amount: '100000.0000' }
    const book = (await ask(exchange, queryOf('exactIn', wanted, { maxHops: '1' }))).body as Body
    const price = Number(raw(book.output.amount, USDT)) / Number(amountOf(ORE, 100_000).amount)
    const expected = 100 * (1 - price / bookSpot(exchange, 4, id(ORE)))
    t.ok(Math.abs(Number(book.priceImpact) - expected) < 2e-6, `${book.priceImpact}, ${expected} expected`)
    const pool = { input: TLM, output: USDT, amount: '100000.0000' }
    const { body } = (await ask(exchange, queryOf('exactOut', { ...pool, amount: '50.000000' }))) as { body: Body }
    const paid = Number(raw(body.output.amount, USDT)) / Number(raw(body.input.amount, TLM))
    const lost = 100 * (1 - paid / poolSpot(exchange, 8, id(TLM)))
    t.ok(Math.abs(Number(body.priceImpact) - lost) < 2e-6, `${body.priceImpact}, ${lost} expected`)
  })
})
