// Reads a node's snapshot in one pass and bounded memory: its block, chain id, ABIs and the wanted rows of contract
// tables. Other sections are skipped by their length, whatever they contain.
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { nameOfParts } from '../../../core/antelope/name.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { type AccountAbi, accountAbis } from '../../../core/antelope/snapshot/accounts.ts'
import { chainIdOf, chainIdOfGenesis } from '../../../core/antelope/snapshot/chain-id.ts'
import {
  damaged,
  hasSplitTables,
  neededSections,
  SECTION,
  TABLE_ID_BYTES,
} from '../../../core/antelope/snapshot/layout.ts'
import { type Section, sectionBytes, sectionsOf } from '../../../core/antelope/snapshot/sections.ts'
import { StreamReader } from '../../../core/antelope/snapshot/stream-reader.ts'
import { combinedRows, type SnapshotRow, splitRows, type WantsTable } from '../../../core/antelope/snapshot/tables.ts'
import { readSnapshotBlock, type SnapshotBlock } from '../../../core/finality/snapshot.ts'
import { inFile, missingSection } from './faults.ts'
import { SnapshotFile } from './file.ts'
import { ScratchFile } from './scratch-file.ts'

/** Version, chain id and block of a snapshot. */
export interface SnapshotHead extends SnapshotBlock {
  /** Of the snapshot's layout: 2 to 6, or 8. */
  version: number
  /** 64 hex digits. */
  chainId: string
}

export interface SnapshotReading {
  /** Called for each account with an ABI. */
  wantsAbi: (account: AccountAbi) => boolean
  wantsTable: WantsTable
  /** Called with a wanted ABI, packed; a copy. */
  onAbi: (account: string, abi: Uint8Array) => void
  /** Called with a wanted row; its value is valid during the call only. */
  onRow: (row: SnapshotRow) => void
  /** Folder of temporary files; the system's when absent. */
  folder?: string
  signal?: AbortSignal
}

/** Time after which other work gets its turn, ms. */
const TURN_MS = 15

/**
 * Reads the block and the chain id. A compressed file is unpacked up to them: they come before the tables.
 *
 * @throws UserError SNAPSHOT_UNREADABLE, SNAPSHOT_KIND, SNAPSHOT_ZSTD, SNAPSHOT_VERSION, SNAPSHOT_SECTION,
 *   SNAPSHOT_TORN, SNAPSHOT_DAMAGED, INVALID_SNAPSHOT
 */
export function readSnapshotHead(path: string): Promise<SnapshotHead> {
  return run(path, (file) => new Walk(file, null))
}

/**
 * Reads everything that is wanted. Nothing is sure until it returns: a damaged end is found last.
 *
 * @throws as `readSnapshotHead`; the signal's reason
 */
export function readSnapshot(path: string, reading: SnapshotReading): Promise<SnapshotHead> {
  return run(path, (file) => new Walk(file, reading), reading.signal)
}

async function run(path: string, open: (file: SnapshotFile) => Walk, signal?: AbortSignal): Promise<SnapshotHead> {
  const file = await SnapshotFile.open(path)
  const walk = open(file)
  try {
    let turn = performance.now()
    for (const _ of walk.steps()) {
      if (performance.now() - turn < TURN_MS) continue
      await yieldToEvents()
      signal?.throwIfAborted()
      turn = performance.now()
    }
    return walk.head()
  } catch (error) {
    throw inFile(path, error, file.reader.offset)
  } finally {
    walk.close()
    file.close()
  }
}

class Walk {
  readonly #file: SnapshotFile
  readonly #reader: StreamReader
  /** Null to read the head only. */
  readonly #reading: SnapshotReading | null
  readonly #seen = new Set<string>()
  #version: number | null = null
  #block: SnapshotBlock | null = null
  #chainId: string | null = null
  #tables: ScratchFile | null = null

  constructor(file: SnapshotFile, reading: SnapshotReading | null) {
    this.#file = file
    this.#reader = file.reader
    this.#reading = reading
  }

  /** Continues to read; yields when other work may have its turn. */
  *steps(): Generator<void> {
    for (const section of sectionsOf(this.#reader)) {
      this.#note(section)
      yield* this.#take(section)
      if (this.#reading === null && this.#block && this.#chainId !== null) return
    }
  }

  /** @throws UserError SNAPSHOT_SECTION */
  head(): SnapshotHead {
    const missing = this.#version === null ? [SECTION.header] : this.#missing(this.#version)
    if (missing.length > 0 || !this.#block || this.#chainId === null || this.#version === null)
      throw missingSection(this.#file.path, this.#version ?? 0, missing)
    return { ...this.#block, version: this.#version, chainId: this.#chainId }
  }

  close(): void {
    this.#tables?.close()
  }

  #missing(version: number): string[] {
    const { header, block } = SECTION
    const heads = [header, block, version === 2 ? SECTION.genesis : SECTION.properties]
    return (this.#reading ? neededSections(version) : heads).filter((name) => !this.#seen.has(name))
  }

  #note({ name, offset }: Section): void {
    if (this.#seen.has(name)) throw damaged(`section ${name} is there twice`, offset)
    if (this.#version === null && name !== SECTION.header)
      throw damaged(`section ${name} comes before the snapshot's version`, offset)
    this.#seen.add(name)
  }

  *#take(section: Section): Generator<void> {
    switch (section.name) {
      case SECTION.header:
        this.#version = new Reader(sectionBytes(this.#reader, section)).u32()
        hasSplitTables(this.#version)
        return
      case SECTION.block:
        this.#block = readSnapshotBlock(sectionBytes(this.#reader, section), this.#versionRead)
        return
      case SECTION.genesis:
        if (this.#versionRead === 2) this.#chainId = chainIdOfGenesis(sectionBytes(this.#reader, section))
        return
      case SECTION.properties:
        if (this.#versionRead !== 2) this.#chainId = chainIdOf(sectionBytes(this.#reader, section), this.#versionRead)
        return
      default:
        if (this.#reading) yield* this.#takeRows(section, this.#reading)
    }
  }

  get #versionRead(): number {
    return this.#version ?? 0
  }

  *#takeRows(section: Section, reading: SnapshotReading): Generator<void> {
    const isSplit = hasSplitTables(this.#versionRead)
    if (section.name === SECTION.accounts) yield* this.#accounts(section, reading)
    else if (section.name === SECTION.contracts && !isSplit)
      yield* rowsInto(combinedRows(this.#reader, section, reading.wantsTable), reading)
    else if (section.name === SECTION.tables && isSplit) yield* this.#storeTables(section, reading)
    else if (section.name === SECTION.rows && isSplit) {
      if (!this.#tables) throw damaged(`section ${section.name} comes before ${SECTION.tables}`, section.offset)
      const tables = new StreamReader(this.#tables)
      tables.limit(this.#tables.size)
      yield* rowsInto(splitRows(this.#reader, section, tables, reading.wantsTable), reading)
    }
  }

  *#accounts(section: Section, { wantsAbi, onAbi }: SnapshotReading): Generator<void> {
    for (const account of accountAbis(this.#reader, section)) {
      if (account && wantsAbi(account)) onAbi(nameOfParts(account.low, account.high), account.abi.slice())
      yield
    }
  }

  /** Keeps the tables until their rows come. There are millions of them. */
  *#storeTables({ name, rows, size, offset }: Section, { folder }: SnapshotReading): Generator<void> {
    if (size !== rows * TABLE_ID_BYTES) throw damaged(`section ${name} of ${rows} rows has ${size} bytes`, offset)
    this.#tables = new ScratchFile(folder)
    for (let left = size; left > 0; ) {
      this.#reader.need(1)
      const piece = this.#reader.bytes(Math.min(left, this.#reader.remaining))
      this.#tables.add(piece)
      left -= piece.length
      yield
    }
  }
}

function* rowsInto(rows: Iterable<SnapshotRow | null>, { onRow }: SnapshotReading): Generator<void> {
  for (const row of rows) {
    if (row) onRow(row)
    yield
  }
}
