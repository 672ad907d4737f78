// Runs the same requests through two versions of the router, in turn in one process: how the answers differ, and the
// processor time of each. A version is a class, of this checkout, of another one, or of a changed copy of core/route.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Router } from '../../core/route/router.ts'
import type { RequestSet, RoutedRequest } from './requests.ts'

export type RouterClass = new () => Router

/** A text of core/route that stands there once, and another text in its place. */
export interface Change {
  file: string
  from: string
  to: string
}

const CORE = fileURLToPath(new URL('../../core', import.meta.url))
/** Basis points: a larger difference counts as this much in a mean. */
const MAX_DIFFERENCE = 100
/** Runs of each request; the fastest counts. */
const RUNS = 3

/** The router of another checkout. */
export async function routerOf(checkout: string): Promise<RouterClass> {
  const file = join(resolve(checkout), 'core', 'route', 'router.ts')
  return (await import(pathToFileURL(file).href)).Router
}

/** The router of this checkout with a change. */
export async function changedRouter(changes: readonly Change[]): Promise<RouterClass> {
  const copy = mkdtempSync(join(tmpdir(), 'headwater-route-'))
  try {
    symlinkSync(join(CORE, '..', 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    cpSync(join(CORE, 'route'), join(copy, 'core', 'route'), { recursive: true })
    for (const other of readdirSync(CORE))
      if (other !== 'route') symlinkSync(join(CORE, other), join(copy, 'core', other))
    for (const { file, from, to } of changes) {
      const path = join(copy, 'core', 'route', file)
      const parts = readFileSync(path, 'utf8').split(from)
      if (parts.length !== 2) throw new Error(`core/route/${file} has ${parts.length - 1} times: ${from}`)
      writeFileSync(path, parts.join(to))
    }
    return await routerOf(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

interface Answer {
  /** Output of an exact input, input of an exact output; 0 for no route. */
  amount: bigint
  /** Least processor time, ms. */
  time: number
}

/** How a second version compares with a first one. */
export function compareVersions(set: RequestSet, one: RouterClass, other: RouterClass): string {
  const gains: number[] = []
  const times: [number[], number[]] = [[], []]
  for (const { pools, books, requests } of set.markets) {
    const routers = [new one(), new other()]
    for (const router of routers) {
      for (const pool of pools) router.putPool(pool)
      for (const book of books) router.putBook(book)
    }
    const answers = requests.map(() => routers.map((): Answer => ({ amount: 0n, time: Number.POSITIVE_INFINITY })))
    for (let run = 0; run < RUNS; run++)
      for (const [i, request] of requests.entries())
        for (const at of run % 2 === 0 ? [0, 1] : [1, 0])
          measure(routers[at] as Router, request, answers[i]?.[at] as Answer)
    for (const [i, [before, after]] of (answers as [Answer, Answer][]).entries()) {
      gains.push(gainOf(requests[i] as RoutedRequest, before.amount, after.amount))
      times[0].push(before.time)
      times[1].push(after.time)
    }
  }
  const clipped = gains.map((gain) => Math.max(-MAX_DIFFERENCE, Math.min(MAX_DIFFERENCE, gain)))
  const changed = gains.filter((gain) => gain !== 0).length
  const [sum, otherSum] = times.map((all) => all.reduce((total, time) => total + time, 0)) as [number, number]
  return (
    `${changed} of ${gains.length} differ, ${(clipped.reduce((total, gain) => total + gain, 0) / gains.length).toFixed(4)} in the mean, ` +
    `${Math.min(...gains).toFixed(2)} to ${Math.max(...gains).toFixed(2)}; ${sum.toFixed(0)} and ${otherSum.toFixed(0)} ms ` +
    `(${((otherSum / sum) * 100).toFixed(0)} %), ${quantiles(times[0])} and ${quantiles(times[1])}`
  )
}

function measure(router: Router, request: RoutedRequest, answer: Answer): void {
  const before = process.cpuUsage()
  const route = request.exact === 'out' ? router.exactOut(request) : router.exactIn(request)
  const { user, system } = process.cpuUsage(before)
  answer.time = Math.min(answer.time, (user + system) / 1000)
  answer.amount = route === null ? 0n : request.exact === 'out' ? route.input : route.output
}

/** By how much a second answer is better, in basis points; a route where there was none counts as 100 percent. */
function gainOf({ exact }: RoutedRequest, before: bigint, after: bigint): number {
  if (before === after) return 0
  if (before === 0n || after === 0n) return before === 0n ? 1e4 : -1e4
  const [less, more] = exact === 'out' ? [after, before] : [before, after]
  return (Number(more) / Number(less) - 1) * 1e4
}

function quantiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] as number).toFixed(2)
  return `p50 ${at(0.5)} p99 ${at(0.99)} ms`
}
