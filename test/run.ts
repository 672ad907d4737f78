// Runs the tests: one PostgreSQL for all of them, tap as the runner. `npm test -- test/core` runs a part.
// Ends with a plain line `N passed, N failed` (assertions), and with an error when any failed or none ran.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findChromium, MISSING_VARIABLE } from './support/browser/chromium.ts'
import { startTestCluster } from './support/cluster.ts'
import { compileTests, sourceNames } from './support/compiled.ts'
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
async function runTap(report: Report, environment: Record<string, string>): Promise<number> {
  const compiled = await compileTests(files)
  // The full counts take as long as they take; what hangs is met by the usual ones.
  const patience = process.env.HEADWATER_TEST_LONG ? ['--timeout=14400'] : []
  const tap = spawn(TAP, ['run', '--reporter=tap', '--node-arg=--enable-source-maps', ...patience, ...compiled], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, ...environment },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (tap.pid !== undefined) process.kill(-tap.pid, 'SIGKILL')
    })
  const lines = createInterface({ input: tap.stdout })
  lines.on('line', (text) => report.line(sourceNames(text)))
  const read = new Promise((resolve) => lines.once('close', resolve))
  return new Promise((resolve) => {
    tap.once('error', () => resolve(1))
    tap.once('exit', (code) => read.then(() => resolve(code ?? 1)))
  })
}

/** Has a browser ready before the first test, if any of them needs one. @returns why there is none */
async function prepareBrowser(): Promise<string | null> {
  if (!files.some((file) => file.includes('test/web'))) return null
  const found = await findChromium()
  return 'missing' in found ? found.missing : null
}

const asked = process.argv.slice(2)
const files = (asked.length > 0 ? asked : ['test']).flatMap(expand)
const unknown = files.find((file) => !existsSync(file))
if (unknown !== undefined) {
  console.error(`there is no test ${unknown}`)
  process.exit(1)
}
const report = new Report((line) => console.log(line))
const cluster = await startTestCluster()
const [built, missing] = await Promise.all([buildTap(), prepareBrowser()])
const environment = {
  HEADWATER_TEST_DATABASE: cluster.url,
  ...(missing === null ? {} : { [MISSING_VARIABLE]: missing }),
}
const code = built || (await runTap(report, environment))
await cluster.stop()
if (missing !== null) console.log(`\nnot run: pages in a browser, because there is none: ${missing}`)
const { passed, failed } = report.totals
console.log(`\n${passed} passed, ${code !== 0 ? Math.max(failed, 1) : failed} failed`)
process.exitCode = code !== 0 || failed > 0 || passed === 0 ? 1 : 0
