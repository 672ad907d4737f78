// Reads the JSON body of a request: returns an object or throws a Refusal.
import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** Longest body, bytes. */
export const MAX_BODY = 32 << 10

/** Maximum number of user signatures in a request. */
const MAX_SIGNATURES = 4

/** The optional member `signatures`. @throws Refusal */
export function readSignatures(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_SIGNATURES || value.some((one) => typeof one !== 'string'))
    throw new Refusal('body', `signatures must be a list of at most ${MAX_SIGNATURES} texts`)
  return value
}

/** @throws Refusal */
export function readBody({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): Record<string, unknown> {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new Refusal('body', 'The body must not be compressed')
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
  if (text.trim() === '') throw new Refusal('body', 'The body is empty: send JSON')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('body', 'The body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('body', 'The body must be a JSON object')
  return value as Record<string, unknown>
}
