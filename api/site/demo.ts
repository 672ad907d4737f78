// Files that only a demo serves: the script of its wallet, and a page for a swap with sponsored CPU.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../core/errors.ts'
import type { BridgeConfig } from '../../web/bridge/core/types.ts'
import type { ExplorerConfig } from '../../web/explorer/core/config.ts'
import { type Asset, assetOf } from './asset.ts'
import { build } from './builds.ts'
import { ASSETS_PATH, BROWSER_BUNDLE, filled, scriptJson, site } from './bundle.ts'
import { framePlaces } from './frame.ts'

const FOLDER = new URL('../../web/demo/', import.meta.url)

/** @throws UserError SITE_FILE */
export function demoWalletScript(file: string): Promise<Asset> {
  try {
    return assetOf('wallet.js', readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new UserError('SITE_FILE', `${file} cannot be read: ${(cause as Error).message}`, {
      hint: 'name a file that the program may read',
      cause,
    })
  }
}

/** @param name  of a page in `web/demo`; its script is served next to it */
export async function demoPage(
  name: 'swap' | 'transaction',
  config: BridgeConfig,
  frame: ExplorerConfig,
): Promise<Asset> {
  const template = readFileSync(new URL(`${name}.html`, FOLDER), 'utf8')
  const files = await site()
  return assetOf(
    'index.html',
    filled(template, {
      ...framePlaces(files, frame),
      style: `${ASSETS_PATH}${files.style}`,
      script: `/demo/${name}.js`,
      config: scriptJson(config),
    }),
  )
}

export async function demoScript(name: 'swap' | 'transaction'): Promise<Asset> {
  const { outputFiles } = await build({
    ...BROWSER_BUNDLE,
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, FOLDER))],
    legalComments: 'inline',
  })
  return await assetOf(`${name}.js`, outputFiles[0]?.contents as Uint8Array)
}
