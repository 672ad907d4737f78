// The limit of ingestion: a plain binary COPY of the rows of a database into empty tables with the same indexes.
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { processorMs } from '../decode/processor.ts'

/** Processor time of the server so far, seconds. */
interface ServerClock {
  seconds(): number
}

/**
 * Reads every table of some schemas into memory, creates empty copies with all indexes, copies the rows into them, and
 * drops the copies.
 *
 * @returns seconds of the copies alone: by the clock, of a processor here, and in the server where its clock is given
 */
export async function bareCopy(
  url: string,
  server: ServerClock = { seconds: () => 0 },
  schemas: readonly string[] = ['ledger', 'state'],
) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ id: string; leaf: string }>(
    `select format('%I.%I', n.nspname, c.relname) as id, c.relname as leaf from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any ($1) and c.relispartition order by 1`,
    [schemas],
  )
  await client.query('create schema bare')
  let seconds = 0
  let own = 0
  let ofServer = 0
  let rows = 0
  for (const { id, leaf } of tables) {
    const chunks: Buffer[] = []
    const sink = new PassThrough()
    sink.on('data', (chunk: Buffer) => chunks.push(chunk))
    await pipeline(client.query(copyTo(`copy ${id} to stdout (format binary)`)), sink)
    await client.query(`create table bare.${leaf} (like ${id} including all)`)
    const started = { wall: performance.now(), own: processorMs(), server: server.seconds() }
    const into = client.query(copyFrom(`copy bare.${leaf} from stdin (format binary)`))
    for (const chunk of chunks) if (!into.write(chunk)) await new Promise((resolve) => into.once('drain', resolve))
    await new Promise<void>((resolve, reject) => {
      into.once('finish', resolve)
      into.once('error', reject)
      into.end()
    })
    seconds += (performance.now() - started.wall) / 1000
    own += (processorMs() - started.own) / 1000
    ofServer += server.seconds() - started.server
    rows += into.rowCount
  }
  await client.query('drop schema bare cascade')
  await client.end()
  return { seconds, own, server: ofServer, rows, rowsPerSecond: rows / seconds }
}
