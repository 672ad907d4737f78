// The npm swap SDK's answers over a graph of 250 pools: the same best single path, and a split that is not worse.
import t from 'tap'
import type { Route } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Replay } from './replay.ts'
import { type RouteCase, routeCases, routePools, type SdkAnswer } from './vectors.ts'

const router = new Router()
for (const pool of routePools()) router.putPool(pool)

function ask({ input, output, exact, maxHops }: RouteCase, amount: bigint, maxParts: number): Route | null {
  const request = { input, output, amount, maxHops, maxParts }
  return exact === 'in' ? router.exactIn(request) : router.exactOut({ ...request, paths: true })
}

/** The requested amount is the same; what is compared is the other side. */
function best(exact: 'in' | 'out', answers: (SdkAnswer | undefined)[]): SdkAnswer | undefined {
  const found = answers.filter((answer): answer is SdkAnswer => answer?.found === true)
  return found.sort((a, b) =>
    exact === 'in'
      ? Number(BigInt(b.amountOut) - BigInt(a.amountOut))
      : Number(BigInt(a.amountIn) - BigInt(b.amountIn)),
  )[0]
}

t.test('the best single path is the one of the SDK', async (t) => {
  for (const request of routeCases()) {
    const route = ask(request, BigInt(request.amount), 1)
    const { single } = request.sdk
    if (!single.found) t.equal(route, null, `case ${request.n}`)
    else {
      const got = { amountIn: String(route?.input), amountOut: String(route?.output) }
      t.match(single, got, `case ${request.n}`)
      t.equal(route?.parts.length, 1)
    }
  }
})

t.test('a split is as good as the best of the SDK, and better on average', async (t) => {
  let gain = 0
  let count = 0
  for (const request of routeCases()) {
    const { single, split, splitFine } = request.sdk
    const rival = best(request.exact, [single, split, splitFine])
    if (rival === undefined) continue
    const isIn = request.exact === 'in'
    // The SDK loses some units by rounding its parts: both are asked for what it really moved.
    const route = ask(request, BigInt(isIn ? rival.amountIn : rival.amountOut), 5)
    if (route === null) {
      t.fail(`case ${request.n} has no route`)
      continue
    }
    const relative = isIn
      ? Number(route.output) / Number(rival.amountOut) - 1
      : Number(rival.amountIn) / Number(route.input) - 1
    t.ok(relative >= -1e-4, `case ${request.n}: ${relative}`)
    t.strictSame(new Replay().run(route), { spent: route.input, received: route.output }, `case ${request.n} executes`)
    gain += relative
    count++
  }
  t.ok(gain / count > 0.001, `gains ${gain / count} on average`)
})
