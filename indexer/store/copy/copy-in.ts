// Copies rows to the server.
import type { ClientBase } from 'pg'
import { Script } from '../script.ts'
import type { CopyBuffer } from './copy-buffer.ts'

/** Copies the buffer's rows into `target` (a table with its column list), then clears the buffer. */
export async function copyIn(client: ClientBase, target: string, buffer: CopyBuffer): Promise<void> {
  await new Script().copy(target, buffer).run(client)
  buffer.clear()
}
