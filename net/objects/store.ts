// Immutable named files in a folder, at an http(s) address, or under a prefix of an S3 bucket. A name is a relative
// path with slashes. A file never changes once it is there; only `replace` overwrites a file.
import type { Readable } from 'node:stream'

export interface ReadOptions {
  /** Size limit, bytes. Default: 64 MiB. */
  maxBytes?: number
  signal?: AbortSignal
}

export interface WriteOptions {
  signal?: AbortSignal
}

export interface ObjectStore {
  /** For messages: without passwords and queries. */
  readonly address: string
  /**
   * Names that start with a prefix, in byte order. Unfinished files are left out.
   *
   * @throws UserError OBJECTS_NO_LIST for an http(s) address: read the manifest, which names the files
   */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<string>
  /** A whole file; null if there is none of this name. @throws UserError OBJECT_TOO_LARGE */
  read(name: string, options?: ReadOptions): Promise<Buffer | null>
  /**
   * A file as a stream; null if there is none of this name. A connection that breaks is opened again at the same
   * position. The stream fails with the errors of `read`.
   */
  open(name: string, options?: { signal?: AbortSignal }): Promise<Readable | null>
  /**
   * Writes a file, which appears when it is complete. Does nothing if a file with this content is there.
   *
   * @throws UserError OBJECT_DIFFERS if there is another content; OBJECTS_READ_ONLY for an http(s) address
   */
  write(name: string, body: Buffer | Readable, options?: WriteOptions): Promise<void>
  /** Overwrites a file, in one step. For the manifest, the one file that changes. */
  replace(name: string, body: Buffer, options?: WriteOptions): Promise<void>
}

/** Default size limit of `read`, bytes. */
export const MAX_READ_BYTES = 64 * 2 ** 20
