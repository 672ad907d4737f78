/** Writes a file from the output of COPY statements. Chunks come in order and may split rows anywhere. */
export interface Sink {
  /** Rows so far. */
  readonly rows: number
  /** Called before the output of each statement. */
  begin(): void
  add(chunk: Buffer): Promise<void> | void
  end(): Promise<void> | void
}
