// Makes the files of the bridge's page and of the SDK out of their sources, in memory, once in a process. Files of the page
// are named after what they hold, so browsers keep them for ever.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { UserError } from '../../core/errors.ts'
import { type Asset, assetOf } from './asset.ts'

/** Where the files of the page are. */
export const ASSETS_PATH = '/bridge/assets/'

export interface Site {
  /** `/sdk/bridge/v1.js` */
  sdk: Asset
  /** By file name. */
  assets: ReadonlyMap<string, Asset>
  script: string
  style: string
  /** Files that the script needs at once, beside itself. */
  preloads: readonly string[]
  /** The page, with places for what differs. */
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

/** For browsers of today, as modules. */
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

/** A page from its template: names in double braces, and what the server gives it as JSON. */
export function filled(template: string, places: Record<string, string>, config: object): string {
  // Inside a script element nothing but its end means anything.
  const values: Record<string, string> = { ...places, config: JSON.stringify(config).replaceAll('<', '\\u003c') }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}

/** The files; made at the first call. @throws UserError SITE_BUNDLE; the next call tries again */
export function site(): Promise<Site> {
  making ??= make().catch((cause) => {
    making = null
    throw new UserError('SITE_BUNDLE', `the pages of the bridge cannot be put together: ${(cause as Error).message}`, {
      hint: 'install the dependencies anew: npm ci',
      cause,
    })
  })
  return making
}

async function make(): Promise<Site> {
  try {
    const [sdk, page] = await Promise.all([
      esbuild.build({
        ...SCRIPT_BUNDLE,
        entryPoints: [path('sdk/v1.ts')],
        // The oldest that an embedder's page may have to run in.
        target: 'es2017',
        format: 'iife',
        legalComments: 'none',
      }),
      esbuild.build({
        ...BROWSER_BUNDLE,
        entryPoints: [path('bridge/page/main.ts'), path('bridge/page/style.css')],
        splitting: true,
        legalComments: 'linked',
        outdir: path('bridge/out'),
        entryNames: '[name]-[hash]',
        chunkNames: '[name]-[hash]',
        metafile: true,
      }),
    ])
    return await gather(sdk.outputFiles[0]?.contents as Uint8Array, page.outputFiles, page.metafile)
  } finally {
    // Its process would wait for more to do.
    await esbuild.stop()
  }
}

async function gather(sdk: Uint8Array, files: readonly esbuild.OutputFile[], built: esbuild.Metafile): Promise<Site> {
  const assets = new Map<string, Asset>()
  for (const { path, contents } of files) assets.set(basename(path), await assetOf(path, contents))
  const outputs = Object.entries(built.outputs)
  const entry = (source: string) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(source))
    return { name: basename(found?.[0] ?? ''), imports: found?.[1].imports ?? [] }
  }
  const script = entry('page/main.ts')
  return {
    sdk: await assetOf('v1.js', sdk),
    assets,
    script: script.name,
    style: entry('page/style.css').name,
    preloads: script.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    template: readFileSync(path('bridge/page/index.html'), 'utf8'),
  }
}
