// Bundles the bridge's page and the SDK from their sources, in memory, once per process. Names of the page's files
// contain a hash of their content, so browsers cache them forever.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as esbuild from 'esbuild'
import { UserError } from '../../core/errors.ts'
import { type Asset, assetOf } from './asset.ts'
import { build } from './builds.ts'

/** Path of the page's files. */
export const ASSETS_PATH = '/bridge/assets/'

export interface Site {
  /** `/sdk/bridge/v1.js` */
  sdk: Asset
  /** By file name. */
  assets: ReadonlyMap<string, Asset>
  script: string
  style: string
  /** Files that the script imports statically. */
  preloads: readonly string[]
  /** Script of the top bar and the footer, and the files that it imports. */
  frame: { script: string; preloads: readonly string[] }
  /** HTML of the page with placeholders. */
  template: string
}

const WEB = new URL('../../web/', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, WEB))

const SCRIPT_BUNDLE = {
  bundle: true,
  minify: true,
  write: false,
  logLevel: 'silent',
  charset: 'utf8',
} as const satisfies esbuild.BuildOptions

/** Modules for current browsers. */
export const BROWSER_BUNDLE = {
  ...SCRIPT_BUNDLE,
  target: ['es2022', 'safari16.4'],
  format: 'esm',
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  conditions: ['browser', 'import'],
  define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
} as const satisfies esbuild.BuildOptions

let making: Promise<Site> | null = null

/** Fills a template: `{{name}}` with the place of that name. */
export function filled(template: string, places: Record<string, string>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => places[name] ?? '')
}

/** JSON for a script element: `<` is escaped, so that no text can end the element. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The bundled files, made at the first call. @throws UserError SITE_BUNDLE; the next call tries again */
export function site(): Promise<Site> {
  making ??= make().catch((cause) => {
    making = null
    throw new UserError('SITE_BUNDLE', `the pages of the bridge cannot be put together: ${(cause as Error).message}`, {
      hint: 'install the dependencies again: npm ci',
      cause,
    })
  })
  return making
}

async function make(): Promise<Site> {
  const [sdk, page] = await Promise.all([
    build({
      ...SCRIPT_BUNDLE,
      entryPoints: [path('sdk/v1.ts')],
      // The oldest browsers that embedding pages must support.
      target: 'es2017',
      format: 'iife',
      legalComments: 'none',
    }),
    build({
      ...BROWSER_BUNDLE,
      entryPoints: [path('bridge/page/main.ts'), path('bridge/page/style.css'), path('explorer/frame.tsx')],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      splitting: true,
      legalComments: 'linked',
      outdir: path('bridge/out'),
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      metafile: true,
    }),
  ])
  return await gather(sdk.outputFiles[0]?.contents as Uint8Array, page.outputFiles, page.metafile)
}

async function gather(sdk: Uint8Array, files: readonly esbuild.OutputFile[], built: esbuild.Metafile): Promise<Site> {
  const assets = new Map<string, Asset>()
  for (const { path, contents } of files) assets.set(basename(path), await assetOf(path, contents))
  const outputs = Object.entries(built.outputs)
  const entry = (source: string) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(source))
    const imports = (found?.[1].imports ?? []).filter(({ kind }) => kind === 'import-statement')
    return { script: basename(found?.[0] ?? ''), preloads: imports.map(({ path }) => basename(path)) }
  }
  return {
    sdk: await assetOf('v1.js', sdk),
    assets,
    ...entry('page/main.ts'),
    style: entry('page/style.css').script,
    frame: entry('explorer/frame.tsx'),
    template: readFileSync(path('bridge/page/index.html'), 'utf8'),
  }
}
