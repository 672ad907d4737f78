/** Takes the output of COPY statements, cut anywhere, in order, and writes the file. */
export interface Sink {
  /** Rows seen so far. */
  readonly rows: number
  /** The output of another statement follows. */
  begin(): void
  add(chunk: Buffer): Promise<void> | void
  end(): Promise<void> | void
}
