// Answers that do not change with the client: made once for as long as they hold, compressed once, sent as they are.

import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from '../../core/cache.ts'
import type { BlockMark } from '../market/model.ts'
import { isUnchangedSince } from './freshness.ts'

const compressors = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, { level: number }, Buffer>(gzip),
}
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const COMPRESS_FROM = 1024

type Encoding = keyof typeof compressors

export interface Body {
  /** What it was made of: with another one it is another body. */
  version: string
  pieces: readonly Buffer[]
  length: number
  /** Entity tag of its content, once somebody has asked for it. */
  tag?: string
  /** Where the next page is. */
  link: string | undefined
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

/** A body that nobody keeps. */
export function bodyOf(version: string, pieces: readonly Buffer[], link?: string): Body {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { version, pieces, length, link, encoded: {} }
}

/** Keys come from requests, so what is kept has bounds; bytes are those of the plain bodies. */
export interface BodyLimits {
  bodies: number
  bytes: number
  /** A longer body is not kept: it is not worth many short ones. */
  longest: number
}

/** A few lists of megabytes. */
const LISTS: BodyLimits = { bodies: 16, bytes: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }

export class BodyCache {
  private readonly bodies: LRUCache<string, Body>
  private readonly longest: number

  constructor({ bodies, bytes, longest }: BodyLimits = LISTS) {
    this.longest = longest
    // An empty body counts as one byte: sizes must be positive.
    const sizes = Number.isFinite(bytes) ? { maxSize: bytes, sizeCalculation: ({ length }: Body) => length || 1 } : {}
    this.bodies = new LRUCache({ max: bodies, ...sizes })
  }

  /** The body of a key, if there is one of this version. */
  find(key: string, version: string): Body | null {
    const body = this.bodies.get(key)
    return body?.version === version ? body : null
  }

  /** Keeps a body in the place of an earlier one of the key. */
  keep(key: string, version: string, pieces: readonly Buffer[], link?: string): Body {
    const body = bodyOf(version, pieces, link)
    if (body.length <= this.longest) this.bodies.set(key, body)
    else this.bodies.delete(key)
    return body
  }

  /**
   * Sends the JSON of a key.
   *
   * @param key   what the answer depends on beside the block
   * @param mark  block since which it is what it is
   * @param make  its bytes in pieces, when it is not at hand
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    mark: BlockMark,
    make: () => readonly Buffer[],
  ): Promise<FastifyReply> {
    if (isUnchangedSince(request, reply, mark)) return reply.code(304).send()
    return sendBody(request, reply, this.find(key, mark.id) ?? this.keep(key, mark.id, make()))
  }
}

/** Sends a body, JSON unless another type is given, in the encoding that the client takes. */
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

/** A body of megabytes is never copied into one. */
function sendPieces(reply: FastifyReply, { pieces, length }: Body): FastifyReply {
  if (pieces.length === 1) return reply.send(pieces[0])
  return reply.header('content-length', length).send(new Pieces(pieces))
}

/**
 * Gives an answer all pieces at once: the socket takes as many as it has room for with one call, and the rest by itself.
 * Piece by piece, each would wait for the one before to be gone.
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
    // It has ended for whoever waits for that.
    this.pieces = []
    this.resume()
    return to
  }
}

function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  return encoding === 'br' ? compressors.br(bytes, BROTLI) : compressors.gzip(bytes, { level: 4 })
}

/** The encoding that the client likes best, br of equals; undefined when it takes none of ours. */
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
