// Finds the logo of a token: in the on-chain registry, then in the exchange's own set, then in public lists.
import type { Pool } from 'pg'
import { logoAddress } from '../../../core/logo-address.ts'
import { type Image, logoFolders, ownLogo } from '../../kit/own-logo.ts'
import type { TokenRef } from '../../live-market/model.ts'
import type { LogoLists } from './logo-lists.ts'
import { REGISTRY_IMAGE } from './sql.ts'

export type Logo = { kind: 'address'; address: string } | ({ kind: 'image' } & Image)

export interface LogoSources {
  pool: Pool
  chain: string
  /** Folder of an operator's own logos; these come before the shipped ones. */
  directory?: string
  lists: LogoLists
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
  const own = await ownLogo(logoFolders(directory, chain), token.id)
  if (own !== null) return { kind: 'image', ...own }
  const address = lists.addressOf(token.id)
  return address === null ? null : { kind: 'address', address }
}
