// A file of a page with its encodings. It is compressed once, at the highest level, when it is made.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Asset {
  type: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
  /** Entity tag. Weak, because the file has several encodings. */
  tag: string
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}
/** Smallest file that is compressed, bytes. For a smaller one the extra header outweighs the gain. */
const COMPRESS_FROM = 512

export async function assetOf(name: string, body: Uint8Array | string): Promise<Asset> {
  const plain = Buffer.from(body as string)
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { type, plain, br, gzip: zipped, tag: `W/"${hash}"` }
}

/** Sends a file in the smallest encoding that the client accepts. A later hook answers 304 if the client has it. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const { type, plain, tag } = asset
  reply.header('content-type', type).header('etag', tag).header('vary', 'accept-encoding')
  reply.header('x-content-type-options', 'nosniff')
  const accepted = `${request.headers['accept-encoding'] ?? ''}`.toLowerCase()
  const accepts = (name: string) =>
    new RegExp(`(^|[,\\s])${name}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))\\s*(;|,|$)`).test(accepted)
  const encoding = plain.length < COMPRESS_FROM ? undefined : (['br', 'gzip'] as const).find(accepts)
  if (encoding === undefined) return reply.send(plain)
  return reply.header('content-encoding', encoding).send(asset[encoding])
}
