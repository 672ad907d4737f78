// Builds the configuration from files, then the environment, then the command line; later ones win. Reports all
// mistakes in one error.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { UserError } from '../core/errors.ts'
import { priceProblems } from './check-price.ts'
import { chainSettings, parseVariable, programSettings, type Setting, unknownVariables } from './environment.ts'
import { type EvmChainConfig, EvmChainSchema } from './evm-schema.ts'
import { readFeedAssets } from './feed-assets.ts'
import { type Fundamentals, readFundamentals } from './fundamentals.ts'
import { findProblems } from './problems.ts'
import { type Config, type ProgramConfig, ProgramSchema } from './program-schema.ts'
import { type ChainConfig, ChainSchema } from './schema.ts'
import { suggest, suggestAfterPrefix } from './suggest.ts'

/** A package with one command. */
export type PackageName = 'cosign' | 'relay'

export interface LoadOptions {
  env: NodeJS.ProcessEnv
  /** Program settings from the command line; they override all others. */
  program?: Partial<ProgramConfig>
  /** Chain settings from the command line; they override each chain's file. */
  chain?: Partial<ChainConfig>
  /** New name for the only chain of `program.chains`. */
  rename?: string
  /** Folder of chain files; default: `config/` of the program. A chain name with a slash is a path to a file. */
  folder?: string
  /**
   * For a package that runs alone: the files of the API are not read. The cosigner's chains default to the one that it
   * signs for.
   */
  forPackage?: PackageName
}

/** Origin of each value, by path: `port` → `PORT`, `wax.source.urls` → `config/wax.json`. */
type Origins = Map<string, string>

export interface LoadedConfig {
  config: Config
  origins: Origins
}

type Json = Record<string, unknown>

/**
 * @throws UserError INVALID_CONFIG that lists all problems, each with path, value, expectation and environment variable
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const origins: Origins = new Map()
  const problems: string[] = []
  const program = loadProgram(options, origins, problems)
  const known = new Set(programSettings().flatMap(({ env, alias = env }) => [env, alias]))
  // Accepts variables of all chains: one environment may serve several chains, and a command may use only one.
  for (const name of chainFiles(options.folder))
    for (const { env } of chainSettings(name, schemaOf(readChain(name, options.folder, [])?.content))) known.add(env)
  const chains: ChainConfig[] = []
  const evm: EvmChainConfig[] = []
  const isDefault = options.forPackage === 'cosign' && !origins.has('chains')
  const names = isDefault ? [get(program, ['cosign', 'chain'])] : program.chains
  for (const name of Array.isArray(names) ? names.filter((one) => typeof one === 'string') : []) {
    const file = readChain(name, options.folder, problems)
    if (file === undefined) continue
    const chain = options.rename ?? String(file.content.chain)
    const schema = schemaOf(file.content)
    const settings = chainSettings(chain, schema)
    for (const { env } of settings) known.add(env)
    const full = loadChain({ ...file, chain, schema, settings }, options, origins, problems)
    if (schema === EvmChainSchema) evm.push(full as unknown as EvmChainConfig)
    else chains.push(full as ChainConfig)
  }
  const fundamentals: Record<string, Fundamentals> = {}
  if (options.forPackage === undefined)
    for (const { chain, fundamentals: file } of chains)
      if (typeof file === 'string') fundamentals[chain] = readFundamentals(chain, file, problems)
  const feedAssets = options.forPackage !== undefined ? [] : readFeedAssets(feedAssetsFile(program), problems)
  for (const name of unknownVariables(options.env, known)) problems.push(unknownVariable(name, known))
  if (problems.length > 0) throw invalid(problems)
  return { config: { ...(program as unknown as ProgramConfig), chains, evm, feedAssets, fundamentals }, origins }
}

function invalid(problems: readonly string[]): UserError {
  const lines = problems.map((line) => `  ${line}`).join('\n')
  return new UserError('INVALID_CONFIG', `the configuration has ${count(problems)}:\n${lines}`, {
    hint: 'docs/operate/configuration.md lists all settings; `headwater config` prints those in force',
  })
}

function loadProgram({ env, program = {} }: LoadOptions, origins: Origins, problems: string[]): Json {
  const value: Json = {}
  const settings = programSettings()
  applyEnvironment(value, settings, env, '', origins, problems)
  for (const [key, given] of Object.entries(program)) {
    if (given === undefined) continue
    value[key] = given
    origins.set(key, 'command line')
  }
  const full = Value.Default(ProgramSchema, value) as Json
  check(ProgramSchema, full, '', settings, problems)
  return full
}

interface ChainFile {
  path: string
  content: Json
}

function loadChain(
  file: ChainFile & { chain: string; schema: TSchema; settings: Setting[] },
  options: LoadOptions,
  origins: Origins,
  problems: string[],
): unknown {
  const { chain, schema, settings, path } = file
  const value = structuredClone(file.content)
  for (const setting of settings)
    if (get(value, setting.path) !== undefined) origins.set(key(chain, setting.path), path)
  value.chain = chain
  applyEnvironment(value, settings, options.env, chain, origins, problems)
  for (const [member, given] of Object.entries(schema === ChainSchema ? (options.chain ?? {}) : {})) {
    value[member] = isObject(given) && isObject(value[member]) ? { ...value[member], ...given } : given
    for (const setting of settings.filter(({ path }) => path[0] === member))
      origins.set(key(chain, setting.path), 'command line')
  }
  if (value.chainId !== file.content.chainId) dropPages(value, file, origins)
  const full = Value.Default(schema, value)
  const found = problems.length
  check(schema, full, chain, settings, problems)
  if (problems.length === found && schema === ChainSchema) problems.push(...priceProblems(full as ChainConfig))
  return full
}

/** Drops the default pages of a chain's file when the chain id is overridden: they show another chain. */
function dropPages(value: Json, { chain, content, path }: ChainFile & { chain: string }, origins: Origins): void {
  if (content.chainId === undefined || !isObject(value.public)) return
  for (const member of ['transactionPage', 'accountPage']) {
    const name = key(chain, ['public', member])
    if (origins.get(name) !== path) continue
    delete value.public[member]
    origins.delete(name)
  }
}

/** The program's settings may still be invalid here. */
function feedAssetsFile(program: Json): string | undefined {
  const path = get(program, ['feed', 'assets'])
  return typeof path === 'string' ? path : undefined
}

/** Schema of a chain's file, by its kind. */
function schemaOf(content: Json | undefined): TSchema {
  return content?.kind === 'evm' ? EvmChainSchema : ChainSchema
}

/** Names of chain files and profiles: each `NAME.json` in the folder. */
export function chainFiles(folder = fileURLToPath(new URL('.', import.meta.url))): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
}

/**
 * The entry of HEADWATER_CHAINS that configures an Antelope chain: its name, or a file for it; undefined when none does.
 *
 * @throws UserError INVALID_CONFIG when an entry cannot be read
 */
export function configuredEntry(chain: string, env: NodeJS.ProcessEnv): string | undefined {
  const entries = (env.HEADWATER_CHAINS ?? '').split(',').map((entry) => entry.trim())
  const problems: string[] = []
  const found = entries.filter(Boolean).find((entry) => {
    const content = readChain(entry, undefined, problems)?.content
    return (entry === chain || content?.chain === chain) && schemaOf(content) === ChainSchema
  })
  if (problems.length > 0) throw invalid(problems)
  return found
}

/** Whether an entry of HEADWATER_CHAINS, or a value of --chain, is a path to a chain's file instead of a name. */
export function isChainFile(entry: string): boolean {
  return entry.includes('/') || entry.endsWith('.json')
}

/**
 * Name of the chain that an entry of HEADWATER_CHAINS, or a value of --chain, selects.
 *
 * @throws UserError INVALID_CONFIG when it is a file that cannot be read or names no chain
 */
export function chainName(entry: string): string {
  if (!isChainFile(entry)) return entry
  const problems: string[] = []
  const content = readChain(entry, undefined, problems)?.content
  if (problems.length === 0 && typeof content?.chain === 'string') return content.chain
  throw invalid(problems.length > 0 ? problems : [`${entry}: chain is missing: it is the chain's name`])
}

/** A file of the program by its path in the program's folder, another one as the operator gave it. */
function nameOf(path: string): string {
  const within = relative(fileURLToPath(new URL('..', import.meta.url)), path)
  return within.startsWith('..') ? path : within
}

function readChain(name: string, folder: string | undefined, problems: string[]): ChainFile | undefined {
  const home = folder ?? fileURLToPath(new URL('.', import.meta.url))
  const path = isChainFile(name) ? name : join(home, `${name}.json`)
  if (!existsSync(path)) {
    const meant = suggest(name, chainFiles(home))
    problems.push(
      `chains: ${JSON.stringify(name)} has no file ${path}${meant ? `; did you mean ${meant}?` : ''} (HEADWATER_CHAINS)`,
    )
    return undefined
  }
  try {
    return { path: nameOf(path), content: JSON.parse(readFileSync(path, 'utf8')) as Json }
  } catch (error) {
    problems.push(`${path}: not JSON: ${(error as Error).message}`)
    return undefined
  }
}

function applyEnvironment(
  value: Json,
  settings: Setting[],
  env: NodeJS.ProcessEnv,
  chain: string,
  origins: Origins,
  problems: string[],
): void {
  for (const { path, schema, ...names } of settings) {
    if (schema.emptyIsNone && env[names.env] === '') {
      remove(value, path)
      origins.set(key(chain, path), names.env)
      continue
    }
    const given = [names.env, names.alias].filter((one): one is string => one !== undefined && (env[one] ?? '') !== '')
    const [name, other] = given
    if (name === undefined) continue
    const text = env[name] as string
    if (other !== undefined && env[other] !== text) problems.push(`${name} and ${other} differ: give one of them`)
    set(value, path, parseVariable(text, schema))
    origins.set(key(chain, path), name)
  }
}

function check(schema: TSchema, value: unknown, chain: string, settings: Setting[], problems: string[]): void {
  for (const { path, value: found, expectation } of findProblems(schema, value)) {
    const setting = settings.find(
      (known) => path === known.path.join('.') || path.startsWith(`${known.path.join('.')}.`),
    )
    const said = found === undefined ? expectation : `${found} is not ${expectation}`
    problems.push(`${key(chain, path.split('.'))}: ${said}${setting ? ` (${setting.env})` : ''}`)
  }
}

function unknownVariable(name: string, known: ReadonlySet<string>): string {
  const meant = suggestAfterPrefix(name, known)
  return `${name}: no such environment variable${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

function count(problems: readonly string[]): string {
  return problems.length === 1 ? 'a problem' : `${problems.length} problems`
}

function key(chain: string, path: readonly string[]): string {
  return (chain === '' ? path : [chain, ...path]).join('.')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function get(value: Json, path: string[]): unknown {
  return path.reduce<unknown>((inner, member) => (isObject(inner) ? inner[member] : undefined), value)
}

function set(value: Json, path: string[], leaf: unknown): void {
  let inner = value
  for (const member of path.slice(0, -1)) {
    if (!isObject(inner[member])) inner[member] = {}
    inner = inner[member] as Json
  }
  inner[path.at(-1) as string] = leaf
}

function remove(value: Json, path: string[]): void {
  const holder = get(value, path.slice(0, -1))
  if (isObject(holder)) delete holder[path.at(-1) as string]
}
