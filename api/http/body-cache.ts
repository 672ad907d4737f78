// Cache of answers that are the same for all clients. Each version is made once and compressed once per encoding.

import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Registry } from 'prom-client'
import { LRUCache } from '../../core/cache.ts'
import type { BlockMark } from '../live-market/model.ts'
import { contentTag, isOfKnownBlock, isUnchangedContent, notModified } from './freshness.ts'

const compressors = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, { level: number }, Buffer>(gzip),
}
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const COMPRESS_FROM = 1024

type Encoding = keyof typeof compressors

export interface Body {
  /** Version of the data that it was made from. */
  version: string
  pieces: readonly Buffer[]
  length: number
  /** Entity tag of the content; computed at the first request for it. */
  tag?: string
  /** `Link` header with the next page. */
  link: string | undefined
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

/** A body that is not in a cache. */
export function bodyOf(version: string, pieces: readonly Buffer[], link?: string): Body {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { version, pieces, length, link, encoded: {} }
}

/** Limits of a cache. Keys come from requests, so the cache must be bounded. Bytes are of uncompressed bodies. */
export interface BodyLimits {
  bodies: number
  bytes: number
  /** A longer body is not cached: it would evict many short ones. */
  longest: number
}

/** For a few lists of several megabytes. */
const LISTS: BodyLimits = { bodies: 16, bytes: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }

/** Lookups of all caches of this process. */
export const cacheMetrics = new Registry()
const lookups = new Counter({
  name: 'headwater_cache_lookups_total',
  help: 'Lookups of whole answers in the memory of this process, by result: hit, miss.',
  labelNames: ['result'],
  registers: [cacheMetrics],
})

export class BodyCache {
  private readonly bodies: LRUCache<string, Body>
  private readonly longest: number

  constructor({ bodies, bytes, longest }: BodyLimits = LISTS) {
    this.longest = longest
    // An empty body counts as one byte: sizes must be positive.
    const sizes = Number.isFinite(bytes) ? { maxSize: bytes, sizeCalculation: ({ length }: Body) => length || 1 } : {}
    this.bodies = new LRUCache({ max: bodies, ...sizes })
  }

  /** The body of a key; null if absent or of another version. */
  get(key: string, version: string): Body | null {
    const body = this.bodies.get(key)
    const found = body?.version === version ? body : null
    lookups.inc({ result: found ? 'hit' : 'miss' })
    return found
  }

  /** Caches a body, replacing an earlier one of the key. A body above the limit is only returned. */
  set(key: string, version: string, pieces: readonly Buffer[], link?: string): Body {
    const body = bodyOf(version, pieces, link)
    if (body.length <= this.longest) this.bodies.set(key, body)
    else this.bodies.delete(key)
    return body
  }

  /**
   * Sends the JSON of a key, which may change with every block.
   *
   * @param key   inputs of the answer other than the block
   * @param at    the answer's block, which is its entity tag
   * @param make  makes its bytes in pieces; called on a cache miss
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    at: BlockMark,
    make: () => readonly Buffer[],
  ): Promise<FastifyReply> {
    if (isOfKnownBlock(request, reply, at)) return notModified(reply)
    return sendBody(request, reply, this.get(key, at.id) ?? this.set(key, at.id, make()))
  }

  /**
   * Sends the JSON of a key with a tag from its content.
   *
   * @param since  block since which the answer of this process is unchanged
   * @param make   makes its bytes in pieces; called on a cache miss
   */
  async sendUnchanged(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    since: BlockMark,
    make: () => readonly Buffer[],
  ): Promise<FastifyReply> {
    return sendTagged(request, reply, this.get(key, since.id) ?? this.set(key, since.id, make()))
  }
}

/** Sends a body with a tag from its content, or 304. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
): FastifyReply | Promise<FastifyReply> {
  body.tag ??= contentTag(body.pieces)
  return isUnchangedContent(request, reply, body.tag) ? notModified(reply) : sendBody(request, reply, body)
}

/** Sends a body in an encoding that the client accepts. */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  if (body.link !== undefined) reply.header('link', body.link)
  reply.type(type)
  const encoding = body.length < COMPRESS_FROM ? undefined : accepted(request.headers['accept-encoding'])
  if (encoding === undefined) return sendPieces(reply, body)
  body.encoded[encoding] ??= compress(encoding, Buffer.concat(body.pieces))
  return reply.header('content-encoding', encoding).send(await body.encoded[encoding])
}

/** Sends the pieces without joining them: a body can have megabytes. */
function sendPieces(reply: FastifyReply, { pieces, length }: Body): FastifyReply {
  if (pieces.length === 1) return reply.send(pieces[0])
  return reply.header('content-length', length).send(new Pieces(pieces))
}

/**
 * A stream that writes all pieces to the response at once, corked, so that the socket gets them in few calls. The usual
 * pipe would write a piece only after the previous one has drained.
 */
class Pieces extends Readable {
  private pieces: readonly Buffer[]

  constructor(pieces: readonly Buffer[]) {
    super()
    this.pieces = pieces
  }

  override _read(): void {
    for (const piece of this.pieces) this.push(piece)
    this.pieces = []
    this.push(null)
  }

  override pipe<T extends NodeJS.WritableStream>(to: T, options?: { end?: boolean }): T {
    if (!(to instanceof ServerResponse)) return super.pipe(to, options)
    to.cork()
    for (const piece of this.pieces) to.write(piece)
    if (options?.end !== false) to.end()
    to.uncork()
    // Consumes the rest of this stream, so that it emits `end`.
    this.pieces = []
    this.resume()
    return to
  }
}

function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  return encoding === 'br' ? compressors.br(bytes, BROTLI) : compressors.gzip(bytes, { level: 4 })
}

/** The encoding with the highest weight, br if equal; undefined if the client accepts neither. */
function accepted(header: string | string[] | undefined): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const one of String(header ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim())
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    weights.set(name, Number.isNaN(weight) ? 0 : weight)
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  return weightOf(best) > 0 ? best : undefined
}
