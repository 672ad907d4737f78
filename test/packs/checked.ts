// Checks packs as a fetch does, without a database, and changes their beginning.
import { cpSync } from 'node:fs'
import pg from 'pg'
import type { Test } from 'tap'
import { HeadwaterError } from '../../core/errors.ts'
import { FinalityFollower } from '../../core/finality/follower.ts'
import { startToJson } from '../../core/finality/start.ts'
import { toHex } from '../../core/hex.ts'
import { type Catalog, readCatalog } from '../../indexer/store/catalog.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import type { Manifest } from '../../packs/format/manifest.ts'
import type { ChainSettings } from '../../packs/format/settings.ts'
import { startsFromJson } from '../../packs/format/starts.ts'
import { readBlocks, readRows } from '../../packs/read/files.ts'
import { openManifest } from '../../packs/read/manifest.ts'
import { PackCheck, type PackReport } from '../../packs/verify/pack-check.ts'
import { CHAIN, ID_90, packFolder, SETTINGS } from './scene.ts'
import { manifestOf, putManifest } from './tamper.ts'

const { signal } = new AbortController()

/**
 * Leaves the ranges out of the manifest that end by a block, at least the first one, and adds a start of finality after
 * the block.
 *
 * @returns digests of the policies known by then
 */
export async function startAfter(folder: string, num: number): Promise<string[]> {
  const manifest = manifestOf(folder)
  const follower = new FinalityFollower({ chain: CHAIN, bridge: '', start: null })
  for (const { blocks } of manifest.ranges) {
    for await (const { num: blockNum, id, header, block, finality } of readBlocks(
      new FolderStore(folder),
      blocks!,
      signal,
    )) {
      const position = { num: blockNum, id }
      const source = { kind: 'packed', ...position, prevId: header.previous, head: position, lib: position } as const
      if (blockNum <= num) follower.follow({ ...source, block, finality, traces: new Uint8Array() }, false)
    }
  }
  manifest.starts = { savanna: startToJson(follower.asStart!), legacy: null }
  const left = Math.max(1, manifest.ranges.filter(({ to }) => to <= num).length)
  const last = manifest.ranges.splice(0, left).at(-1)!
  Object.assign(manifest, { firstBlock: last.to + 1, firstParent: last.lastId })
  putManifest(folder, manifest)
  return follower.knownPolicies.map(({ digest }) => toHex(digest))
}

interface CheckOptions {
  /** Whether the rows of a range are computed again, by its place. Default: all. */
  computesRows?: boolean | ((place: number) => boolean)
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** Default: the id of block 90 of the recording `small`. */
  trust?: string
  settings?: ChainSettings
}

/** Reads and checks all files of a pack, as a fetch does. */
export async function check(
  folder: string,
  catalog: Catalog,
  { computesRows = true, seedAbis, trust = ID_90, settings = SETTINGS }: CheckOptions = {},
): Promise<PackReport> {
  const store = new FolderStore(folder)
  const { manifest } = (await openManifest(store, signal))!
  const [state] = manifest.states as [Manifest['states'][number]]
  const starts = startsFromJson(manifest.starts)
  const work = new PackCheck({ chain: CHAIN, settings, manifest, trust, catalog, starts, seedAbis })
  for (const [place, range] of manifest.ranges.entries()) {
    const computes = typeof computesRows === 'boolean' ? computesRows : computesRows(place)
    await work.range(store, range, computes, signal)
  }
  const report = await work.finish(store, state, signal)
  for await (const _ of readRows(store, state.rows, signal));
  return report
}

export async function failure(work: Promise<unknown>): Promise<HeadwaterError | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof HeadwaterError) return error
    throw error
  }
}

export function copyOf(t: Test, folder: string): string {
  const copy = packFolder(t)
  cpSync(folder, copy, { recursive: true })
  return copy
}

export async function catalogOf(url: string): Promise<Catalog> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await readCatalog(client)
  } finally {
    await client.end()
  }
}
