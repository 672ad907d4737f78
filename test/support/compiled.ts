// Compiles tests with all their imports into plain modules, once per run: loading a test's sources one by one from
// TypeScript takes longer than most tests.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { compileModules, type Metafile, type Packages, THREADS } from '../../bin/compile.js'
import { CHILD_MODULES } from './child-module.ts'
import { CompiledPackages } from './compiled-packages.ts'
import { quickTap } from './quick-tap.ts'

const ROOT = join(import.meta.dirname, '../..')
/** In node_modules, so that packages resolve as from the sources. */
const CACHE = 'node_modules/.cache'
const PREFIX = 'headwater-tests-'
const SHARED_PROCESS = 'test/support/shared-process.ts'
/**
 * Packages that most tests load. Node takes a second of processor time to load those of the API from their hundreds of
 * files, and half of that from a compiled module.
 */
const PACKAGES: Packages = {
  inside: [
    '@fastify/ajv-compiler',
    '@fastify/compress',
    '@fastify/cors',
    '@fastify/fast-json-stringify-compiler',
    '@fastify/rate-limit',
    '@fastify/swagger',
    '@fastify/under-pressure',
    '@noble/curves',
    '@noble/hashes',
    'decimal.js',
    'ethers',
    'fast-check',
    'fastify',
    'lru-cache',
    'pg',
    'pg-copy-streams',
    'pg-query-stream',
    'prom-client',
    'tap',
    'typebox',
    'ws',
  ],
  // Starts threads from its own files.
  outside: ['pino'],
}
/**
 * Packages that child processes load in addition. A command that migrates takes a fifth less processor time to start with
 * them compiled in. The outer ones are drivers of other databases, which knex names but which are not installed.
 */
const CHILD_PACKAGES: Packages = {
  inside: [...PACKAGES.inside, '@wharfkit/antelope', 'aws4fetch', 'knex', 'pg-boss', 'zstddec'],
  outside: [
    ...PACKAGES.outside,
    ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'sqlite3', 'tedious'],
  ],
}

/** A resource that a test needs in addition to its own process. */
export type Need = 'database' | 'browser' | 'evm' | 'duckdb' | 'clickhouse' | 'stock' | 's3' | 'pooler' | 'children'

/** A test needs something when it imports one of these modules, directly or through others. */
const MARKS: Readonly<Record<Need, readonly string[]>> = {
  database: ['test/support/database.ts', 'test/support/cluster.ts', 'indexer/store/embedded/server.ts'],
  browser: ['test/support/browser/browser.ts'],
  evm: ['test/contracts/anvil.ts', 'test/indexer/source/evm/local-chain.ts', 'devnet/evm/node.ts'],
  duckdb: ['test/support/duckdb/duckdb.ts'],
  clickhouse: ['test/support/clickhouse/clickhouse.ts'],
  stock: ['test/support/stock-server.ts'],
  pooler: ['test/support/pgbouncer.ts'],
  s3: ['test/support/s3/server.ts'],
  children: ['test/support/child-module.ts', 'test/mutants/planted.ts'],
}

/** Needs of files that share a process. The others start programs that a killed process would leave running. */
const SHARED: ReadonlySet<Need> = new Set<Need>(['database', 'evm'])
/** Line in the head of a file that must run in a process of its own. */
const OWN_PROCESS = /^\/\/ Own process: /m

export interface CompiledTest {
  /** Path from the root, such as `test/core/book/match.test.ts`. */
  source: string
  /** Path of the compiled module from the root. */
  module: string
  needs: ReadonlySet<Need>
  /** Whether it can run in a process after other files. */
  isShared: boolean
}

export interface Compiled {
  /** Absolute folder of the compiled modules. */
  folder: string
  tests: CompiledTest[]
  /** Path of the module of processes that run several files. */
  sharedModule: string
  /** Deletes the folder. */
  remove(): void
}

/**
 * Compiles test files, and the modules of their child processes if a test starts any.
 *
 * @param files  paths of tests
 * @throws the errors of esbuild
 */
export async function compileTests(files: readonly string[]): Promise<Compiled> {
  removeLeftovers()
  const sources = files.map((file) => relative(ROOT, resolve(file)))
  const home = join(CACHE, `${PREFIX}${process.pid}`)
  const folder = join(home, 'modules')
  mkdirSync(join(ROOT, folder), { recursive: true })
  const packages = new CompiledPackages(ROOT, join(home, 'packages'), PACKAGES)
  const threads = join(ROOT, folder)
  const entries = [...sources, SHARED_PROCESS, ...THREADS]
  const { metafile } = await compileModules(ROOT, entries, folder, { plugins: [packages.plugin], threads })
  await packages.compile()
  const moduleOf = (source: string) => join(folder, source.replace(/\.ts$/, '.mjs'))
  const tests = sources.map((source) => {
    const needs = needsOf(source, metafile)
    const isShared = [...needs].every((need) => SHARED.has(need))
    return {
      source,
      module: moduleOf(source),
      needs,
      isShared: isShared && !OWN_PROCESS.test(readFileSync(join(ROOT, source), 'utf8')),
    }
  })
  if (tests.some(({ needs }) => needs.has('children')))
    await compileModules(ROOT, CHILD_MODULES, folder, { packages: CHILD_PACKAGES, plugins: [quickTap], threads })
  const remove = () => rmSync(join(ROOT, home), { recursive: true, force: true })
  return { folder: join(ROOT, folder), tests, sharedModule: moduleOf(SHARED_PROCESS), remove }
}

function needsOf(source: string, metafile: Metafile): ReadonlySet<Need> {
  const imported = new Set<string>([source])
  for (const path of imported)
    for (const { path: next, external } of metafile.inputs[path]?.imports ?? [])
      if (external !== true) imported.add(next)
  const needs = (Object.keys(MARKS) as Need[]).filter((need) => MARKS[need].some((mark) => imported.has(mark)))
  return new Set(needs)
}

/** Deletes the folders of runs that were killed. */
function removeLeftovers(): void {
  mkdirSync(join(ROOT, CACHE), { recursive: true })
  for (const name of readdirSync(join(ROOT, CACHE)))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(ROOT, CACHE, name), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
