// Reads the JSON body of a request. Whatever it is, the answer is a Refusal or an object.
import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** Longest body, bytes. */
export const MOST_BODY = 32 << 10

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
