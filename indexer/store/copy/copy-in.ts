// Sends a finished COPY stream to the server.
import { finished } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { CopyBuffer } from './copy-buffer.ts'

/** Copies the buffer's rows into `target` (a table with its column list) and clears the buffer. */
export async function copyIn(client: ClientBase, target: string, buffer: CopyBuffer): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin (format binary)`))
  stream.end(buffer.finish())
  await finished(stream)
  buffer.clear()
}
