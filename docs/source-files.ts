// TypeScript files of the checkout, for the generators of pages.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname

/** @returns absolute paths of all `.ts` files below the folders, in order */
export async function glob(folders: string[]): Promise<string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (entry.isFile() && entry.name.endsWith('.ts')) found.push(join(entry.parentPath, entry.name))
    }
  }
  return found.sort()
}
