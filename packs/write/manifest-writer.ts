// Publishes the manifest of a pack: at most every half minute while ranges are written, and at the end of a run. Ranges
// that will not change move to files of their own, so that publishing costs the same at every length of the chain.
import { createHash } from 'node:crypto'
import { UserError } from '../../core/errors.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import {
  FORMAT,
  fileName,
  MANIFEST,
  type Manifest,
  manifestText,
  type PackRange,
  type PartFile,
  rangesText,
} from '../format/manifest.ts'
import type { OpenedManifest } from '../read/manifest.ts'

/** Time between two manifests of a run, ms. */
const PUBLISH_MS = 30_000
/** Ranges of a part. */
const PART_RANGES = 1000
/** Time for the last manifest of a run that was stopped, ms. */
const LAST_MS = 10_000

export interface ManifestWriterOptions {
  store: ObjectStore
  /** Version of the program. */
  program: string
  signal: AbortSignal
  /** Time between two manifests, ms. */
  publishMs?: number
  partRanges?: number
}

export class ManifestWriter {
  readonly #options: ManifestWriterOptions
  readonly manifest: Manifest
  readonly #parts: PartFile[]
  /** Ranges that the parts have. */
  #inParts: number
  /** The file as it was last read or written; null when there is none. */
  #text: Buffer | null
  #publishedAt = performance.now()
  #isPublished = true

  /** @param opened  what the store has; null for a new pack, with `manifest` */
  constructor(options: ManifestWriterOptions, opened: OpenedManifest | null, manifest: Manifest) {
    this.#options = options
    this.manifest = manifest
    this.#parts = opened?.parts ?? []
    this.#inParts = opened?.inParts ?? 0
    this.#text = opened?.text ?? null
  }

  /** Adds a range whose files are written. */
  async add(range: PackRange): Promise<void> {
    const { publishMs = PUBLISH_MS } = this.#options
    this.manifest.ranges.push(range)
    this.#isPublished = false
    if (performance.now() - this.#publishedAt >= publishMs) await this.publish()
  }

  /**
   * Replaces the manifest, unless another process has done so.
   *
   * @throws UserError PACK_WRITTEN_TWICE, and those of the store
   */
  async publish(signal: AbortSignal = this.#options.signal): Promise<void> {
    const { store, program, partRanges = PART_RANGES } = this.#options
    const { manifest } = this
    const present = await store.read(MANIFEST, { signal, maxBytes: 2 ** 30 })
    if (Buffer.compare(present ?? Buffer.alloc(0), this.#text ?? Buffer.alloc(0)) !== 0) {
      throw new UserError('PACK_WRITTEN_TWICE', `${store.address}: another process has changed the manifest`, {
        hint: 'one process may write a pack: stop the other one and run this again',
      })
    }
    while (manifest.ranges.length - this.#inParts >= partRanges) await this.#writePart(partRanges, signal)
    manifest.program = program
    // The ranges of earlier layouts that are read are those of the present one.
    manifest.format = FORMAT
    const ranges = manifest.ranges.slice(this.#inParts)
    const text = manifestText({ ...manifest, parts: this.#parts, ranges })
    await store.replace(MANIFEST, text, { signal })
    this.#text = text
    this.#publishedAt = performance.now()
    this.#isPublished = true
  }

  /** Publishes the ranges that a failed run has written. Its own failure changes nothing: the next run writes them again. */
  async publishLeft(): Promise<void> {
    if (!this.#isPublished) await this.publish(AbortSignal.timeout(LAST_MS)).catch(() => {})
  }

  async #writePart(count: number, signal: AbortSignal): Promise<void> {
    const ranges = this.manifest.ranges.slice(this.#inParts, this.#inParts + count)
    const [first, last] = [ranges[0], ranges.at(-1)]
    if (!first || !last) return
    const content = rangesText(ranges)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const name = fileName(first.from, last.to, 'ranges', sha256)
    await this.#options.store.write(name, content, { signal })
    this.#parts.push({ name, bytes: content.length, sha256 })
    this.#inParts += count
  }
}
