// Signs in a thread of its own: a signature takes a millisecond, in which this one goes on answering. The key is in that
// thread alone.
import { Worker } from 'node:worker_threads'
import { BugError, UserError } from '../core/errors.ts'
import type { Signs } from './signer.ts'

export interface SignerTask {
  /** Path. */
  keyFile: string
  /** 64 hex digits. */
  chainId: string
}

export interface ToThread {
  id: number
  packed: Uint8Array
}

/** Once the first or the second, then signatures. */
export type FromThread =
  | { publicKey: string }
  | { refused: { code: string; message: string; hint: string | undefined } }
  | { id: number; signature: string }

interface Waiting {
  resolve(signature: string): void
  reject(error: Error): void
}

export class ThreadedSigner implements Signs {
  readonly publicKey: string
  private readonly thread: Worker
  private readonly waiting = new Map<number, Waiting>()
  private next = 0
  private ended: Error | null = null
  private isClosed = false

  /** @throws UserError as `readKeyFile` */
  static async start(task: SignerTask): Promise<ThreadedSigner> {
    const thread = new Worker(new URL('./signer-thread.js', import.meta.url), { workerData: task, name: 'signer' })
    const message = await new Promise<FromThread>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
    })
    if ('publicKey' in message) return new ThreadedSigner(thread, message.publicKey)
    await thread.terminate()
    if (!('refused' in message)) throw new BugError('COSIGN_SIGNER', 'the thread that signs begins with an answer')
    const { code, message: text, hint } = message.refused
    throw new UserError(code, text, { hint })
  }

  private constructor(thread: Worker, publicKey: string) {
    this.thread = thread
    this.publicKey = publicKey
    thread.on('message', (message: FromThread) => {
      if (!('signature' in message)) return
      this.waiting.get(message.id)?.resolve(message.signature)
      this.waiting.delete(message.id)
      if (this.waiting.size === 0 && !this.isClosed) thread.unref()
    })
    thread.on('error', (error) => this.end(error))
    thread.on('exit', () => {
      this.end(new BugError('COSIGN_SIGNER', 'the thread that signs has ended'))
      // A cosigner that cannot sign any more ends, to be started anew.
      if (!this.isClosed) throw this.ended
    })
    // Only what it is still to sign keeps the process alive.
    thread.unref()
  }

  sign(packed: Uint8Array): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.ended !== null) return reject(this.ended)
      const id = this.next++
      this.thread.ref()
      this.waiting.set(id, { resolve, reject })
      this.thread.postMessage({ id, packed } satisfies ToThread)
    })
  }

  async close(): Promise<void> {
    this.isClosed = true
    // Who waits for the end is not left alone with it.
    this.thread.ref()
    await this.thread.terminate()
    this.end(new BugError('COSIGN_SIGNER', 'the thread that signs was closed'))
  }

  private end(error: Error): void {
    this.ended ??= error
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
  }
}
