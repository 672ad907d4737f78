// The compiled contracts. `compiled.json` contains the output of solc, so that deployments and tests need not compile,
// and the hash of the compiler's input. A test compiles again and compares.
// After a change of a contract: `npm run generate`.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InterfaceAbi } from 'ethers'
import { BugError } from '../core/errors.ts'
import { toHex } from '../core/hex.ts'
import { required } from '../core/required.ts'
import { sha256 } from '../core/sha256.ts'

export interface CompiledContract {
  abi: InterfaceAbi & readonly object[]
  /** Creation code with 0x; constructor arguments are appended to it. */
  bytecode: string
  /** Bytes of the deployed code. */
  size: number
}

/** Source file of each contract. Interfaces, libraries and base contracts are compiled into them. */
const FILES = {
  SvcVault: 'SvcVault.sol',
  SvcWithdrawals: 'SvcWithdrawals.sol',
  SvcLightClient: 'SvcLightClient.sol',
  PlainToken: 'tokens/PlainToken.sol',
  HostileToken: 'tokens/HostileToken.sol',
} as const
export type ContractName = keyof typeof FILES
export type Contracts = Record<ContractName, CompiledContract>

/** The compiled code depends on these settings. To verify a deployment, compile with the same ones. */
const SETTINGS = {
  evmVersion: 'prague',
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const COMPILED = fileURLToPath(new URL('compiled.json', import.meta.url))
const CACHE = fileURLToPath(new URL('../node_modules/.cache/headwater/', import.meta.url))
const OUTPUTS = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: object[]; evm: Record<'bytecode' | 'deployedBytecode', Code> }>>
}
interface Code {
  object: string
}
interface Compiler {
  compile(input: string): string
}

function sources(): Record<string, { content: string }> {
  const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, { content: readFileSync(join(FOLDER, path), 'utf8') }]))
}

/** Loads the compiler on first use, because that takes a second. */
const compiler = (): Compiler => createRequire(import.meta.url)('solc') as Compiler
const compilerVersion = (): string =>
  (createRequire(import.meta.url)('solc/package.json') as { version: string }).version

function run(input: string): Contracts {
  const { errors = [], contracts } = JSON.parse(compiler().compile(input)) as Output
  if (errors.length > 0) {
    const text = errors.map((error) => error.formattedMessage).join('\n')
    throw new BugError('CONTRACTS_DO_NOT_COMPILE', text, { hint: 'warnings count as errors' })
  }
  return Object.fromEntries(
    Object.entries(FILES).map(([name, file]) => {
      const { abi, evm } = required(contracts[file]?.[name], `contract ${name} in ${file}`)
      return [name, { abi, bytecode: `0x${evm.bytecode.object}`, size: evm.deployedBytecode.object.length / 2 }]
    }),
  ) as unknown as Contracts
}

/** The contracts in the cache; null if there are none, or if the file is damaged. */
function cached(path: string): Contracts | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Contracts
  } catch {
    return null
  }
}

/** Writes to the cache. If the folder of installed packages is read-only, every process compiles for itself. */
function store(path: string, text: string): void {
  try {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, text)
    renameSync(`${path}.${process.pid}`, path)
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

interface Input {
  text: string
  /** Hash of the sources, the settings and the compiler's version. */
  hash: string
}

function compilerInput(): Input {
  const outputSelection = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [file, { [name]: OUTPUTS }]))
  const settings = { ...SETTINGS, outputSelection }
  const text = JSON.stringify({ language: 'Solidity', sources: sources(), settings })
  return { text, hash: toHex(sha256(Buffer.from(compilerVersion() + text))) }
}

/**
 * All contracts by name, compiled from the sources in half a minute, or read from the cache in a few milliseconds.
 *
 * @throws BugError CONTRACTS_DO_NOT_COMPILE with the compiler's text, for warnings too
 */
export function compileContracts(): Contracts {
  const { text, hash } = compilerInput()
  const path = join(CACHE, `contracts-${hash.slice(0, 32)}.json`)
  const known = cached(path)
  if (known) return known
  const compiled = run(text)
  store(path, JSON.stringify(compiled))
  return compiled
}

let loaded: Contracts | undefined

/**
 * All contracts by name, from `compiled.json`.
 *
 * @throws BugError CONTRACTS_CHANGED when the sources have changed since
 */
export function compiledContracts(): Contracts {
  if (loaded) return loaded
  const { hash, contracts } = JSON.parse(readFileSync(COMPILED, 'utf8')) as { hash: string; contracts: Contracts }
  if (hash !== compilerInput().hash) {
    throw new BugError('CONTRACTS_CHANGED', 'the contracts, their settings or the compiler changed', {
      hint: 'run `npm run generate`',
    })
  }
  loaded = contracts
  return contracts
}

/** Writes `compiled.json`, not formatted, if the compiler's input has changed. @returns whether it was written */
export function compileAgain(): boolean {
  const { hash } = compilerInput()
  if (existsSync(COMPILED) && (JSON.parse(readFileSync(COMPILED, 'utf8')) as { hash: string }).hash === hash)
    return false
  writeFileSync(COMPILED, `${JSON.stringify({ hash, contracts: compileContracts() })}\n`)
  return true
}
