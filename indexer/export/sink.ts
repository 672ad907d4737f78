/** Takes the bytes of COPY in the order in which they come, cut anywhere, and writes the file. */
export interface Sink {
  /** Rows seen so far. */
  readonly rows: number
  add(chunk: Buffer): void
  end(): void
}
