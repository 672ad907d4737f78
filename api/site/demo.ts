// Files that only a demo serves: the script of its wallet, and a page for a swap with sponsored CPU.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../core/errors.ts'
import type { BridgeConfig } from '../../web/bridge/core/types.ts'
import { type Asset, assetOf } from './asset.ts'
import { build } from './builds.ts'
import { ASSETS_PATH, BROWSER_BUNDLE, filled, scriptJson, site } from './bundle.ts'

/** Path of the page for the sponsored swap. */
export const DEMO_SWAP_PATH = '/demo/swap'
export const DEMO_SWAP_SCRIPT_PATH = '/demo/swap.js'

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

export async function swapPage(config: BridgeConfig): Promise<Asset> {
  const template = readFileSync(new URL('swap.html', FOLDER), 'utf8')
  const { style } = await site()
  return assetOf(
    'index.html',
    filled(template, {
      style: `${ASSETS_PATH}${style}`,
      script: DEMO_SWAP_SCRIPT_PATH,
      config: scriptJson(config),
    }),
  )
}

export async function swapScript(): Promise<Asset> {
  const { outputFiles } = await build({
    ...BROWSER_BUNDLE,
    entryPoints: [fileURLToPath(new URL('swap.ts', FOLDER))],
    legalComments: 'inline',
  })
  return await assetOf('swap.js', outputFiles[0]?.contents as Uint8Array)
}
