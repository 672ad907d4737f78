// Finds the logo of a token: in the on-chain registry, then in the exchange's own set, then in public lists.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { logoAddress } from '../../../core/logo-address.ts'
import type { TokenRef } from '../../live-market/model.ts'
import type { LogoLists } from './logo-lists.ts'
import { REGISTRY_IMAGE } from './sql.ts'

export type Logo = { kind: 'address'; address: string } | { kind: 'image'; type: string; image: Buffer }

export interface LogoSources {
  pool: Pool
  chain: string
  /** Folder of an operator's own logos; these come before the shipped ones. */
  directory?: string
  lists: LogoLists
}

/** Shipped logos of the system tokens. */
const SHIPPED = fileURLToPath(new URL('../../../web/logos/', import.meta.url))

const TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** @returns null if there is no logo */
export async function findLogo({ pool, chain, directory, lists }: LogoSources, token: TokenRef): Promise<Logo | null> {
  const { rows } = await pool.query<{ image: string | null }>({
    name: 'registry-image',
    text: REGISTRY_IMAGE,
    values: [chain, token.contract, token.symbol],
  })
  for (const { image } of rows) {
    const address = image === null ? null : logoAddress(image)
    if (address !== null) return { kind: 'address', address }
  }
  for (const folder of directory === undefined ? [SHIPPED] : [directory, SHIPPED]) {
    const own = await ownLogo(join(folder, chain), token)
    if (own !== null) return own
  }
  const address = lists.addressOf(token.id)
  return address === null ? null : { kind: 'address', address }
}

/** Token ids consist of letters, digits, hyphens and single points: they are safe file names. */
async function ownLogo(directory: string, { id }: TokenRef): Promise<Logo | null> {
  for (const [ending, type] of Object.entries(TYPES)) {
    const path = join(directory, `${id}.${ending}`)
    if (existsSync(path)) return { kind: 'image', type, image: await readFile(path) }
  }
  return null
}
