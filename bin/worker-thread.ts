// A worker of a backfill in a thread of its own. Log lines and errors go to the main thread; any message from there
// ends it.
import { parentPort, workerData } from 'node:worker_threads'
import { HeadwaterError, UserError } from '../core/errors.ts'
import { runWorkers } from './backfill.ts'
import { lowerThreadPriority } from './thread-priority.ts'
import type { WorkerMessage, WorkerTask } from './worker-threads.ts'

const { chains, databaseUrl } = workerData as WorkerTask
// Ranges are taken over one after another: where processors are few, the workers must not slow this down.
lowerThreadPriority()
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

const post = (message: WorkerMessage) => parentPort?.postMessage(message)
const line =
  (level: 'info' | 'warn' | 'error') =>
  (text: string, fields: Record<string, unknown> = {}) =>
    post({ kind: 'log', level, text, fields })

try {
  const log = { info: line('info'), warn: line('warn'), error: line('error') }
  await runWorkers({ chains, databaseUrl, signal: stop.signal, log })
} catch (error) {
  if (!(error instanceof HeadwaterError)) throw error
  const { code, message, hint, place } = error
  post({ kind: 'failed', isUserError: error instanceof UserError, code, message, hint, place })
} finally {
  // An open port would keep the thread.
  parentPort?.close()
}
