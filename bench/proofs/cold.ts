// Drops a database's files from the operating system's cache, so that the next reads come from the disk.

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { itemAt } from '../../core/required.ts'

const run = promisify(execFile)

/** @returns gigabytes dropped; 0 if the server's files are not on this machine, or if this is not Linux */
export async function dropCached(client: pg.Client): Promise<number> {
  await client.query('checkpoint')
  const { rows } = await client.query<{ folder: string; bytes: string }>(
    `select current_setting('data_directory') || '/base/' || d.oid as folder, pg_database_size(d.oid) as bytes
     from pg_database d where d.datname = current_database()`,
  )
  const { folder, bytes } = itemAt(rows, 0)
  try {
    // `dd` with this flag and no data tells the system that the file need not be cached.
    for (const name of await readdir(folder))
      await run('dd', [`if=${join(folder, name)}`, 'iflag=nocache', 'count=0', 'status=none'])
    return Number(bytes) / 1e9
  } catch {
    return 0
  }
}
