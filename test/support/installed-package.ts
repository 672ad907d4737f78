// A package of this repository as it is published: packed by npm, installed with its dependencies into an empty folder
// outside of the checkout, and run there alone. The registry is on this machine.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { startLocalRegistry } from './local-registry.ts'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname

interface Outcome {
  code: number
  out: string
  err: string
}

export interface InstalledPackage {
  /** Starts its program. Its environment is PATH, HOME and these variables. */
  start(words: string[], variables: Record<string, string>): ChildProcess & { stdout: Readable; stderr: Readable }
  /** Runs its program to the end. */
  outcome(words: string[], variables?: Record<string, string>): Promise<Outcome>
  /** Checks files, dependencies and manifest. @param modules  built from its entries, in dist/ */
  checkContents(t: Test, modules: readonly string[], maxDependencies: number): Promise<void>
}

/** @param folder  of the package in the checkout; its name is `@headwater/FOLDER`, its program `headwater-FOLDER` */
export async function installedPackage(t: Test, folder: string): Promise<InstalledPackage> {
  const place = temporaryFolder(t)
  const registry = await startLocalRegistry(t)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_cache: join(place, 'cache'), npm_config_registry: registry }
  const npm = (cwd: string, ...words: string[]) => run('npm', [...words, '--no-audit', '--no-fund'], { cwd, env })
  const { stdout } = await npm(join(root, folder), 'pack', '--json', '--pack-destination', place)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }]
  const home = join(place, 'home')
  await mkdir(home)
  await writeFile(join(home, 'package.json'), '{ "name": "home", "private": true }')
  await npm(home, 'install', join(place, packed.filename))
  const program = join(home, 'node_modules/.bin', `headwater-${folder}`)
  const start = (words: string[], variables: Record<string, string>) =>
    spawn(program, words, { cwd: home, env: { PATH, HOME, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    start,
    async outcome(words, variables = {}) {
      const child = start(words, variables)
      let [out, err] = ['', '']
      child.stdout.on('data', (text) => (out += text))
      child.stderr.on('data', (text) => (err += text))
      const [code] = await once(child, 'close')
      return { code, out, err }
    },
    async checkContents(t, modules, maxDependencies) {
      const names = packed.files.map(({ path }) => path)
      const chains = (await readdir(join(root, 'config'))).filter((name) => name.endsWith('.json'))
      const built = [...modules, ...chains].map((name) => `dist/${name}`)
      t.same(names.toSorted(), ['LICENSE', 'README.md', 'package.json', ...built].toSorted())
      const read = (path: string) => readFile(path, 'utf8')
      const manifest = JSON.parse(await read(join(home, 'node_modules/@headwater', folder, 'package.json')))
      const whole = JSON.parse(await read(join(root, 'package.json')))
      const dependencies = Object.entries<string>(manifest.dependencies)
      t.ok(dependencies.length <= maxDependencies, `${dependencies.length} dependencies`)
      for (const [name, version] of dependencies) t.equal(version, whole.dependencies[name], name)
      const { private: isPrivate, license, engines, version } = manifest
      const expected = { isPrivate: undefined, license: 'MIT', engines: whole.engines, version: whole.version }
      t.same({ isPrivate, license, engines, version }, expected)
      const [ours, its] = await Promise.all(['LICENSE', `${folder}/LICENSE`].map((name) => read(join(root, name))))
      t.equal(its, ours)
    },
  }
}
