// A recorded chain in a database, its pack in a folder, and databases that are filled from it.
import { countHours } from '../../indexer/derive/hours/count.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import type { ChainSettings } from '../../packs/format/settings.ts'
import { type FetchOptions, type FetchSummary, fetchPack } from '../../packs/read/fetch.ts'
import { type PackOptions, type PackSummary, packChain } from '../../packs/write/pack.ts'
import { PROFILE } from '../indexer/replay/index-recording.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const fixtures = new URL('../fixtures/recordings/', import.meta.url).pathname

export const RECORDINGS = {
  small: `${fixtures}small.ship.gz`,
  forks: `${fixtures}forks.ship.gz`,
  medium: `${fixtures}medium.ship.gz`,
}
/** Packs of the recording `small` by the layout that they have, and their last block. */
export const FROZEN = new URL('../fixtures/packs/', import.meta.url).pathname
export const FROZEN_END = 40
export const CHAIN = 'wax'
/** SHA-256 of the first finalizer policy of the recording `small`. */
export const POLICY = '6f42009df3a5cc57268640aae0b986e46176832d490e81559cbce40d00dac947'
/** Ids of blocks of the recording `small`: the last ones of packs. */
export const ID_40 = '00000028ba20f547076e4373a7302d06176ac1cf0f2518d17d1fdc3f27a62f4a'
export const ID_90 = '0000005a36e9cdeca39fd8e9604272f4174efddd4e56a0d3d733e1b9b7308d01'

/** The settings of `indexRecording`. */
export const SETTINGS: ChainSettings = {
  accounts: { ...PROFILE, wrap: 'wrap.svc' },
  systemAccount: 'eosio',
  tokenContracts: '*',
  finality: { bridge: 'bridge.svc' },
}

/** The used part of a tap test. */
interface Test {
  teardown(work: () => unknown): unknown
}

export function packFolder(t: Test): string {
  const folder = temporaryFolder(t)
  return folder
}

/** Packs the chain of a database in ranges of 25 blocks. */
export function pack(
  url: string,
  folder: string,
  recording: string,
  options: Partial<PackOptions> = {},
): Promise<PackSummary> {
  return packChain({
    ...{ chain: CHAIN, databaseUrl: url, store: new FolderStore(folder), settings: SETTINGS },
    ...{ source: new ReplaySource(recording), program: 'test', blocksPerFile: 25 },
    signal: new AbortController().signal,
    ...options,
  })
}

export function fetch(url: string, folder: string, options: Partial<FetchOptions> = {}): Promise<FetchSummary> {
  return fetchPack({
    ...{ chain: CHAIN, databaseUrl: url, store: new FolderStore(folder), settings: SETTINGS, verify: null },
    signal: new AbortController().signal,
    ...options,
  })
}

/** Digest of a chain whose irreversible hours are counted. */
export async function digestOf(url: string): Promise<string> {
  await countHours({ chain: CHAIN, databaseUrl: url })
  const { digest, ok, checks } = await verifyChain(url, CHAIN)
  if (!ok) throw new Error(JSON.stringify(checks.filter(({ differing }) => differing > 0)))
  return digest.tables.map(({ table, rows, sha256 }) => `${table} ${rows} ${sha256}`).join('\n')
}
