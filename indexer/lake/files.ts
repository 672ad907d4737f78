// The lake as Parquet files: DATASET/chain=NAME/date=DAY/HOURS.parquet. A file of complete hours never changes. The file
// of the hour that is not complete is replaced in one step. So any list of files has each row once, at any time.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { UserError } from '../../core/errors.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { CLUSTERS } from './clusters.ts'
import { lakeConflict, writtenTwice } from './errors.ts'
import { type BlockTimes, nextHours, type Step } from './steps.ts'
import type { Dataset, LakeFile, LakePosition, LakeTarget } from './target.ts'

const VERSION = 1

/** A file of the manifest. Both blocks are inclusive. */
interface ListedFile {
  name: string
  fromBlock: number
  toBlock: number
  rows: number
  bytes: number
  sha256: string
  /** Whether it will be replaced by a file with more rows. */
  isOpen: boolean
}

/** The files of a chain on a day. */
interface DayManifest {
  version: number
  chain: string
  date: string
  files: ListedFile[]
}

export class LakeFiles implements LakeTarget {
  /** The path has the chain. */
  readonly omitted = ['chain']
  readonly clusters = CLUSTERS
  readonly #store: ObjectStore
  readonly #withOpen: boolean
  readonly #signal: AbortSignal
  /** Text of each chain's position, as this process last read or wrote it. */
  readonly #positions = new Map<string, string | null>()
  readonly #manifests = new Map<string, DayManifest>()

  /** @param withOpen  whether to write the hour that is not complete */
  constructor(store: ObjectStore, { withOpen, signal }: { withOpen: boolean; signal: AbortSignal }) {
    this.#store = store
    this.#withOpen = withOpen
    this.#signal = signal
  }

  get address(): string {
    return this.#store.address
  }

  next(blocks: BlockTimes, at: { next: number; last: number; planned: Step | null }): Promise<Step | null> {
    return nextHours(blocks, { ...at, withOpen: this.#withOpen })
  }

  async position(chain: string, datasets: readonly Dataset[]): Promise<LakePosition | null> {
    const name = positionName(chain)
    const text = (await this.#store.read(name, { signal: this.#signal }))?.toString() ?? null
    this.#positions.set(chain, text)
    if (text !== null) return parse<LakePosition>(text, `${this.address}/${name}`)
    for (const { name: dataset } of datasets)
      for await (const file of this.#store.list(`${dataset}/chain=${chain}/`, { signal: this.#signal }))
        throw lakeConflict(this.address, `${file} is there, and ${name} is not: its rows could be there twice`)
    return null
  }

  async save(position: LakePosition): Promise<void> {
    const { chain } = position
    await this.#checkWriter(chain)
    const text = textOf(position)
    await this.#store.replace(positionName(chain), Buffer.from(text), { signal: this.#signal })
    this.#positions.set(chain, text)
  }

  async write(chain: string, step: Step, { dataset, path, rows, bytes, sha256 }: LakeFile): Promise<void> {
    const { fromBlock, toBlock, date, hours, isOpen } = step
    const name = `${dataset}/chain=${chain}/date=${date}/${hours}.parquet`
    const { files } = await this.#manifest(chain, date)
    const known = files.find((file) => file.name === name)
    // Final rows only become more: as many rows are the same rows.
    if (known?.rows !== rows) {
      if (known === undefined && !isOpen) await this.#writeNew(chain, name, path)
      else await this.#replaceOwn(chain, name, path)
    }
    const facts = known?.rows === rows ? { bytes: known.bytes, sha256: known.sha256 } : { bytes, sha256 }
    const listed: ListedFile = { name, fromBlock, toBlock, rows, ...facts, isOpen }
    if (known === undefined) files.push(listed)
    else Object.assign(known, listed)
  }

  async end(chain: string, { date }: Step): Promise<void> {
    const manifest = await this.#manifest(chain, date)
    const name = manifestName(chain, date)
    await this.#checkWriter(chain)
    await this.#store.replace(name, Buffer.from(textOf(manifest)), { signal: this.#signal })
    for (const key of this.#manifests.keys())
      if (key !== name && key.startsWith(folderOf(chain))) this.#manifests.delete(key)
  }

  async replace({ name }: Dataset, { path }: LakeFile): Promise<void> {
    await this.#replace(`current/${name}.parquet`, path)
  }

  async #manifest(chain: string, date: string): Promise<DayManifest> {
    const name = manifestName(chain, date)
    const known = this.#manifests.get(name)
    if (known !== undefined) return known
    const text = (await this.#store.read(name, { signal: this.#signal }))?.toString()
    const found =
      text === undefined
        ? { version: VERSION, chain, date, files: [] }
        : parse<DayManifest>(text, `${this.address}/${name}`)
    this.#manifests.set(name, found)
    return found
  }

  /** A file of these hours that a killed process has written is replaced: it may have fewer rows. */
  async #writeNew(chain: string, name: string, path: string): Promise<void> {
    try {
      await this.#store.write(name, createReadStream(path), { signal: this.#signal })
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'OBJECT_DIFFERS') throw error
      await this.#replaceOwn(chain, name, path)
    }
  }

  /** Replaces a file of facts, unless another process has continued the lake: its file may have more rows. */
  async #replaceOwn(chain: string, name: string, path: string): Promise<void> {
    await this.#checkWriter(chain)
    await this.#replace(name, path)
  }

  /** @throws UserError LAKE_WRITTEN_TWICE when the stored position is not the one that this process read or wrote last */
  async #checkWriter(chain: string): Promise<void> {
    const present = (await this.#store.read(positionName(chain), { signal: this.#signal }))?.toString() ?? null
    if (present !== (this.#positions.get(chain) ?? null)) throw writtenTwice(this.address)
  }

  async #replace(name: string, path: string): Promise<void> {
    await this.#store.replace(name, await readFile(path), { signal: this.#signal })
  }
}

function folderOf(chain: string): string {
  return `_headwater/chain=${chain}/`
}

function positionName(chain: string): string {
  return `${folderOf(chain)}position.json`
}

function manifestName(chain: string, date: string): string {
  return `${folderOf(chain)}date=${date}.json`
}

function textOf(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

function parse<T extends { version: number }>(text: string, name: string): T {
  let found: T | null = null
  try {
    found = JSON.parse(text) as T
  } catch {}
  if (found?.version === VERSION) return found
  throw lakeConflict(name, `it is no record of version ${VERSION}`, 'restore it, or write to an empty place')
}
