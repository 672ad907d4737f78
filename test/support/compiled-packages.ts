// Compiles packages that tests import into modules apart from those of the tests. Files that share a process share the
// packages, and nothing else.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { compileModules, type Packages } from '../../bin/compile.js'
import { ERROR_DOMAIN, FILE_TAP, quickTap } from './quick-tap.ts'

/** Modules of ours that belong to tap: the process of several files and all its files use the same ones. */
const OF_TAP: Readonly<Record<string, string>> = { tap: FILE_TAP, 'error-domain': ERROR_DOMAIN }
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** The packages of a compilation. `plugin` first notes which are imported, `compile` then writes them. */
export class CompiledPackages {
  private readonly root: string
  private readonly folder: string
  private readonly packages: Packages
  private readonly imported = new Set<string>()

  /**
   * @param root    folder of the sources
   * @param folder  output, relative to the root
   */
  constructor(root: string, folder: string, packages: Packages) {
    this.root = root
    this.folder = folder
    this.packages = packages
  }

  /** Makes the modules of the tests import the packages from the output. */
  get plugin(): Plugin {
    return {
      name: 'packages apart',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
          if (kind === 'entry-point' || path.startsWith('node:')) return undefined
          const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
          if (!this.packages.inside.includes(name)) return undefined
          this.imported.add(path)
          return { path: this.moduleOf(path), external: true }
        })
        onResolve({ filter: /\/(file-tap|error-domain)\.ts$/ }, ({ path }) => {
          const name = path.endsWith('/file-tap.ts') ? 'tap' : 'error-domain'
          this.imported.add(name)
          return { path: this.moduleOf(name), external: true }
        })
      },
    }
  }

  /** Compiles the imported packages. @throws the errors of esbuild and of a package that cannot be loaded */
  async compile(): Promise<void> {
    const stubs = join(this.root, this.folder, 'stubs')
    mkdirSync(stubs, { recursive: true })
    const names = [...this.imported].filter((name) => OF_TAP[name] === undefined)
    const entries = await Promise.all(
      names.map(async (name) => {
        const stub = join(stubs, fileOf(name))
        writeFileSync(stub, stubOf(name, await import(name)))
        return relative(this.root, stub)
      }),
    )
    const ours = [...this.imported].flatMap((name) => OF_TAP[name] ?? []).map((path) => relative(this.root, path))
    await compileModules(this.root, [...entries, ...ours], this.folder, {
      packages: this.packages,
      plugins: [quickTap],
    })
  }

  private moduleOf(name: string): string {
    const ours = OF_TAP[name]
    const source = ours === undefined ? join(this.folder, 'stubs', fileOf(name)) : relative(this.root, ours)
    return join(this.root, this.folder, source.replace(/\.[jt]s$/, '.mjs'))
  }
}

function fileOf(name: string): string {
  return `${name.replaceAll('/', '+')}${name.endsWith('.js') ? '' : '.js'}`
}

/** A module with the names that Node finds in a package: esbuild does not find those of CommonJS modules. */
function stubOf(name: string, exported: object): string {
  const names = Object.keys(exported).filter((one) => one !== 'default' && IDENTIFIER.test(one))
  const from = `from ${JSON.stringify(name)}\n`
  return `import * as all ${from}${'default' in exported ? `export { default } ${from}` : ''}
const { ${names.map((one) => `${one}: ${one}_`).join(', ')} } = all
export { ${names.map((one) => `${one}_ as ${one}`).join(', ')} }\n`
}
