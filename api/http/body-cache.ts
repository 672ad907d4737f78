// Large answers that change with a block and not with the client: made once, compressed once, sent as they are.
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
  plain: Buffer
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

export class BodyCache {
  private readonly bodies = new Map<string, Body>()

  /**
   * Sends the JSON of a key.
   *
   * @param key   what the answer depends on beside the block
   * @param mark  block since which it is what it is
   * @param make  its bytes, when it is not at hand
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    mark: BlockMark,
    make: () => Buffer,
  ): Promise<FastifyReply> {
    if (isUnchangedSince(request, reply, mark)) return reply.code(304).send()
    const body = this.bodyOf(key, mark, make)
    reply.type('application/json; charset=utf-8')
    const encoding = body.plain.length < COMPRESS_FROM ? undefined : accepted(request.headers['accept-encoding'])
    if (encoding === undefined) return reply.send(body.plain)
    body.encoded[encoding] ??=
      encoding === 'br' ? compressors.br(body.plain, BROTLI) : compressors.gzip(body.plain, { level: 4 })
    return reply.header('content-encoding', encoding).send(await body.encoded[encoding])
  }

  private bodyOf(key: string, mark: BlockMark, make: () => Buffer): Body {
    const known = this.bodies.get(key)
    const body = known !== undefined && known.mark.id === mark.id ? known : { mark, plain: make(), encoded: {} }
    // The one asked for last goes to the end; the one that nobody has asked for longest is given up.
    this.bodies.delete(key)
    this.bodies.set(key, body)
    if (this.bodies.size > MOST) this.bodies.delete(this.bodies.keys().next().value as string)
    return body
  }
}

function accepted(header: string | string[] | undefined): Encoding | undefined {
  const names = String(header ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding))
}
