// Writes a chain's final blocks to a store, as immutable files and a manifest that names them. Goes on after the last
// range of the manifest, so a killed run loses only the file that it was writing.
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { readLegacyStart } from '../../finality-store/legacy.ts'
import { readUsedStart } from '../../finality-store/savanna.ts'
import type { BlockPosition, BlockSource } from '../../indexer/source/source.ts'
import { onConnection } from '../../indexer/store/connection.ts'
import { FORMAT, lastState, type Manifest } from '../format/manifest.ts'
import { type ChainSettings, checkSettings, settingsJson } from '../format/settings.ts'
import { startsFromJson, startsToJson } from '../format/starts.ts'
import { openManifest } from '../read/manifest.ts'
import { BlockCollector } from './block-collector.ts'
import { ManifestWriter, type ManifestWriterOptions } from './manifest-writer.ts'
import { RangeWriter } from './range-writer.ts'
import { BLOCK, POSITION, SAVANNA_GENESIS, SETTINGS, SNAPSHOT } from './sql.ts'
import { beginsBeforeSavanna, type TrustedPolicy, trustedPolicy } from './trusted-policy.ts'

export interface PackOptions extends ManifestWriterOptions {
  chain: string
  databaseUrl: string
  settings: ChainSettings
  /** Where headers and actions are read from; null for a pack of rows alone, which cannot be verified. */
  source: BlockSource | null
  /** Blocks of a range. Default: 10,000. */
  blocksPerFile?: number
  /** Called when a range is written. */
  onRange?: (from: number, to: number) => void
}

export interface PackSummary {
  /** Ranges written by this run, and all of them. */
  written: number
  ranges: number
  /** The last block, of which the pack has the state. */
  block: number
  id: string
  /** Whether all ranges have their headers and actions. */
  hasBlocks: boolean
  /** Whether the certificates in the pack make the last block final; null before Savanna and without blocks. */
  proved: boolean | null
  /** Whether the pack begins before Savanna: then only the id of its last block, or of a later one, verifies it. */
  hasLegacy: boolean
  /** The finalizer policy by which the pack can be verified; null where none signs in it. */
  policy: TrustedPolicy | null
}

const BLOCKS_PER_FILE = 10_000

interface At {
  chainId: string | null
  firstBlock: number
  firstParent: string
  stateBlock: number | null
  lib: number
}

/**
 * @throws UserError UNKNOWN_CHAIN, PACK_EVM, PACK_OTHER_BRANCH, PACK_OTHER_CHAIN, PACK_OTHER_SETTINGS, PACK_NO_BLOCKS, PACK_GAP,
 *   PACK_NO_ACTIONS, PACK_WRITTEN_TWICE; RetryableError PACK_HOUR_OPEN; those of the store, the source, the database
 */
export async function packChain(options: PackOptions): Promise<PackSummary> {
  const { chain, databaseUrl } = options
  return onConnection({ databaseUrl, name: 'pack', chain, session: SETTINGS }, (client) =>
    new Publisher(client, options).run(),
  )
}

class Publisher {
  readonly #client: pg.Client
  readonly #options: PackOptions
  #written = 0

  constructor(client: pg.Client, options: PackOptions) {
    this.#client = client
    this.#options = options
  }

  async run(): Promise<PackSummary> {
    const { store, source, chain, signal } = this.#options
    const at = await this.#position()
    const opened = await openManifest(store, signal)
    const manifest = opened?.manifest ?? (await this.#empty(at))
    await this.#check(manifest, at)
    const writer = new ManifestWriter(this.#options, opened, manifest)
    const next = nextBlock(manifest)
    const collector = source && new BlockCollector(chain, source, next, signal)
    const ranges = await RangeWriter.open(this.#client, { ...this.#options, collector })
    try {
      await this.#writeWholeRanges(writer, ranges)
      await this.#client.query(SNAPSHOT)
      const end = await this.#position()
      await this.#writeWholeRanges(writer, ranges, end.lib)
      if (nextBlock(manifest) <= end.lib) await this.#writeRange(writer, ranges, end.lib)
      await this.#writeState(writer, ranges)
      await this.#client.query('commit')
    } catch (error) {
      await writer.publishLeft()
      throw error
    } finally {
      await collector?.close()
    }
    const state = lastState(manifest)
    if (!state) {
      throw new UserError('UNKNOWN_CHAIN', `${chain} has no final block yet`, {
        hint: 'run it again when the first block of the chain is irreversible: `headwater status` shows it',
        place: { chain },
      })
    }
    const { block, id, proved } = state
    const policy = await this.#trustedPolicy(manifest)
    const hasBlocks = manifest.ranges.every(({ blocks }) => blocks !== null)
    const hasLegacy = hasBlocks && (await beginsBeforeSavanna(store, manifest, signal))
    return { written: this.#written, ranges: manifest.ranges.length, block, id, hasBlocks, proved, hasLegacy, policy }
  }

  async #position(): Promise<At> {
    const { chain } = this.#options
    const { rows } = await this.#client.query(POSITION, [chain])
    const [row] = rows
    if (!row) {
      throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${chain} is indexed in this database`, {
        hint: 'see `headwater status` for the chains that are',
        place: { chain },
      })
    }
    if (row.chainId?.startsWith('eip155:')) {
      throw new UserError('PACK_EVM', `${chain} is an EVM chain: packs hold Antelope chains`, {
        hint: 'a new database reads the contracts of the bridge from an EVM node again, which takes minutes',
        place: { chain },
      })
    }
    const { chainId, firstParent } = row
    const stateBlock = row.stateBlock === null ? null : Number(row.stateBlock)
    return { chainId, firstBlock: Number(row.firstBlock), firstParent, stateBlock, lib: Number(row.lib) }
  }

  async #trustedPolicy(manifest: Manifest): Promise<TrustedPolicy | null> {
    const { chain, store, signal } = this.#options
    const { savanna: start } = startsFromJson(manifest.starts)
    const { rows } = await this.#client.query<{ num: string }>(SAVANNA_GENESIS, [chain])
    const genesis = rows[0] ? Number(rows[0].num) : null
    return trustedPolicy({ chain, store, manifest, start, genesis, signal })
  }

  async #empty({ chainId, firstBlock, firstParent, stateBlock }: At): Promise<Manifest> {
    const { chain, program, settings } = this.#options
    const starts = startsToJson({
      savanna: await readUsedStart(this.#client, chain),
      legacy: await readLegacyStart(this.#client, chain),
    })
    const facts = { format: FORMAT, program, chain, chainId, firstBlock, firstParent, stateBlock } as const
    return { ...facts, settings: settingsJson(settings), starts, ranges: [], states: [] }
  }

  /** Checks that the manifest is of the indexed chain, and goes on where it ends. */
  async #check(manifest: Manifest, { chainId, firstBlock, firstParent }: At): Promise<void> {
    const { chain, settings, store } = this.#options
    if (manifest.chain !== chain || manifest.firstParent !== firstParent || manifest.firstBlock !== firstBlock) {
      throw otherPack(`${store.address} is of ${manifest.chain} from block ${manifest.firstBlock}`, chain, firstBlock)
    }
    if (manifest.chainId !== null && chainId !== null && manifest.chainId !== chainId) {
      throw otherPack(`${store.address} is of chain ${manifest.chainId}`, chain, firstBlock)
    }
    // The id may have become known since the last run.
    manifest.chainId ??= chainId
    checkSettings(chain, manifest.settings, settingsJson(settings))
    const last = manifest.ranges.at(-1)
    if (!last) return
    const found = await this.#block(last.to)
    if (found?.id === last.lastId) return
    throw new UserError(
      'PACK_OTHER_BRANCH',
      `${chain}: block ${last.to} of the pack is ${last.lastId}, the database has ${found?.id ?? 'no such block'}`,
      {
        hint: 'the chain was rewound below its last irreversible block, or the database ends before the pack: write to another place',
        place: { chain, block: last.to },
      },
    )
  }

  async #block(num: number): Promise<{ id: string; time: Date } | null> {
    const { rows } = await this.#client.query<{ id: string; time: Date }>(BLOCK, [this.#options.chain, num])
    return rows[0] ?? null
  }

  /** Writes all whole ranges up to the last irreversible block. */
  async #writeWholeRanges(writer: ManifestWriter, ranges: RangeWriter, lib?: number): Promise<void> {
    const { blocksPerFile = BLOCKS_PER_FILE, signal } = this.#options
    for (;;) {
      const to = Math.ceil(nextBlock(writer.manifest) / blocksPerFile) * blocksPerFile
      if (to > (lib ?? (await this.#position()).lib)) return
      signal.throwIfAborted()
      await this.#writeRange(writer, ranges, to)
    }
  }

  async #writeRange(writer: ManifestWriter, ranges: RangeWriter, to: number): Promise<void> {
    const { manifest } = writer
    const from = nextBlock(manifest)
    await writer.add(await ranges.write({ from, to, isFirst: manifest.ranges.length === 0 }))
    this.#written++
    this.#options.onRange?.(from, to)
  }

  /** Writes the state of the last range's end, unless it is there. */
  async #writeState(writer: ManifestWriter, ranges: RangeWriter): Promise<void> {
    const { manifest } = writer
    const last = manifest.ranges.at(-1)
    if (!last || lastState(manifest)?.block === last.to) return
    const block = await this.#block(last.to)
    const { lib } = await this.#position()
    if (block && last.to === lib) {
      const position: BlockPosition = { num: last.to, id: block.id }
      manifest.states.push(await ranges.writeState(position, block.time))
    }
    await writer.publish()
  }
}

function nextBlock({ ranges, firstBlock }: Manifest): number {
  return (ranges.at(-1)?.to ?? firstBlock - 1) + 1
}

function otherPack(found: string, chain: string, firstBlock: number): UserError {
  return new UserError('PACK_OTHER_CHAIN', `${found}; the database has ${chain} from block ${firstBlock}`, {
    hint: 'write to another folder or prefix',
    place: { chain },
  })
}
