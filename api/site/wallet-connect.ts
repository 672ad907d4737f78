// Bundles the WalletConnect library for browsers from a package that the operator installs. It is not a dependency of
// this program.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../core/errors.ts'
import { type Asset, assetOf } from './asset.ts'
import { build } from './builds.ts'
import { BROWSER_BUNDLE } from './bundle.ts'

const PACKAGE = '@walletconnect/sign-client'
/** Tested version: the last one under the Apache licence. */
const TESTED_VERSION = '2.21.1'
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @param folder  folder whose `node_modules` contains the package; default: this program's
 * @returns a function that bundles the library
 * @throws UserError SITE_WALLET_CONNECT
 */
export function walletConnectLibrary(folder = PROGRAM): () => Promise<Asset> {
  try {
    createRequire(join(folder, 'package.json')).resolve(PACKAGE)
  } catch (cause) {
    throw new UserError('SITE_WALLET_CONNECT', `site.walletConnect is set, and ${folder} has no package ${PACKAGE}`, {
      hint: `npm install --no-save ${PACKAGE}@${TESTED_VERSION}, or leave site.walletConnect unset`,
      cause,
    })
  }
  return () => bundle(folder)
}

async function bundle(folder: string): Promise<Asset> {
  const stdin = { contents: `export { SignClient } from '${PACKAGE}'`, resolveDir: folder }
  const { outputFiles } = await build({ ...BROWSER_BUNDLE, stdin, legalComments: 'inline' })
  return await assetOf('wallet-connect.js', outputFiles[0]?.contents as Uint8Array)
}
