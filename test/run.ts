// Runs the tests: one PostgreSQL for all of them, tap as the runner. `npm test -- test/core` runs a part.
// Ends with a plain line `N passed, N failed` (assertions), and with an error when any failed or none ran.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startTestCluster } from './support/cluster.ts'
import { Report } from './support/report.ts'

/** tap takes files; a folder stands for all the tests in it. */
function expand(argument: string): string[] {
  if (!statSync(argument, { throwIfNoEntry: false })?.isDirectory()) return [argument]
  const names = readdirSync(argument, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(argument, name))
}

const TAP = join(import.meta.dirname, '../node_modules/.bin/tap')

/** Builds tap with the plugins of .taprc: a first run after an install would still load the ones left out there. */
function buildTap(): Promise<number> {
  const build = spawn(TAP, ['build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve) => build.once('exit', (code) => resolve(code ?? 1)))
}

/** Runs tap in a process group of its own, so that a signal ends the test files too. Resolves with its exit code. */
function runTap(report: Report, database: string): Promise<number> {
  const files = process.argv.slice(2).flatMap(expand)
  const tap = spawn(TAP, ['run', '--reporter=tap', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, HEADWATER_TEST_DATABASE: database },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (tap.pid !== undefined) process.kill(-tap.pid, 'SIGKILL')
    })
  const lines = createInterface({ input: tap.stdout })
  lines.on('line', (text) => report.line(text))
  const read = new Promise((resolve) => lines.once('close', resolve))
  return new Promise((resolve) => {
    tap.once('error', () => resolve(1))
    tap.once('exit', (code) => read.then(() => resolve(code ?? 1)))
  })
}

const report = new Report((line) => console.log(line))
const cluster = await startTestCluster()
const code = (await buildTap()) || (await runTap(report, cluster.url))
await cluster.stop()
const { passed, failed } = report.totals
console.log(`\n${passed} passed, ${code !== 0 ? Math.max(failed, 1) : failed} failed`)
process.exitCode = code !== 0 || failed > 0 || passed === 0 ? 1 : 0
