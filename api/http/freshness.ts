// Headers that name an answer's block, its ETag, and 304 if the client has the answer. An answer that changes with every
// block is tagged by its block, any other one by a hash of its bytes. Both tags are equal in all processes. The block in
// which an answer last changed is not: it depends on when a process started, and on how many blocks it takes in one step
// (docs/decisions/0036-content-tags.md).
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { LRUCache, perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import type { BlockMark } from '../live-market/live-market.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The block of the answer; null outside of a chain's routes. */
    at: BlockMark | null
    /** Whether the entity tag is a hash of the answer instead of its block. */
    taggedByContent: boolean
    /** Id of the block since which this process's answer is unchanged; null when unknown. */
    unchangedSince: string | null
  }
}

interface RecentTag {
  /** Id of the block since which the answer is unchanged. */
  since: string
  tag: string
}

const MAX_RECENT_TAGS = 10_000

/** Tags of a chain's answers by address, so that a client that has the answer gets 304 without computing it again. */
const recentTagsOf = perObject((_: ChainContext) => new LRUCache<string, RecentTag>({ max: MAX_RECENT_TAGS }))

/** Clients and proxies may cache answers and must revalidate them each time. */
const REVALIDATE = 'public, no-cache'

/** Adds the hooks to the routes of `app`. Call it before compression is registered. */
export function keepFresh(app: FastifyInstance): void {
  app.decorateRequest('at', null)
  app.decorateRequest('taggedByContent', false)
  app.decorateRequest('unchangedSince', null)
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), withoutLength]
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Errors must not be cached: the next request may succeed.
    if (reply.statusCode >= 400) reply.removeHeader('etag').header('cache-control', 'no-store')
    else if (request.taggedByContent && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      reply.header('etag', remember(request, contentTag([payload])))
    const clientHasIt = isKnown(request, reply.getHeader('etag')) || hasAny(request, reply.getHeader('etag'))
    if (reply.statusCode !== 200 || !clientHasIt) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length').removeHeader('content-encoding')
    // For HEAD, Fastify needs a string payload.
    done(null, request.method === 'HEAD' ? '' : null)
  })
}

/** Removes Content-Length from a 304: it must be the length of the 200 response, which is not made (RFC 9110, 8.6). */
const withoutLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

/** Sets the headers of the answer's block. @returns whether the client has the answer of this block: 304 is enough */
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

/** Sets the tag of an answer that may change with every block. @returns whether the client has the answer: 304 is enough */
export function isOfKnownBlock(request: FastifyRequest, reply: FastifyReply, at: BlockMark): boolean {
  reply.header('etag', entityTag(at))
  return isKnown(request, reply.getHeader('etag'))
}

/**
 * Lets the answer's tag be computed from its content. Remembers the tag until the data change.
 *
 * @param at  block since which the answer of this process is unchanged
 * @returns whether the client has the answer: 304 is enough
 */
export function isUnchangedSince(request: FastifyRequest, reply: FastifyReply, at: BlockMark): boolean {
  request.taggedByContent = true
  request.unchangedSince = at.id
  const recent = recentTagsOf(request.chain).get(addressOf(request))
  return recent?.since === at.id && isUnchangedContent(request, reply, recent.tag)
}

function remember(request: FastifyRequest, tag: string): string {
  const { unchangedSince: since } = request
  if (since !== null) recentTagsOf(request.chain).set(addressOf(request), { since, tag })
  return tag
}

/** Answers may contain the server's address, so it is part of the key. */
function addressOf({ protocol, host, originalUrl }: FastifyRequest): string {
  return `${protocol}://${host}${originalUrl}`
}

/**
 * Entity tag from the content. A long list has many pieces, of which a block changes few: each piece is hashed once.
 *
 * @param pieces  buffers that are never changed. The same content must always be divided in the same way
 */
export function contentTag(pieces: readonly (string | Buffer)[]): string {
  const [first = ''] = pieces
  const hash = createHash('sha256')
  if (pieces.length < 2) hash.update(first)
  else for (const piece of pieces) hash.update(typeof piece === 'string' ? piece : digestOf(piece))
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

const digestOf = perObject((piece: Buffer) => createHash('sha256').update(piece).digest())

/** Sets a tag from the content. @returns whether the client has the answer: 304 is enough */
export function isUnchangedContent(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  request.taggedByContent = false
  reply.header('etag', tag)
  return isKnown(request, tag)
}

/** Weak, because an answer may have several encodings. The id distinguishes blocks of two branches with one number. */
function entityTag({ block, id }: BlockMark): string {
  return `W/"${block}-${id.slice(8, 24)}"`
}

function isKnown(request: FastifyRequest, tag: unknown): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined || typeof tag !== 'string' || !isReading(request)) return false
  return known.split(',').some((one) => bare(one) === bare(tag))
}

/** Whether the client sent `*`, which matches any answer that exists. */
function hasAny(request: FastifyRequest, tag: unknown): boolean {
  return request.headers['if-none-match']?.trim() === '*' && typeof tag === 'string' && isReading(request)
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function bare(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}

/** 304: the client's copy is current. */
export function notModified(reply: FastifyReply): FastifyReply {
  return reply.code(304).send()
}
