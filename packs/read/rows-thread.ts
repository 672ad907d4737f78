// The thread that makes rows from headers. It asks for the bytes of the task's file piece by piece. It has no access to
// the database or the store.
import { parentPort } from 'node:worker_threads'
import { HeadwaterError } from '../../core/errors.ts'
import { makeRows, type RowsTask } from './make-rows.ts'
import { type FromRowsThread, failureOf, type ToRowsThread } from './threaded-rows.ts'

/** Gets the next piece; null at the end of the file. */
let take: (piece: Uint8Array | null) => void = () => {}

parentPort?.on('message', (message: ToRowsThread) => {
  if ('task' in message) void work(message.task)
  else take(message.piece)
})

async function work(task: RowsTask): Promise<void> {
  try {
    const { tables, foreign } = await makeRows(pieces(), task)
    // A buffer without rows may share its memory with others.
    const filled = [...tables.values()].filter(({ count }) => count > 0)
    const transfer = filled.map(({ content }) => content.buffer as ArrayBuffer)
    parentPort?.postMessage({ rows: { tables, foreign } } satisfies FromRowsThread, transfer)
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    parentPort?.postMessage({ failure: failureOf(error) } satisfies FromRowsThread)
  }
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const next = new Promise<Uint8Array | null>((resolve) => {
      take = resolve
    })
    parentPort?.postMessage('next' satisfies FromRowsThread)
    const piece = await next
    if (piece === null) return
    yield piece
  }
}
