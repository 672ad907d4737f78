// The v2 route against the contracts: the contracts execute the transfers of an answer, with the promised result.
import t, { type Test } from 'tap'
import { call } from '../../../devnet/contracts/actions.ts'
import { AMM } from '../../../devnet/contracts/exchange.ts'
import type { TokenSpec } from '../../../devnet/contracts/profile.ts'
import type { Answer } from '../../support/api.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { Exchange, id, PAUPER, swapOf, type Transfer, token } from './exchange.ts'
import { decimal, least, most, poolPaths, poolSpot, randomTrade, raw, rawAsset, type Wanted } from './expected.ts'

const WAX = token('WAX')
const TLM = token('TLM')
const USDT = token('USDT')
const GEM = token('GEM')
const LSW = token('LSW')
const EOS = token('EOS')
const NO_ROUTE = 'No trading route available. Try again in a few moments.'
/** Thousandths of a percent. */
const DEFAULT_SLIPPAGE = 300
const seed = seedFromEnvironment()
const TRADES = process.env.HEADWATER_TEST_LONG ? 200 : 12

type Query = Record<string, string>

interface Swap {
  input: string
  output: string
  percent: number
  route: number[]
  memo: string
  minReceived: string
  maxSent: string
}

interface Body {
  swaps: Swap[]
  input: string
  output: string
  minReceived: string
  maxSent: string
  priceImpact: string
  executionPrice: { numerator: string; denominator: string }
  route: number[]
  memo: string
}

const good: Query = { trade_type: 'EXACT_INPUT', input: id(TLM), output: id(WAX), amount: '1000' }

const ask = (exchange: Exchange, query: Query | string): Promise<Answer> =>
  exchange.get(`/api/v2/swapRouter/getRoute?${typeof query === 'string' ? query : new URLSearchParams(query)}`)

const queryOf = (type: string, { input, output, amount }: Wanted, more: Query = {}): Query => ({
  trade_type: type,
  input: id(input),
  output: id(output),
  amount,
  ...more,
})

/** The transfers that a client of the documents makes. */
function transfersOf(swaps: Swap[], input: TokenSpec, quantity: (swap: Swap) => string): Transfer[] {
  return swaps.map((swap) => ({
    tokenContract: input.contract,
    to: AMM,
    quantity: quantity(swap),
    memo: swap.memo.replace('<receiver>', PAUPER),
  }))
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)

/** Checks that hold for every answer. */
function checkForm(t: Test, body: Body, { input, output }: Wanted, exact: 'in' | 'out') {
  const { swaps } = body
  t.ok(swaps.length >= 1 && swaps.length <= 5)
  t.equal(
    swaps.reduce((total, { percent }) => total + percent, 0),
    100,
    'shares add up',
  )
  t.equal(sum(swaps.map((swap) => rawAsset(swap.input, input))), raw(body.input, input), 'inputs add up')
  t.equal(sum(swaps.map((swap) => rawAsset(swap.output, output))), raw(body.output, output), 'outputs add up')
  t.equal(body.memo, swaps[0]?.memo)
  t.same(body.route, swaps[0]?.route)
  t.ok(Number(body.priceImpact) >= 0 && /^\d+(\.\d+)?$/.test(body.priceImpact))
  t.same(body.executionPrice, {
    numerator: raw(body.output, output).toString(),
    denominator: raw(body.input, input).toString(),
  })
  for (const swap of swaps) {
    t.ok(swap.route.length <= 3)
    const named = rawAsset(swap.memo.split('#')[3]?.split('@')[0] ?? '', output)
    t.equal(
      swap.memo,
      `swapexact${exact}#${swap.route.join(',')}#<receiver>#${decimal(named, output)} ${output.code}@${output.contract}#0`,
    )
    t.equal(named, raw(swap.minReceived, output), 'the memo holds the minimum')
    const [sent, got] = [rawAsset(swap.input, input), rawAsset(swap.output, output)]
    t.equal(named, exact === 'in' ? least(got, DEFAULT_SLIPPAGE) : got)
    t.equal(raw(swap.maxSent, input), exact === 'in' ? sent : most(sent, DEFAULT_SLIPPAGE))
  }
  const [sent, got] = [raw(body.input, input), raw(body.output, output)]
  t.equal(raw(body.minReceived, output), exact === 'in' ? least(got, DEFAULT_SLIPPAGE) : got)
  t.equal(raw(body.maxSent, input), exact === 'in' ? sent : most(sent, DEFAULT_SLIPPAGE))
}

t.test(`the v2 route, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const exchange = await Exchange.open(t, random)

  const refused = async (t: Test, query: Query | string, text: string, status = 403) => {
    const answer = await ask(exchange, query)
    const said = { status: answer.status, text: answer.text, type: String(answer.headers['content-type']) }
    t.same(said, { status, text, type: 'text/plain; charset=utf-8' }, JSON.stringify(query))
    t.equal(answer.headers.etag, undefined)
  }

  t.test('RT2-01 an invalid trade type, and other missing or invalid parameters', async (t) => {
    const { trade_type: _, ...without } = good
    await refused(t, without, 'Invalid request')
    for (const type of ['', 'exact_input', 'EXACT_INPUT ', 'exactIn', 'constructor'])
      await refused(t, { ...good, trade_type: type }, 'Invalid request')
    for (const name of ['input', 'output']) await refused(t, { ...good, [name]: '' }, 'Invalid request')
    for (const receiver of ['Alice', 'a_b', 'thirteenchars', 'ends.with.', 'a b', '<x>', '#', 'é', '../..'])
      await refused(t, { ...good, receiver }, 'Invalid request')
    for (const maxHops of ['0', '-1', '1.5', 'x', '1e1', '0x2', '٣', '000'])
      await refused(t, { ...good, maxHops }, 'Invalid request')
  })

  t.test('RT2-02 an invalid amount', async (t) => {
    const { amount: _, ...without } = good
    await refused(t, without, 'Invalid amount')
    const bad = [
      '',
      '0',
      '0.0000',
      '-1',
      '+1',
      'x',
      '1e3',
      '0x10',
      '1,5',
      ' 1',
      '1 ',
      '1.00001',
      '.5',
      '1.',
      '١',
      '1_0',
      'NaN',
    ]
    const huge = ['Infinity', '9'.repeat(30), '9'.repeat(400), '461168601842738.7904']
    for (const amount of [...bad, ...huge]) await refused(t, { ...good, amount }, 'Invalid amount')
    await refused(t, { ...good, amount: '461168601842738.7903' }, NO_ROUTE, 404)
  })

  t.test('RT2-03 decimals are limited by the token of the amount', async (t) => {
    t.equal((await ask(exchange, { ...good, amount: '10.1234' })).status, 200)
    await refused(t, { ...good, amount: '10.12345' }, 'Invalid amount')
    const out = { ...good, trade_type: 'EXACT_OUTPUT' }
    t.equal((await ask(exchange, { ...out, amount: '10.12345678' })).status, 200)
    await refused(t, { ...out, amount: '10.123456789' }, 'Invalid amount')
  })

  t.test('RT2-04 an invalid slippage', async (t) => {
    for (const slippage of ['x', '-0.1', '100', '100.0', '1e1', '101', '0x1', '٣', ' 1', '1%', '9'.repeat(99)])
      await refused(t, { ...good, slippage }, 'Invalid slippage')
    for (const slippage of ['0', '99.99', '0.30', '00.5'])
      t.equal((await ask(exchange, { ...good, slippage })).status, 200)
  })

  t.test('RT2-05 tokens that are unknown or the same', async (t) => {
    const same = { ...good, output: good.input!.toUpperCase() }
    for (const query of [same, { ...good, input: 'x-y' }, { ...good, output: '__proto__' }, { ...good, input: 'İ' }])
      await refused(t, query, 'Invalid input/output')
    const answer = await ask(exchange, { ...good, input: 'TLM-alien.worlds', output: 'Wax-Eosio.Token' })
    t.same(answer.body, (await ask(exchange, good)).body, 'any case will do')
  })

  t.test('of several errors the first in a fixed order is reported', async (t) => {
    const bad = { trade_type: 'x', amount: '0', slippage: 'x', input: 'nobody' }
    await refused(t, { ...good, ...bad }, 'Invalid request')
    await refused(t, { ...good, ...bad, trade_type: 'EXACT_INPUT' }, 'Invalid amount')
    await refused(t, { ...good, slippage: 'x', input: 'nobody' }, 'Invalid slippage')
    await refused(t, { ...good, amount: '1.00000000000000', input: 'nobody' }, 'Invalid input/output')
    await refused(t, `${new URLSearchParams(good)}&amount=0`, 'Invalid amount')
    await refused(t, `${new URLSearchParams({ ...good, amount: '0' })}&amount=1.00001`, 'Invalid amount')
    t.equal(
      (await ask(exchange, `${new URLSearchParams({ ...good, amount: '0' })}&amount=1`)).status,
      200,
      'the last counts',
    )
  })

  t.test('RT2-06 no route', async (t) => {
    await refused(t, { ...good, input: id(EOS), output: id(LSW), amount: '1', maxHops: '1' }, NO_ROUTE, 404)
    await refused(t, { ...good, amount: '400000000000000' }, NO_ROUTE, 404)
    await refused(t, { ...good, trade_type: 'EXACT_OUTPUT', amount: '1000000000' }, NO_ROUTE, 404)
  })

  t.test('RT2-07 0.3 percent of slippage by default', async (t) => {
    const ways: Query[] = [{}, { slippage: '' }, { slippage: '0.3' }]
    const [omitted, empty, said] = await Promise.all(ways.map((more) => ask(exchange, { ...good, ...more })))
    t.same(omitted!.body, said!.body)
    t.same(empty!.body, said!.body)
    const { body } = await ask(exchange, { ...good, slippage: '12.345' })
    t.equal(raw(body.minReceived, WAX), least(raw(body.output, WAX), 12_345))
    t.equal((await ask(exchange, { ...good, slippage: '0' })).body.minReceived, body.output)
  })

  t.test('RT2-09 any value of v2 allows splits; without v2 there are none', async (t) => {
    const large = { ...good, output: id(USDT), amount: '4000000' }
    const split = (await ask(exchange, { ...large, v2: 'true' })).body
    t.ok(split.swaps.length > 1)
    for (const v2 of ['1', 'false', '0', ' ', 'x']) t.same((await ask(exchange, { ...large, v2 })).body, split)
    t.equal((await ask(exchange, { ...large, v2: '' })).body.swaps.length, 1)
  })

  t.test('RT2-12 at most three hops', async (t) => {
    const query = { ...good, input: id(GEM), output: id(USDT), amount: '50', v2: '1' }
    const three = (await ask(exchange, query)).body
    for (const maxHops of ['3', '9', '9'.repeat(25), '9'.repeat(400)])
      t.same((await ask(exchange, { ...query, maxHops })).body, three)
    await refused(t, { ...query, maxHops: '1' }, NO_ROUTE, 404)
    const { body } = await ask(exchange, { ...good, maxHops: '1', v2: '1' })
    t.ok(body.swaps.every(({ route }: Swap) => route.length === 1))
  })

  t.test('RT2-16 pools only when they are wanted', async (t) => {
    t.notOk('pools' in (await ask(exchange, good)).body)
    t.notOk('pools' in (await ask(exchange, { ...good, includePoolDetails: 'false' })).body)
    const query = { ...good, output: id(EOS), amount: '500000', v2: '1', includePoolDetails: 'true' }
    const { body } = await ask(exchange, query)
    const used = new Set(body.swaps.flatMap(({ route }: Swap) => route.map(String)))
    t.same(new Set(Object.keys(body.pools)), used)
    for (const [key, details] of Object.entries<Record<string, unknown>>(body.pools)) {
      const { fee, tokenA, tokenB } = (await exchange.get(`/api/v2/swap/pools/${key}`)).body
      t.same(details, { fee, tokenA, tokenB })
    }
  })

  t.test('RT2-18 every memo contains its own receiver, and no other', async (t) => {
    const query = { ...good, output: id(USDT), amount: '4000000', v2: '1' }
    const memos = async (more: Query) =>
      (await ask(exchange, { ...query, ...more })).body.swaps.map(({ memo }: Swap) => memo)
    const named = (name: string, memo: string) => memo.split('#')[2] === name
    for (const receiver of ['alice', 'bob.x', '<receiver>', 'a', 'twelvechars1']) {
      const found = await memos({ receiver })
      t.ok(found.length > 1 && found.every((memo: string) => named(receiver, memo)), receiver)
    }
    t.ok((await memos({})).every((memo: string) => named('<receiver>', memo)))
  })

  t.test('RT2-08 RT2-10 RT2-11 RT2-13 RT2-14 RT2-15 RT2-17 RT2-19 RT2-21 RT2-25 exact input', async (t) => {
    let splits = 0
    for (let i = 0; i < TRADES; i++) {
      const wanted = randomTrade(random, 'input')
      const { input, output, amount } = wanted
      const given: [TokenSpec, bigint][] = [[input, raw(amount, input)]]
      const [one, many] = [
        await ask(exchange, queryOf('EXACT_INPUT', wanted)),
        await ask(exchange, queryOf('EXACT_INPUT', wanted, { v2: '1' })),
      ]
      // Every single path, carried out by the contract without a minimum.
      let best = 0n
      for (const path of poolPaths(exchange, input, output, 3)) {
        const memo = `swapexactin#${path.join(',')}#${PAUPER}#${decimal(0n, output)} ${output.code}@${output.contract}#0`
        const quantity = `${amount} ${input.code}`
        const outcome = exchange.rehearse([{ tokenContract: input.contract, to: AMM, quantity, memo }], given)
        const got = outcome.error === null ? (outcome.left.get(id(output)) ?? 0n) : 0n
        if (got > best) best = got
      }
      const label = `${amount} ${input.code} for ${output.code}`
      if (best === 0n) {
        t.equal(one.status, 404, `${label}: no path, no route`)
        continue
      }
      t.equal(one.status, 200, label)
      t.equal(one.body.swaps.length, 1)
      t.equal(one.body.swaps[0].percent, 100)
      const single = raw(one.body.output, output)
      t.ok(single <= best && best - single <= best / 1_000_000n, `${label}: ${single} of ${best}, the best path`)
      t.ok(raw(many.body.output, output) >= single, `${label}: a split is no worse`)
      for (const { body } of [one, many]) {
        t.equal(raw(body.input, input), raw(amount, input))
        checkForm(t, body, wanted, 'in')
        const outcome = exchange.rehearse(
          transfersOf(body.swaps, input, (swap) => swap.input),
          given,
        )
        const left = new Map([[id(output), raw(body.output, output)]])
        t.same(outcome, { error: null, left }, `${label}: the chain gives what is quoted, to the last unit`)
      }
      if (many.body.swaps.length > 1) splits++
    }
    t.ok(splits > 0, `${splits} trades were split`)
  })

  t.test('RT2-20 NS-02 exact output: the input taken and the remainder returned', async (t) => {
    let routed = 0
    for (let i = 0; i < TRADES; i++) {
      const wanted = randomTrade(random, 'output')
      const { input, output, amount } = wanted
      const answer = await ask(exchange, queryOf('EXACT_OUTPUT', wanted, { v2: '1' }))
      if (poolPaths(exchange, input, output, 1).length === 0) {
        t.equal(answer.status, 404, 'the contract takes one pool for an exact output')
        continue
      }
      if (answer.status === 404) continue
      routed++
      const { body } = answer
      t.equal(body.output, amount)
      checkForm(t, body, wanted, 'out')
      const transfers = transfersOf(body.swaps, input, ({ maxSent }) => `${maxSent} ${input.code}`)
      const sent = sum(body.swaps.map(({ maxSent }: Swap) => raw(maxSent, input)))
      const outcome = exchange.rehearse(transfers, [[input, sent]])
      const left = new Map([[id(output), raw(amount, output)]])
      if (sent > raw(body.input, input)) left.set(id(input), sent - raw(body.input, input))
      t.same(outcome.error === null && new Map([...outcome.left].sort()), new Map([...left].sort()), 'to the last unit')
      const exactly = exchange.rehearse(
        transfersOf(body.swaps, input, (swap) => swap.input),
        [[input, raw(body.input, input)]],
      )
      t.equal(exactly.error, null, 'the expected input is enough')
    }
    t.ok(routed > 1, `${routed} trades had a route`)
  })

  t.test('NS-13 after trades of others, a swap gives at least its minimum or is refused', async (t) => {
    const outcomes = { done: 0, refused: 0 }
    for (const [i, whole] of [500, 60_000, 150_000, 300_000, 3_000_000].entries()) {
      const wanted = { input: TLM, output: WAX, amount: '250000.0000' }
      const { body } = await ask(exchange, queryOf('EXACT_INPUT', wanted, { v2: '1', slippage: '1' }))
      const first = swapOf(TLM, whole, [2], WAX)
      const outcome = exchange.rehearse(
        transfersOf(body.swaps, TLM, (swap) => swap.input),
        [[TLM, 2_500_000_000n]],
        [first],
      )
      if (outcome.error !== null) outcomes.refused++
      else {
        outcomes.done++
        const got = outcome.left.get(id(WAX)) ?? 0n
        t.ok(got + BigInt(body.swaps.length) > raw(body.minReceived, WAX), `the ${i}. one`)
        t.ok(got < raw(body.output, WAX))
      }
    }
    t.ok(outcomes.done > 0 && outcomes.refused > 0, JSON.stringify(outcomes))
  })

  t.test('RT2-23 the impact is the loss against the spot price, and grows with the amount', async (t) => {
    let before = -1
    for (const amount of ['1', '10', '100', '1000', '10000', '100000', '1000000']) {
      const { body } = await ask(exchange, { ...good, output: id(USDT), amount, maxHops: '1' })
      t.same(body.route, [8])
      const price = Number(body.executionPrice.numerator) / Number(body.executionPrice.denominator)
      const expected = 100 * (1 - price / poolSpot(exchange, 8, id(TLM)))
      t.ok(Math.abs(Number(body.priceImpact) - expected) < 2e-6, `${amount}: ${body.priceImpact}, ${expected} expected`)
      // Of small amounts, the rounding of the output counts.
      t.ok(Number(body.priceImpact) >= before - 0.5 / Number(amount))
      before = Number(body.priceImpact)
    }
  })

  t.test('RT2-22 RT2-24 an inactive pool is not routed, and no order book', async (t) => {
    const query = { ...good, maxHops: '1', v2: '1' }
    t.same((await ask(exchange, query)).body.route, [2])
    exchange.produce([[call(AMM, 'lockpool', AMM, { poolId: 2n, active: false })]])
    await exchange.follow()
    await refused(t, query, NO_ROUTE, 404)
    const { body } = await ask(exchange, { ...query, maxHops: '3', amount: '1000000' })
    t.notOk(body.swaps.some(({ route }: Swap) => route.includes(2)))
    checkForm(t, body, { input: TLM, output: WAX, amount: '1000000' }, 'in')
    exchange.produce([[call(AMM, 'lockpool', AMM, { poolId: 2n, active: true })]])
    await exchange.follow()
    t.same((await ask(exchange, query)).body.route, [2])
  })
})
