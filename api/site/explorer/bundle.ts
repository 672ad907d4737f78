// Bundles the explorer from its sources, in memory, once per process. File names contain a hash of the content.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { UserError } from '../../../core/errors.ts'
import { type Asset, assetOf } from '../asset.ts'
import { build } from '../builds.ts'
import { BROWSER_BUNDLE } from '../bundle.ts'

export const EXPLORER_ASSETS = '/explorer/assets/'

export interface ExplorerFiles {
  /** By file name. */
  assets: ReadonlyMap<string, Asset>
  script: string
  style: string
  /** Files that the script imports statically. */
  preloads: readonly string[]
  /** HTML of every page, with placeholders. */
  template: string
}

const WEB = new URL('../../../web/explorer/', import.meta.url)
const path = (name: string) => fileURLToPath(new URL(name, WEB))

let making: Promise<ExplorerFiles> | null = null

/** The bundled files, made at the first call. @throws UserError SITE_BUNDLE; the next call tries again */
export function explorerFiles(): Promise<ExplorerFiles> {
  making ??= make().catch((cause) => {
    making = null
    throw new UserError('SITE_BUNDLE', `the explorer cannot be put together: ${(cause as Error).message}`, {
      hint: 'install the dependencies again: npm ci',
      cause,
    })
  })
  return making
}

async function make(): Promise<ExplorerFiles> {
  const { outputFiles, metafile } = await build({
    ...BROWSER_BUNDLE,
    entryPoints: [path('main.tsx'), path('style/style.css')],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    splitting: true,
    legalComments: 'linked',
    outdir: path('out'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
  })
  const named = await Promise.all(
    outputFiles.map(async ({ path, contents }) => [basename(path), await assetOf(path, contents)] as const),
  )
  const script = entryOf(metafile, 'explorer/main.tsx')
  return {
    assets: new Map(named),
    script: script.name,
    style: entryOf(metafile, 'style/style.css').name,
    preloads: script.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    template: readFileSync(path('index.html'), 'utf8'),
  }
}

function entryOf({ outputs }: Metafile, source: string) {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source))
  return { name: basename(found?.[0] ?? ''), imports: found?.[1].imports ?? [] }
}
