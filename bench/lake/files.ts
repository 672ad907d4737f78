// Writes generated swaps in the layout of `headwater lake`, without its manifest: a file a day, and the board of pools by
// day in one file, as with --current.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { sourceColumn } from '../../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../../indexer/export/parquet/writer.ts'
import type { ViewColumn } from '../../indexer/export/view.ts'
import { BoardWriter, POOL_DAY_COLUMNS } from './board.ts'
import { clustered } from './clustered.ts'
import { DAYS, dateOf, SWAP_COLUMNS, SwapGenerator } from './generator.ts'
import { count } from './measure.ts'

export const BOARD_FILE = 'current/board_pool_days.parquet'

/** Path of a day's swaps. */
export function swapsFile(day: number): string {
  return `swaps/chain=wax/date=${dateOf(day)}/00-24.parquet`
}

/** A Parquet file that is written, with the time that it takes. */
class TimedFile {
  readonly sink: ParquetSink
  seconds = 0
  processor = 0
  readonly #file: WriteStream

  constructor(path: string, columns: readonly ViewColumn[]) {
    mkdirSync(dirname(path), { recursive: true })
    this.#file = createWriteStream(path)
    this.sink = new ParquetSink(columns.map(sourceColumn), (part) => this.#file.write(Buffer.from(part)))
    this.sink.begin()
  }

  get bytes(): number {
    return this.#file.bytesWritten
  }

  add(chunks: readonly Buffer[]): Promise<void> {
    return this.#timed(async () => {
      for (const chunk of chunks) await this.sink.add(chunk)
    })
  }

  end(): Promise<void> {
    return this.#timed(async () => {
      await this.sink.end()
      this.#file.end()
      await finished(this.#file)
    })
  }

  async #timed(work: () => Promise<void>): Promise<void> {
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    this.seconds += (performance.now() - started) / 1000
    this.processor += (user + system) / 1e6
  }
}

export async function writeFiles(folder: string, swaps: number): Promise<void> {
  const generator = new SwapGenerator(swaps, { isForFile: true })
  const board = new BoardWriter()
  const days = new TimedFile(join(folder, BOARD_FILE), POOL_DAY_COLUMNS)
  await days.add([board.header()])
  let [rows, seconds, processor, bytes] = [0, 0, 0, 0]
  for (let day = 0; day < DAYS; day++) {
    const chunks = await clustered([...generator.day(day)])
    const file = new TimedFile(join(folder, swapsFile(day)), SWAP_COLUMNS)
    await file.add(chunks)
    await file.end()
    await days.add([...board.day(day, generator.totals)])
    rows += file.sink.rows
    seconds += file.seconds
    processor += file.processor
    bytes += file.bytes
  }
  await days.add([board.end()])
  await days.end()
  console.log(
    `writer, from rows in memory to ${DAYS} files: ${count(rows)} swaps, ${count(rows / seconds)} rows/s, ${count(rows / processor)} rows a second of CPU, ${(bytes / rows).toFixed(0)} bytes a row, ${count(bytes / 2 ** 20)} MB`,
  )
  console.log(
    `writer, day totals of pools to one file: ${count(days.sink.rows)} rows, ${count(days.sink.rows / days.processor)} rows a second of CPU, ${count(days.bytes / 2 ** 20)} MB`,
  )
}
