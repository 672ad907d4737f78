// Large answers that change with a block and not with the client: made once, compressed once, sent as they are.
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlockMark } from '../market/model.ts'
import { isUnchangedSince } from './freshness.ts'

const compressors = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, { level: number }, Buffer>(gzip),
}
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const COMPRESS_FROM = 1024
/** Most answers that are kept: keys come from requests. */
const MOST = 16

type Encoding = keyof typeof compressors

interface Body {
  mark: BlockMark
  pieces: readonly Buffer[]
  length: number
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

export class BodyCache {
  private readonly bodies = new Map<string, Body>()

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
    const body = this.bodyOf(key, mark, make)
    reply.type('application/json; charset=utf-8')
    const encoding = body.length < COMPRESS_FROM ? undefined : accepted(request.headers['accept-encoding'])
    if (encoding === undefined) return sendPieces(reply, body)
    body.encoded[encoding] ??= compress(encoding, Buffer.concat(body.pieces))
    return reply.header('content-encoding', encoding).send(await body.encoded[encoding])
  }

  private bodyOf(key: string, mark: BlockMark, make: () => readonly Buffer[]): Body {
    const known = this.bodies.get(key)
    const body = known !== undefined && known.mark.id === mark.id ? known : newBody(mark, make())
    // The one asked for last goes to the end; the one that nobody has asked for longest is given up.
    this.bodies.delete(key)
    this.bodies.set(key, body)
    if (this.bodies.size > MOST) this.bodies.delete(this.bodies.keys().next().value as string)
    return body
  }
}

function newBody(mark: BlockMark, pieces: readonly Buffer[]): Body {
  return { mark, pieces, length: pieces.reduce((sum, { length }) => sum + length, 0), encoded: {} }
}

/** Other requests have their turn between the pieces, and a body of megabytes is never copied into one. */
function sendPieces(reply: FastifyReply, { pieces, length }: Body): FastifyReply {
  if (pieces.length === 1) return reply.send(pieces[0])
  return reply.header('content-length', length).send(Readable.from(pieces, { objectMode: false }))
}

function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  return encoding === 'br' ? compressors.br(bytes, BROTLI) : compressors.gzip(bytes, { level: 4 })
}

function accepted(header: string | string[] | undefined): Encoding | undefined {
  const names = String(header ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding))
}
