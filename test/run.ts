// Runs the tests: one PostgreSQL for all of them, tap as the runner. `npm test -- test/core` runs a part.
// Ends with a plain line `N passed, N failed` (assertions), and with an error when any failed or none ran.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestCluster } from './support/cluster.ts'

interface Counts {
  passed: number
  failed: number
}

/** tap takes files; a folder stands for all the tests in it. */
function expand(argument: string): string[] {
  if (!statSync(argument, { throwIfNoEntry: false })?.isDirectory()) return [argument]
  const names = readdirSync(argument, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(argument, name))
}

/** Runs tap in a process group of its own, so that a signal ends the test files too. Resolves with its exit code. */
function runTap(output: string, database: string): Promise<number> {
  const files = process.argv.slice(2).flatMap(expand)
  const tap = spawn('npx', ['tap', 'run', '--reporter=terse', `--output-file=${output}`, ...files], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, HEADWATER_TEST_DATABASE: database },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (tap.pid !== undefined) process.kill(-tap.pid, 'SIGKILL')
    })
  return new Promise((resolve) => {
    tap.once('error', () => resolve(1))
    tap.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Totals from the last line that tap writes for itself; nothing counts when it did not get that far. */
function readCounts(output: string): Counts {
  try {
    const totals =
      readFileSync(output, 'utf8')
        .match(/^# \{ total: .* \}$/gm)
        ?.at(-1) ?? ''
    const count = (name: string) => Number(totals.match(new RegExp(`\\b${name}: (\\d+)`))?.[1] ?? 0)
    return { passed: count('pass'), failed: count('fail') }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'headwater-tap-'))
const output = join(folder, 'output.tap')
const cluster = await startTestCluster()
const code = await runTap(output, cluster.url)
await cluster.stop()
const { passed, failed } = readCounts(output)
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${code !== 0 ? Math.max(failed, 1) : failed} failed`)
process.exitCode = code !== 0 || failed > 0 || passed === 0 ? 1 : 0
