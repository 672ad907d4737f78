// Generated swaps of a day in the order in which `headwater lake` writes them: by pool within each window of blocks.
import { BlockWindows } from '../../indexer/export/windows.ts'

/** Bytes of COPY's header. */
const HEADER_BYTES = 19
/** Columns of final.swaps without the chain, from 0 on. */
const [BLOCK_NUM, POOL_ID] = [0, 4]
const ROWS_OF_CHUNK = 1000

interface Row {
  block: number
  pool: number
  bytes: Buffer
}

/** @param chunks  data of one COPY, in the order of the chain */
export async function clustered(chunks: readonly Buffer[]): Promise<Buffer[]> {
  const all = Buffer.concat(chunks)
  const rows = rowsOf(all)
  const [first = 0, last = 0] = [rows[0]?.block, rows.at(-1)?.block]
  const ordered: Row[] = []
  await new BlockWindows(first, last, { fromBlock: first, toBlock: last }).each(async ({ toBlock = last }) => {
    const end = rows.findIndex(({ block }, at) => at >= ordered.length && block > toBlock)
    const window = rows.slice(ordered.length, end < 0 ? rows.length : end).sort((one, other) => one.pool - other.pool)
    for (const row of window) ordered.push(row)
    return window.length
  })
  const data = [all.subarray(0, HEADER_BYTES)]
  for (let i = 0; i < ordered.length; i += ROWS_OF_CHUNK)
    data.push(Buffer.concat(ordered.slice(i, i + ROWS_OF_CHUNK).map(({ bytes }) => bytes)))
  data.push(Buffer.from([0xff, 0xff]))
  return data
}

function rowsOf(data: Buffer): Row[] {
  const rows: Row[] = []
  for (let at = HEADER_BYTES; ; ) {
    const start = at
    const columns = data.readInt16BE(at)
    if (columns < 0) return rows
    at += 2
    const row = { block: 0, pool: 0 }
    for (let column = 0; column < columns; column++) {
      const length = data.readInt32BE(at)
      at += 4
      if (column === BLOCK_NUM) row.block = Number(data.readBigInt64BE(at))
      if (column === POOL_ID) row.pool = Number(data.readBigInt64BE(at))
      at += Math.max(0, length)
    }
    rows.push({ ...row, bytes: data.subarray(start, at) })
  }
}
