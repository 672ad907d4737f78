// Signs in a separate thread: a signature takes a millisecond, and the main thread stays free to answer. Only that
// thread holds the key.
import { Worker } from 'node:worker_threads'
import { BugError, UserError } from '../core/errors.ts'
import type { Signs } from './signer.ts'

export interface SignerTask {
  /** Path of the key file. */
  keyFile: string
  /** 64 hex digits. */
  chainId: string
}

export interface ToThread {
  id: number
  packed: Uint8Array
}

/** The first message is the public key or an error; all later ones are signatures. */
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
      // If the signing thread ends, the process exits so that its supervisor restarts it.
      if (!this.isClosed) throw this.ended
    })
    // Only pending signatures keep the process alive.
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
    // Keeps the process alive until the thread has ended.
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
