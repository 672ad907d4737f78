// Statements that are sent to the server together with the rows to copy, in one round trip. The server runs them in
// order and stops at the first error, then discards the remaining copied rows. Layout of the messages: PostgreSQL
// manual, "Message Formats".
import type { ClientBase, Connection, Submittable } from 'pg'
import type { CopyBuffer } from './copy/copy-buffer.ts'

/** Server time of a stage, seconds. */
export interface Lap {
  stage: string
  seconds: number
}

const COPY_DATA = 0x64
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])
/** Start of the only column of a row that reports a lap. */
const LAP = 'lap '

export class Script implements Submittable {
  private readonly statements: string[] = []
  private readonly copies: Buffer[] = []
  /** Name of each lap and the server's clock at its end, seconds since 1970. The first entry is the start. */
  private readonly laps: { stage: string; at: number }[] = []
  private isTimed = false
  private resolve: () => void = () => {}
  private reject: (error: Error) => void = () => {}

  get isEmpty(): boolean {
    return this.statements.length === 0
  }

  /** The statements as they are sent. */
  get text(): string {
    return this.statements.join(';\n')
  }

  /** Adds a statement without parameters, or several that end in semicolons. */
  add(statement: string): this {
    this.statements.push(statement)
    return this
  }

  /**
   * Copies the buffer's rows into `target`, a table with its column list. Do not change the buffer before `run` ends.
   */
  copy(target: string, buffer: CopyBuffer): this {
    this.copies.push(buffer.finish())
    return this.add(`copy ${target} from stdin (format binary)`)
  }

  /** Ends a stage. Its time is measured from the previous lap, or from the start. */
  lap(stage: string): this {
    if (!this.isTimed) this.statements.unshift(clock('start'))
    this.isTimed = true
    return this.add(clock(stage))
  }

  /**
   * Sends everything and waits for the result. Call once.
   *
   * @returns the laps, without the start
   * @throws the server's error, or the driver's when the connection is lost
   */
  async run(client: ClientBase): Promise<Lap[]> {
    await new Promise<void>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      client.query(this)
    })
    return this.laps.slice(1).map(({ stage, at }, index) => ({ stage, seconds: at - (this.laps[index]?.at ?? at) }))
  }

  // The methods below are called by the driver.

  submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    connection.query(this.text)
    for (const copy of this.copies) {
      const header = Buffer.alloc(5)
      header[0] = COPY_DATA
      header.writeInt32BE(copy.length + 4, 1)
      stream.write(header)
      stream.write(copy)
      stream.write(COPY_DONE)
    }
    stream.uncork()
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const text = fields[0] ?? ''
    if (!text.startsWith(LAP)) return
    const [stage, at] = text.slice(LAP.length).split(' ')
    this.laps.push({ stage: stage as string, at: Number(at) })
  }

  handleCommandComplete(): void {}

  handleCopyInResponse(): void {}

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.resolve()
  }

  handleError(error: Error): void {
    this.reject(error)
  }
}

function clock(stage: string): string {
  return `select '${LAP}${stage} ' || extract(epoch from clock_timestamp())`
}
