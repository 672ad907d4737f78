// Damages files at random, as a disk or a network does.
import { rmSync, writeFileSync } from 'node:fs'
import type { PartFile } from '../../packs/format/manifest.ts'
import type { Random } from '../support/random.ts'

/** Damages a file. @returns what was done, and the code of the error that must follow */
export function damage(random: Random, path: string, bytes: Buffer, other: () => Buffer): [what: string, code: string] {
  const kind = random.integer(0, 9)
  if (kind === 0) {
    rmSync(path)
    return ['missing', 'PACK_FILE_MISSING']
  }
  const at = random.integer(0, bytes.length - 1)
  if (kind === 1) writeFileSync(path, bytes.subarray(0, at))
  else if (kind === 2) writeFileSync(path, Buffer.concat([bytes, bytes.subarray(at)]))
  else if (kind === 3) writeFileSync(path, other())
  else {
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1 << random.integer(0, 7)
    writeFileSync(path, flipped)
  }
  return [`damage ${kind} at ${at}`, 'PACK_DAMAGED']
}

export function otherThan(file: PartFile, files: readonly PartFile[], random: Random): PartFile {
  return random.pick(files.filter(({ sha256 }) => sha256 !== file.sha256))
}
