// Files under a prefix of an S3 bucket. Requests are signed (signature version 4), bodies with their SHA-256. A file is
// written by one PUT, or in parts when it is long, on the condition that there is none of its name.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { type HttpAnswer, request } from '../http.ts'
import { type AttemptContext, attempt, IDLE_MS, isTemporary, type Retries, TemporaryFailure } from './attempts.ts'
import { differs, ObjectsUnreachable } from './errors.ts'
import { checkName, checkPrefix, inByteOrder } from './names.ts'
import { openRemote, readRemote, type Server } from './remote.ts'
import { codeOf, isTemporaryCode, s3Refusal } from './s3-errors.ts'
import { pageOf, unescaped } from './s3-list.ts'
import type { Bucket } from './s3-settings.ts'
import type { ObjectStore, ReadOptions, WriteOptions } from './store.ts'

/** Files up to this size are one request. Amazon's minimum for a part is 5 MiB, the limit is 10,000 parts. */
const PART_BYTES = 16 * 2 ** 20
const MAX_ANSWER_BYTES = 8 * 2 ** 20
/** Added to the timeout of an upload, ms a byte: 100 kB a second. */
const UPLOAD_MS_PER_BYTE = 1 / 100
/** 412: there is a file of this name. 404: an earlier attempt has finished this upload, without an answer. */
const TAKEN = new Set([404, 412])

interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
}

export class S3Store implements ObjectStore, Server {
  readonly address: string
  readonly redirect = 'manual'
  readonly #bucket: Bucket
  readonly #retries: Retries
  readonly #partBytes: number
  /** Signing keys of a day, for the signer. */
  readonly #keys = new Map<string, ArrayBuffer>()
  /** Whether the server understands the condition of a write. */
  #hasConditions = true

  constructor(bucket: Bucket, { partBytes = PART_BYTES, ...retries }: Retries & { partBytes?: number } = {}) {
    this.address = `s3://${bucket.bucket}/${bucket.prefix}`.replace(/\/$/, '')
    this.#bucket = bucket
    this.#retries = retries
    this.#partBytes = partBytes
  }

  async *list(prefix: string, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<string> {
    checkPrefix(prefix, this.address)
    const home = this.#bucket.prefix
    const keys: string[] = []
    for (let after = '', isMore = true; isMore; ) {
      const query = { 'list-type': '2', 'encoding-type': 'url', prefix: home + prefix }
      const context = this.#context('', signal)
      const answer = await this.#ask(context, { query: after === '' ? query : { ...query, 'start-after': after } })
      const page = pageOf(answer.text)
      const last = page.keys.at(-1) ?? ''
      isMore = page.isCut && last !== '' && last !== after
      after = last
      keys.push(...page.keys)
    }
    // A key that ends with a slash stands for a folder in some programs. Not every server sorts keys by bytes.
    const names = keys.filter((key) => !key.endsWith('/')).map((key) => key.slice(home.length))
    yield* inByteOrder(names)
  }

  read(name: string, options: ReadOptions = {}): Promise<Buffer | null> {
    return readRemote(this, this.#context(name, options.signal), options)
  }

  open(name: string, { signal }: { signal?: AbortSignal } = {}): Promise<Readable | null> {
    return openRemote(this, this.#context(name, signal))
  }

  async write(name: string, body: Buffer | Readable, { signal }: WriteOptions = {}): Promise<void> {
    const context = this.#context(name, signal)
    const there = await this.open(name, { signal })
    if (there !== null) {
      const sha256 = await digestOf(body)
      return await this.#compare(context, sha256, there)
    }
    const digest = createHash('sha256')
    const isWritten = await this.#upload(context, this.#parts(body, digest))
    if (isWritten) return
    const other = await this.open(name, { signal })
    if (other === null) throw new ObjectsUnreachable(context, 'the file was removed while it was written')
    await this.#compare(context, digest.digest('hex'), other)
  }

  async replace(name: string, body: Buffer, { signal }: WriteOptions = {}): Promise<void> {
    checkName(name, this.address)
    await this.#ask(this.#context(name, signal), { method: 'PUT', body })
  }

  async #compare(context: AttemptContext, sha256: string, there: Readable): Promise<void> {
    if ((await digestOf(there)) !== sha256) throw differs(context)
  }

  /** @returns whether the file was written: false when there is one of this name */
  async #upload(context: AttemptContext, parts: AsyncGenerator<Buffer>): Promise<boolean> {
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    const second = await parts.next()
    if (second.done) return await this.#put(context, { method: 'PUT', body: first })
    const started = await this.#ask(context, { method: 'POST', query: { uploads: '' } })
    const uploadId = unescaped(/<UploadId>([^<]*)<\/UploadId>/.exec(started.text)?.[1] ?? '')
    try {
      const tags = [await this.#part(context, uploadId, 1, first), await this.#part(context, uploadId, 2, second.value)]
      for await (const body of parts) tags.push(await this.#part(context, uploadId, tags.length + 1, body))
      const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
      const isWritten = await this.#put(context, { method: 'POST', query: { uploadId }, body })
      if (!isWritten) await this.#abandon(context, uploadId)
      return isWritten
    } catch (error) {
      await this.#abandon({ ...context, signal: undefined }, uploadId)
      throw error
    }
  }

  /** Removes the parts of an upload: else the server keeps them, and its owner pays for them. */
  async #abandon(context: AttemptContext, uploadId: string): Promise<void> {
    await this.#send(context, { method: 'DELETE', query: { uploadId } }).catch(() => {})
  }

  async #part(context: AttemptContext, uploadId: string, number: number, body: Buffer): Promise<string> {
    const answer = await this.#ask(context, { method: 'PUT', query: { partNumber: String(number), uploadId }, body })
    return answer.headers.get('etag') ?? ''
  }

  /** Finishes a file, unless there is one. */
  async #put(context: AttemptContext, sent: Sent): Promise<boolean> {
    const headers: Record<string, string> = this.#hasConditions ? { 'if-none-match': '*' } : {}
    const answer = await this.#ask(context, { ...sent, headers }, TAKEN)
    if (answer.status < 300) return true
    if (answer.status === 501) {
      this.#hasConditions = false
      return await this.#put(context, sent)
    }
    return false
  }

  /** A body in pieces of the size of a part; only the last is smaller. */
  async *#parts(body: Buffer | Readable, digest: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
    let waiting: Buffer[] = []
    let size = 0
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      digest.update(chunk)
      for (let rest = Buffer.from(chunk); rest.length > 0; ) {
        const piece = rest.subarray(0, this.#partBytes - size)
        waiting.push(piece)
        size += piece.length
        rest = rest.subarray(piece.length)
        if (size < this.#partBytes) continue
        yield Buffer.concat(waiting)
        waiting = []
        size = 0
      }
    }
    if (size > 0) yield Buffer.concat(waiting)
  }

  /** Sends a request until it is answered. Other statuses than 2xx are errors, but for the allowed ones and 501. */
  #ask(context: AttemptContext, sent: Sent, allowed: ReadonlySet<number> = new Set()): Promise<HttpAnswer> {
    return attempt(context, async () => {
      const answer = await this.#send(context, sent)
      const { status, text, headers } = answer
      // The end of an upload in parts may fail after the status was sent.
      const isError = text.includes('<Error>')
      if (status >= 200 && status <= 299 && !isError) return answer
      if (isTemporary(status) || isTemporaryCode(text))
        throw new TemporaryFailure(`the server answers ${codeOf(text) || status}`)
      const isTaken = allowed.has(status) && codeOf(text) !== 'NoSuchBucket'
      if (isTaken || (status === 501 && this.#hasConditions && allowed.size > 0)) return answer
      throw this.refusal(status, text, headers, context.name)
    })
  }

  async #send(context: AttemptContext, { method = 'GET', query = {}, headers = {}, body }: Sent): Promise<HttpAnswer> {
    const { url, headers: signed } = await this.#sign(method, context.name, { query, headers, body })
    return await request(url, {
      method,
      headers: signed,
      body: body as Buffer<ArrayBuffer> | undefined,
      timeoutMs: (this.#retries.idleMs ?? IDLE_MS) + Math.ceil((body?.length ?? 0) * UPLOAD_MS_PER_BYTE),
      maxBytes: MAX_ANSWER_BYTES,
      signal: context.signal,
      redirect: 'manual',
    })
  }

  get(name: string, headers: Record<string, string>) {
    return this.#sign('GET', name, { headers })
  }

  /** Address and headers of a request. An empty name is the bucket. */
  async #sign(method: string, name: string, { query = {}, headers, body }: Omit<Sent, 'method'>) {
    const { url, bucket: _, prefix, ...keys } = this.#bucket
    const path = name === '' ? '' : (prefix + name).split('/').map(encodeURIComponent).join('/')
    const target = new URL(`${url}/${path}`)
    for (const [key, value] of Object.entries(query)) target.searchParams.set(key, value)
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signer = new AwsV4Signer({
      ...keys,
      method,
      url: target.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': sha256,
        ...(body ? { 'content-type': 'application/octet-stream' } : {}),
      },
      service: 's3',
      cache: this.#keys,
    })
    const signed = await signer.sign()
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) }
  }

  isMissing(status: number, text: string): boolean {
    return status === 404 && codeOf(text) !== 'NoSuchBucket'
  }

  refusal(status: number, text: string, headers: Headers, name: string): Error {
    return s3Refusal({ address: this.address, name, bucket: this.#bucket }, { status, text, headers })
  }

  #context(name: string, signal: AbortSignal | undefined): AttemptContext {
    return { address: this.address, name, retries: this.#retries, signal }
  }
}

async function digestOf(body: Buffer | Readable): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of Buffer.isBuffer(body) ? [body] : body) digest.update(chunk)
  return digest.digest('hex')
}
