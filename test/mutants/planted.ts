// Runs a test in a copy of the source tree with one bug planted.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileModules } from '../../bin/compile.js'
import type { Mutant } from './mutants.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Files and folders that a test needs. */
const FOLDERS = [
  'abis',
  'config',
  'core',
  'devnet',
  'finality-store',
  'indexer',
  'migrations',
  'net',
  'test',
  'package.json',
  'tsconfig.json',
]
/** Timeout of a test run, ms. A run that does not end does not count as caught. */
const PATIENCE = 300_000

export interface Verdict {
  caught: boolean
  /** End of the output. */
  output: string
}

/**
 * Copies the sources to a folder, which shares the packages of the root. Packages of helpers in test/support are left out:
 * they are hundreds of megabytes of browsers and databases.
 */
export function copySources(tree: string): void {
  const filter = (path: string) => basename(path) !== 'node_modules'
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(tree, folder), { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
}

/** Number of occurrences of the text to be changed; anything but 1 means that the mutant is out of date. */
export function occurrences({ file, from }: Mutant): number {
  return readFileSync(join(ROOT, file), 'utf8').split(from).length - 1
}

/**
 * Plants a bug and runs the test that must catch it.
 *
 * @param seeds  limit of simulation seeds
 * @throws when the text to be changed does not occur exactly once: the mutant is out of date
 */
export async function plant(mutant: Mutant, seeds: number): Promise<Verdict> {
  const tree = mkdtempSync(join(tmpdir(), 'headwater-mutant-'))
  try {
    copySources(tree)
    const file = join(tree, mutant.file)
    if (occurrences(mutant) !== 1) throw new Error(`${mutant.file} does not have once: ${mutant.from}`)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(mutant.from, () => mutant.to),
    )
    return await run(tree, mutant.suite === 'simulation' ? 'test/simulation/forks.test.ts' : mutant.suite, seeds)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

async function run(tree: string, suite: string, seeds: number): Promise<Verdict> {
  await compileModules(tree, [suite], 'compiled')
  const env: NodeJS.ProcessEnv = { ...process.env, HEADWATER_SEED: '1', HEADWATER_SEEDS: `${seeds}` }
  // The test runs without the test runner, so it starts its own server and migrates it.
  for (const name of Object.keys(env)) if (/^_?TAP|^HEADWATER_TEST/.test(name)) delete env[name]
  const child = spawn(process.execPath, ['--enable-source-maps', join('compiled', suite.replace(/\.ts$/, '.mjs'))], {
    cwd: tree,
    env,
  })
  let output = ''
  const keep = (data: Buffer) => {
    output = (output + data).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ caught: code !== 0 && /^\s*not ok/m.test(output), output })
    })
  })
}
