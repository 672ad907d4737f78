// Runs the tests, which are written with tap, against one PostgreSQL server. `npm test -- test/core` runs a part.
// Ends with a plain line `N passed, N failed` (assertions). Fails when an assertion failed, when none ran, and in
// continuous integration when the run took too long.
import { join } from 'node:path'
import { parseRunArguments, type RunArguments } from './support/arguments.ts'
import { findChromium, MISSING_VARIABLE } from './support/browser/chromium.ts'
import { installClickHouse, MISSING_VARIABLE as NO_CLICKHOUSE_VARIABLE } from './support/clickhouse/clickhouse.ts'
import { startTestCluster, type TestCluster } from './support/cluster.ts'
import { type Compiled, compileTests, type Need } from './support/compiled.ts'
import { COMPILED_VARIABLE } from './support/compiled-folder.ts'
import { prepareCoverage } from './support/coverage.ts'
import { installDuckDb, MISSING_VARIABLE as NO_DUCKDB_VARIABLE } from './support/duckdb/duckdb.ts'
import { runFiles } from './support/files.ts'
import { roomyFolder } from './support/memory-folder.ts'
import { findPgBouncer, NO_PGBOUNCER_VARIABLE } from './support/pgbouncer.ts'
import { Report } from './support/report.ts'
import { installS3, MISSING_VARIABLE as NO_S3_VARIABLE } from './support/s3/server.ts'
import { slowestFirst } from './support/slow-files.ts'
import { findStockServer, MISSING_VARIABLE as NO_STOCK_VARIABLE } from './support/stock-server.ts'
import { buildTap } from './support/tap-build.ts'

const ROOT = join(import.meta.dirname, '..')
/** Longest run in continuous integration, in minutes. */
const CI_MINUTES = 20
/** Resources that unit tests may not need. */
const NOT_UNIT: readonly Need[] = [
  'database',
  'browser',
  'evm',
  'duckdb',
  'clickhouse',
  'stock',
  's3',
  'pooler',
  'children',
]

/** Resources that were prepared before the first test. */
interface Surroundings {
  cluster: TestCluster | null
  noBrowser: string | null
  noDuckDb: string | null
  noClickHouse: string | null
  noStock: string | null
  noPooler: string | null
  noS3: string | null
}

function readArguments(): RunArguments {
  try {
    return parseRunArguments(process.argv.slice(2))
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** Prepares only what the chosen tests need. */
async function prepare(needs: ReadonlySet<Need>): Promise<Surroundings> {
  const browser = async () => {
    const found = needs.has('browser') ? await findChromium() : null
    return found !== null && 'missing' in found ? found.missing : null
  }
  const duckDb = async () => (needs.has('duckdb') ? ((await installDuckDb())?.missing ?? null) : null)
  const clickHouse = async () => (needs.has('clickhouse') ? ((await installClickHouse())?.missing ?? null) : null)
  const stock = async () => {
    const found = needs.has('stock') ? await findStockServer() : null
    return found !== null && 'missing' in found ? found.missing : null
  }
  const pooler = async () => {
    const found = needs.has('pooler') ? await findPgBouncer() : null
    return found !== null && 'missing' in found ? found.missing : null
  }
  const s3 = async () => (needs.has('s3') ? ((await installS3())?.missing ?? null) : null)
  const [cluster, noBrowser, noDuckDb, noClickHouse, noStock, noS3, noPooler] = await Promise.all([
    needs.has('database') ? startTestCluster() : null,
    browser(),
    duckDb(),
    clickHouse(),
    stock(),
    s3(),
    pooler(),
  ])
  return { cluster, noBrowser, noDuckDb, noClickHouse, noStock, noS3, noPooler }
}

/** Variables that test processes read. */
function environmentOf(
  { cluster, noBrowser, noDuckDb, noClickHouse, noStock, noS3, noPooler }: Surroundings,
  { folder }: Compiled,
): Record<string, string> {
  return {
    [COMPILED_VARIABLE]: folder,
    ...(cluster === null ? {} : { HEADWATER_TEST_DATABASE: cluster.url }),
    ...(noBrowser === null ? {} : { [MISSING_VARIABLE]: noBrowser }),
    ...(noDuckDb === null ? {} : { [NO_DUCKDB_VARIABLE]: noDuckDb }),
    ...(noClickHouse === null ? {} : { [NO_CLICKHOUSE_VARIABLE]: noClickHouse }),
    ...(noStock === null ? {} : { [NO_STOCK_VARIABLE]: noStock }),
    ...(noPooler === null ? {} : { [NO_PGBOUNCER_VARIABLE]: noPooler }),
    ...(noS3 === null ? {} : { [NO_S3_VARIABLE]: noS3 }),
  }
}

/**
 * Seconds for one test and for one file. Ten times the longest test, for machines with other work. Full counts take
 * hours; a person with a debugger takes any time.
 */
function limits({ inspect }: RunArguments): { test: number; file: number } {
  if (inspect !== null) return { test: 1_000_000, file: 1_000_000 }
  return process.env.HEADWATER_TEST_LONG ? { test: 14_400, file: 20_000 } : { test: 900, file: 1000 }
}

/** A debugger is for one file. The coverage of all modules of many files is too large for one report of a process. */
function isShared({ inspect }: RunArguments): boolean {
  return inspect === null && process.env.NODE_V8_COVERAGE === undefined
}

const given = readArguments()
const report = new Report((line) => console.log(line))
process.env.TMPDIR ??= roomyFolder()
// Tests are compiled together with tap.
await buildTap()
const compiled = await compileTests(given.files)
const chosen = given.isUnit
  ? compiled.tests.filter(({ needs }) => !NOT_UNIT.some((need) => needs.has(need)))
  : compiled.tests
const surroundings = await prepare(new Set(chosen.flatMap(({ needs }) => [...needs])))
try {
  await runFiles(slowestFirst(chosen), {
    patience: limits(given),
    environment: environmentOf(surroundings, compiled),
    nodeArguments: given.inspect === null ? [] : ['--enable-source-maps', given.inspect],
    folder: compiled.folder,
    sharedModule: isShared(given) ? compiled.sharedModule : null,
    // Next to other browsers, a browser draws so late that pages take themselves for hidden.
    isApart: ({ needs }) => needs.has('browser'),
    onEnd: (ended) => report.file(ended),
  })
} finally {
  await surroundings.cluster?.stop()
  compiled.remove()
}
if (process.env.NODE_V8_COVERAGE !== undefined) prepareCoverage(process.env.NODE_V8_COVERAGE, ROOT)
report.folders()
const { noBrowser, noDuckDb, noClickHouse, noStock, noS3, noPooler } = surroundings
if (noBrowser !== null) console.log(`\nnot run: pages in a browser, because there is none: ${noBrowser}`)
if (noDuckDb !== null) console.log(`\nnot run: exported files in DuckDB, because there is none: ${noDuckDb}`)
if (noClickHouse !== null) console.log(`\nnot run: a lake in ClickHouse, because there is none: ${noClickHouse}`)
if (noStock !== null) console.log(`\nnot run: the program on Debian's PostgreSQL, because there is none: ${noStock}`)
if (noS3 !== null) console.log(`\nnot run: files in a bucket of S3, because there is no server: ${noS3}`)
if (noPooler !== null) console.log(`\nnot run: the API behind PgBouncer, because there is none: ${noPooler}`)
const minutes = process.uptime() / 60
const isLate = process.env.CI === 'true' && !process.env.HEADWATER_TEST_LONG && minutes > CI_MINUTES
console.log(`\nthe run took ${minutes.toFixed(1)} minutes${isLate ? `, the limit is ${CI_MINUTES}` : ''}`)
const { passed, failed } = report.totals
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 || isLate ? 1 : 0
