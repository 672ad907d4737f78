// Logos that are files of this server: an operator's own, and the shipped ones of the system tokens.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Image {
  /** Media type. */
  type: string
  image: Buffer
}

/** An image opened as a page of its own must not run scripts. */
export const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  // Files change at any time, and browsers request hundreds of them.
  'cache-control': 'public, max-age=300',
}

/** Shipped logos of the system tokens. */
const SHIPPED = fileURLToPath(new URL('../../web/logos/', import.meta.url))

const TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** Folders with the logos of a chain. @param directory  with an operator's own logos, which come before the shipped ones */
export function logoFolders(directory: string | undefined, chain: string): string[] {
  return [...(directory === undefined ? [] : [directory]), SHIPPED].map((folder) => join(folder, chain))
}

/**
 * The first file of a token.
 *
 * @param token  token id: letters, digits, hyphens and single points, so it is a safe file name
 * @returns null if there is none
 */
export async function ownLogo(folders: readonly string[], token: string): Promise<Image | null> {
  for (const folder of folders)
    for (const [ending, type] of Object.entries(TYPES)) {
      const path = join(folder, `${token}.${ending}`)
      if (existsSync(path)) return { type, image: await readFile(path) }
    }
  return null
}
