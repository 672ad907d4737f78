// Runs the tests, which are written with tap: one PostgreSQL for all of them. `npm test -- test/core` runs a part.
// Ends with a plain line `N passed, N failed` (assertions), and with an error when any failed or none ran.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findChromium, MISSING_VARIABLE } from './support/browser/chromium.ts'
import { COMPILED_VARIABLE } from './support/child-module.ts'
import { startTestCluster } from './support/cluster.ts'
import { compileTests, FOLDER, sourceName } from './support/compiled.ts'
import { installDuckDb, MISSING_VARIABLE as NO_DUCKDB_VARIABLE } from './support/duckdb/duckdb.ts'
import { runFiles } from './support/files.ts'
import { roomyFolder } from './support/memory-folder.ts'
import { type Ended, Report } from './support/report.ts'
import { findStockServer, MISSING_VARIABLE as NO_STOCK_VARIABLE } from './support/stock-server.ts'

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

/** Has a browser ready before the first test, if any of them needs one. @returns why there is none */
async function prepareBrowser(): Promise<string | null> {
  if (!files.some((file) => file.includes('test/web'))) return null
  const found = await findChromium()
  return 'missing' in found ? found.missing : null
}

/** Installs DuckDB before the first test, if any of them needs it. @returns why there is none */
async function prepareDuckDb(): Promise<string | null> {
  if (!files.some((file) => file.includes('test/indexer/export'))) return null
  return (await installDuckDb())?.missing ?? null
}

/** Has Debian's PostgreSQL ready before the first test, if any of them needs it. @returns why there is none */
async function prepareStockServer(): Promise<string | null> {
  if (!files.some((file) => file.includes('test/stock'))) return null
  const found = await findStockServer()
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
process.env.TMPDIR ??= roomyFolder()
const cluster = await startTestCluster()
const prepared = [prepareBrowser(), prepareDuckDb(), prepareStockServer()] as const
const [built, missing, noDuckDb, noStock] = await Promise.all([buildTap(), ...prepared])
const environment = {
  HEADWATER_TEST_DATABASE: cluster.url,
  [COMPILED_VARIABLE]: resolve(FOLDER),
  ...(missing === null ? {} : { [MISSING_VARIABLE]: missing }),
  ...(noDuckDb === null ? {} : { [NO_DUCKDB_VARIABLE]: noDuckDb }),
  ...(noStock === null ? {} : { [NO_STOCK_VARIABLE]: noStock }),
}
// The full counts take as long as they take; what hangs is met by the usual ones.
const patience = process.env.HEADWATER_TEST_LONG ? { test: 14_400, file: 20_000 } : { test: 300, file: 900 }
if (built === 0) {
  const onEnd = (ended: Ended) => report.file({ ...ended, name: sourceName(ended.name) })
  // Browsers beside each other draw so late that pages take themselves for hidden.
  const isApart = (file: string) => file.includes('test/web/')
  await runFiles(await compileTests(files), { patience, environment, isApart, onEnd })
}
await cluster.stop()
if (missing !== null) console.log(`\nnot run: pages in a browser, because there is none: ${missing}`)
if (noDuckDb !== null) console.log(`\nnot run: exported files in DuckDB, because there is none: ${noDuckDb}`)
if (noStock !== null) console.log(`\nnot run: the program on Debian's PostgreSQL, because there is none: ${noStock}`)
const { passed, failed } = report.totals
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = built !== 0 || failed > 0 || passed === 0 ? 1 : 0
