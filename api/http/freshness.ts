// Says of which block an answer is, and answers 304 when the client has it. "Now" is the block's time: an answer is a
// function of its block, so its block names it.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { BlockMark } from '../market/live-market.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The block that this answer reflects. Null outside of a chain's routes. */
    at: BlockMark | null
    /** Whether the entity tag is made of the answer's bytes instead of its block. */
    taggedByContent: boolean
  }
}

/** Clients and proxies keep answers, and ask every time whether they still hold. */
const REVALIDATE = 'public, no-cache'

/** Sets the headers of freshness of routes in `app`. Must come before compression. */
export function keepFresh(app: FastifyInstance): void {
  app.decorateRequest('at', null)
  app.decorateRequest('taggedByContent', false)
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), withoutLength]
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // A mistake is not kept: the next request may be another one.
    if (reply.statusCode >= 400) reply.removeHeader('etag').header('cache-control', 'no-store')
    else if (request.taggedByContent && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      reply.header('etag', contentTag([payload]))
    const isHad = isKnown(request, reply.getHeader('etag')) || hasAny(request, reply.getHeader('etag'))
    if (reply.statusCode !== 200 || !isHad) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length').removeHeader('content-encoding')
    // Who asks for headers only passes what is left through the framework, which takes a text for that.
    done(null, request.method === 'HEAD' ? '' : null)
  })
}

/** A 304 may tell the length of what the client has, which nobody has made anew, and no other (RFC 9110, 8.6). */
const withoutLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

/** Marks an answer with the block that it reflects. Answers 304 at once, and true, when the client has this block's. */
export function mark(request: FastifyRequest, reply: FastifyReply, at: BlockMark): boolean {
  request.at = at
  reply
    .header('x-block-num', String(at.block))
    .header('x-block-time', new Date(at.time).toISOString())
    .header('cache-control', REVALIDATE)
    .header('vary', 'accept-encoding, host')
    .header('etag', entityTag(at))
  return isKnown(request, reply.getHeader('etag'))
}

/**
 * Says that the answer has been the same since an earlier block.
 *
 * @returns whether the client has it: 304 is enough
 */
export function isUnchangedSince(request: FastifyRequest, reply: FastifyReply, at: BlockMark): boolean {
  reply.header('etag', entityTag(at))
  return isKnown(request, reply.getHeader('etag'))
}

/**
 * The tag of an answer by what it says. For answers of which no mark tells since when they are what they are: their tag
 * stays as long as the answer does.
 */
export function contentTag(pieces: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

/** Gives an answer, which is about to be sent, a tag by its content. @returns whether the client has it: 304 is enough */
export function isUnchangedContent(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  request.taggedByContent = false
  reply.header('etag', tag)
  return isKnown(request, tag)
}

/** Weak: the same answer may be compressed in several ways. The id tells branches apart. */
function entityTag({ block, id }: BlockMark): string {
  return `W/"${block}-${id.slice(8, 24)}"`
}

function isKnown(request: FastifyRequest, tag: unknown): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined || typeof tag !== 'string' || !isReading(request)) return false
  return known.split(',').some((one) => bare(one) === bare(tag))
}

/** Whether whatever is there will do, `*`: it must be known that something is. */
function hasAny(request: FastifyRequest, tag: unknown): boolean {
  return request.headers['if-none-match']?.trim() === '*' && typeof tag === 'string' && isReading(request)
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function bare(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}

/** 304: what the client has is still so. */
export function notModified(reply: FastifyReply): FastifyReply {
  return reply.code(304).send()
}
