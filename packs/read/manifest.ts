// Reads the manifest of a pack, with the ranges that it keeps in files of their own.
import { createHash } from 'node:crypto'
import type { ObjectStore } from '../../net/objects/store.ts'
import { damaged, missing } from '../format/fault.ts'
import {
  checkOrder,
  MANIFEST,
  type Manifest,
  type PackRange,
  type PartFile,
  readManifest,
  readRanges,
} from '../format/manifest.ts'

/** Limits of the manifest, and of all of its files with ranges, bytes: 1,000 ranges take 1 MB. */
const MAX_MANIFEST_BYTES = 2 ** 28
const MAX_PARTS_BYTES = 2 ** 30

export interface OpenedManifest {
  manifest: Manifest
  /** Files that have the first ranges, and the number of these ranges. */
  parts: PartFile[]
  inParts: number
  /** `manifest.json` as it was read. */
  text: Buffer
}

/**
 * @returns null when there is none
 * @throws UserError PACK_DAMAGED, PACK_NEWER, PACK_FILE_MISSING, and those of the store
 */
export async function openManifest(store: ObjectStore, signal: AbortSignal): Promise<OpenedManifest | null> {
  const text = await store.read(MANIFEST, { signal, maxBytes: MAX_MANIFEST_BYTES })
  if (text === null) return null
  const { parts, ...stored } = readManifest(text)
  const size = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  if (size > MAX_PARTS_BYTES) throw damaged(MANIFEST, `its files with ranges have ${size} bytes: more than are read`)
  const ofParts: PackRange[][] = []
  for (const part of parts) ofParts.push(await readPart(store, part, signal))
  const ranges = [...ofParts.flat(), ...stored.ranges]
  const inParts = ranges.length - stored.ranges.length
  const manifest = { ...stored, ranges }
  checkOrder(manifest)
  return { manifest, parts, inParts, text }
}

async function readPart(
  store: ObjectStore,
  { name, bytes, sha256 }: PartFile,
  signal: AbortSignal,
): Promise<PackRange[]> {
  const content = await store.read(name, { signal, maxBytes: MAX_PARTS_BYTES })
  if (content === null) throw missing(name)
  if (content.length !== bytes) throw damaged(name, `it has ${content.length} bytes, the manifest says ${bytes}`)
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) throw damaged(name, `its SHA-256 is ${found}, the manifest says ${sha256}`)
  return readRanges(content, name)
}
