// Writes the files of an installation below a root folder.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import type { SystemFile } from './units.ts'

export type Outcome = 'written' | 'unchanged' | 'kept'

/**
 * Writes files with their modes. Existing settings are kept, because the operator edits them; other files are replaced
 * if their text differs.
 *
 * @param root  `/`, or the folder of an image or package
 * @throws UserError SERVICE_FILES when a file cannot be written
 */
export function writeFiles(root: string, files: readonly SystemFile[]): { path: string; outcome: Outcome }[] {
  return files.map((file) => {
    const path = join(root, file.path)
    try {
      return { path, outcome: writeOne(path, file) }
    } catch (error) {
      throw new UserError('SERVICE_FILES', `cannot write ${path}: ${(error as Error).message}`, {
        hint: 'run the command as root, or name another folder with --out',
        cause: error,
      })
    }
  })
}

function writeOne(path: string, { text, mode, isSettings }: SystemFile): Outcome {
  if (existsSync(path)) {
    if (isSettings) return 'kept'
    if (readFileSync(path, 'utf8') === text) return 'unchanged'
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
  // The mode of a new file is subject to the umask.
  chmodSync(path, mode)
  return 'written'
}
