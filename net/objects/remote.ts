// Reading files over HTTP, which web servers and S3 have in common: whole files, and streams that continue after a
// broken connection.
import { Readable } from 'node:stream'
import { HttpError, readBytes, readText, requestStream, type StreamAnswer } from '../http.ts'
import {
  type AttemptContext,
  Attempts,
  attempt,
  IDLE_MS,
  isTemporary,
  TemporaryFailure,
  withLimit,
} from './attempts.ts'
import { encoded } from './errors.ts'
import { checkName } from './names.ts'
import { MAX_READ_BYTES, type ReadOptions } from './store.ts'

/** Differences between kinds of server. */
export interface Server {
  /** Address and headers of a GET request. */
  get(name: string, headers: Record<string, string>): Promise<{ url: string; headers: Record<string, string> }>
  /** Whether an answer says that there is no such file. */
  isMissing(status: number, text: string): boolean
  /** The error for any other answer; a `TemporaryFailure` is tried again. */
  refusal(status: number, text: string, headers: Headers, name: string): Error
  redirect: 'follow' | 'manual'
}

/** Status of an answer to a range that the file does not have. */
const NO_RANGE = 416
/** Limit of a server's text in an error, bytes. */
const MAX_ERROR_BYTES = 64 * 1024

/** Reads a whole file; null if there is none. */
export async function readRemote(
  server: Server,
  context: AttemptContext,
  { maxBytes = MAX_READ_BYTES }: ReadOptions,
): Promise<Buffer | null> {
  checkName(context.name, context.address)
  return await attempt(context, async () => {
    const answer = await get(server, context)
    if (answer === null) return null
    try {
      return await readBytes(answer.body, maxBytes)
    } catch (error) {
      throw withLimit(error, context, maxBytes)
    }
  })
}

/** Opens a file as a stream; null if there is none. */
export async function openRemote(server: Server, context: AttemptContext): Promise<Readable | null> {
  checkName(context.name, context.address)
  const first = await attempt(context, () => get(server, context))
  return first === null ? null : Readable.from(resumed(server, context, first), { objectMode: false })
}

/** The bytes of a file. Continues at the same position when a connection breaks. */
async function* resumed(server: Server, context: AttemptContext, first: StreamAnswer): AsyncGenerator<Uint8Array> {
  const attempts = new Attempts(context)
  const tag = first.headers.get('etag')
  let at = 0
  for (let answer: StreamAnswer | null = first; ; ) {
    try {
      answer ??= await continued(server, context, at, tag)
      for await (const piece of answer.body) {
        at += piece.length
        attempts.progressed()
        yield piece
      }
      return
    } catch (error) {
      answer = null
      await attempts.failed(error)
    }
  }
}

/** The answer with the bytes from a position. A server without ranges sends all, and the first ones are skipped. */
async function continued(
  server: Server,
  context: AttemptContext,
  at: number,
  tag: string | null,
): Promise<StreamAnswer> {
  const answer = await get(server, context, at === 0 ? {} : { range: `bytes=${at}-` })
  if (answer?.status === NO_RANGE && sizeOf(answer) === at) return { ...answer, body: skipped([], 0) }
  if (answer === null || answer.headers.get('etag') !== tag)
    throw new HttpError('no-answer', 'the file changed while it was read')
  if (answer.status === 206) {
    const start = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1]
    if (start !== String(at))
      throw new HttpError('no-answer', `the server sent another range than bytes ${at} to the end`)
    return answer
  }
  return { ...answer, body: skipped(answer.body, at) }
}

/** Size of the file in the answer to a range that begins after its end; null when the server does not say. */
function sizeOf({ headers }: StreamAnswer): number | null {
  const size = /^bytes \*\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return size === undefined ? null : Number(size)
}

async function* skipped(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const piece of body) {
    const rest = piece.subarray(Math.min(left, piece.length))
    left -= piece.length - rest.length
    if (rest.length > 0) yield rest
  }
}

async function get(
  server: Server,
  context: AttemptContext,
  more: Record<string, string> = {},
): Promise<StreamAnswer | null> {
  const { name, retries, signal } = context
  // Compressed on the way, a file could not be continued at a position. With a range, `fetch` itself adds this header:
  // twice there, it would not match the signature.
  const sent = await server.get(name, 'range' in more ? more : { 'accept-encoding': 'identity' })
  const { redirect } = server
  const answer = await requestStream(sent.url, {
    headers: sent.headers,
    idleMs: retries.idleMs ?? IDLE_MS,
    signal,
    redirect,
  })
  if (answer.status === 200 || answer.status === 206) {
    const encoding = answer.headers.get('content-encoding') ?? 'identity'
    if (encoding !== 'identity' && encoding !== 'aws-chunked') throw encoded(context, encoding)
    return answer
  }
  // The connection broke after the last byte: there is no range from there on.
  if (answer.status === NO_RANGE && 'range' in more) {
    await answer.body.return(undefined)
    return answer
  }
  const text = await readText(answer.body, MAX_ERROR_BYTES).catch(() => '')
  if (server.isMissing(answer.status, text)) return null
  if (isTemporary(answer.status)) throw new TemporaryFailure(`the server answers ${answer.status}`)
  throw server.refusal(answer.status, text, answer.headers, name)
}
