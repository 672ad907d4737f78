// Which recorded requests cost most: counts of exact swaps and curve evaluations, which do not depend on the machine, and the
// least time of the processor of some runs, after as many runs of all requests. Counting takes part of the time.
// Usage: node --import tsx bench/route/profile.ts [runs] [rows]
import { Curve } from '../../core/route/curve.ts'
import type { Route } from '../../core/route/model.ts'
import { Overlay } from '../../core/route/quote.ts'
import { Router } from '../../core/route/router.ts'
import { type RouteCase, routeCases, routePools } from '../../test/core/route/vectors.ts'
import { hardware } from '../support/hardware.ts'

const [runs = 3, rows = 10] = process.argv.slice(2).map(Number)
const counts = { curves: 0, swaps: 0 }
count(Curve.prototype, ['output', 'smooth', 'slope'], 'curves')
count(Overlay.prototype, ['swap', 'take'], 'swaps')

console.log(hardware())
const router = new Router()
for (const pool of routePools()) router.putPool(pool)
for (const _ of router.warmSteps());
for (let run = 0; run < runs; run++) for (const request of routeCases()) ask(request)
for (const exact of ['in', 'out'] as const) {
  const cases = routeCases().filter((request) => request.exact === exact)
  const measured = cases.map((request) => {
    counts.curves = counts.swaps = 0
    const route = ask(request)
    const { curves, swaps } = counts
    let milliseconds = Number.POSITIVE_INFINITY
    for (let run = 0; run < runs; run++) {
      const before = process.cpuUsage()
      ask(request)
      const { user, system } = process.cpuUsage(before)
      milliseconds = Math.min(milliseconds, (user + system) / 1000)
    }
    return { ...request, route, curves, swaps, milliseconds }
  })
  const sum = (of: (one: (typeof measured)[number]) => number) => measured.reduce((total, one) => total + of(one), 0)
  console.log(
    `exact ${exact}: ${measured.length} requests, ${sum((one) => one.curves)} curve evaluations, ${sum((one) => one.swaps)} exact swaps, ${sum((one) => one.milliseconds).toFixed(0)} ms in all, ${median(measured.map((one) => one.milliseconds)).toFixed(2)} ms in the median`,
  )
  measured.sort((a, b) => b.milliseconds - a.milliseconds)
  for (const { n, input, output, amount, maxHops, route, curves, swaps, milliseconds } of measured.slice(0, rows)) {
    const answer = exact === 'in' ? route?.output : route?.input
    console.log(
      `  ${milliseconds.toFixed(1).padStart(7)} ms ${curves} curves, ${swaps} swaps: ${n}, ${amount} ${input} -> ${output}, ${maxHops} hops: ${answer} in ${route?.parts.length} parts`,
    )
  }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] as number
}

function ask({ input, output, exact, amount, maxHops }: RouteCase): Route | null {
  const request = { input, output, amount: BigInt(amount), maxHops }
  return exact === 'in' ? router.exactIn(request) : router.exactOut({ ...request, paths: true })
}

function count<T extends object>(prototype: T, names: (keyof T)[], kind: keyof typeof counts): void {
  for (const name of names) {
    const method = prototype[name] as (...values: unknown[]) => unknown
    prototype[name] = function (this: T, ...values: unknown[]) {
      counts[kind]++
      return method.apply(this, values)
    } as T[typeof name]
  }
}
