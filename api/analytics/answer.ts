// Helpers of the analytics endpoints. Parts of an answer that are already JSON are inserted as they are.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../http/failures.ts'
import type { BlockMark } from '../live-market/model.ts'
import { sendBlockAnswer } from './block-answers.ts'

/** Parts up to this size are joined; larger parts are sent without a copy. */
const MAX_JOINED = 16 * 1024
const COMMA = Buffer.from(',')

/** A value that is already JSON, as text or bytes. */
export class Json {
  readonly parts: readonly (string | Buffer)[]

  constructor(...parts: (string | Buffer)[]) {
    this.parts = parts
  }

  static of(value: unknown): Json {
    return new Json(JSON.stringify(value))
  }

  /** The JSON array of items that are already JSON. */
  static list(items: readonly Buffer[]): Json {
    return new Json('[', ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), ']')
  }

  bytes(): Buffer {
    return Buffer.concat(this.buffers())
  }

  /** The value in pieces: large parts as they are, with the small parts between them joined. */
  pieces(): readonly Buffer[] {
    const pieces: Buffer[] = []
    let short: Buffer[] = []
    const join = () => {
      if (short.length > 0) pieces.push(Buffer.concat(short))
      short = []
    }
    for (const buffer of this.buffers()) {
      if (buffer.length < MAX_JOINED) {
        short.push(buffer)
        continue
      }
      join()
      pieces.push(buffer)
    }
    join()
    return pieces
  }

  private buffers(): Buffer[] {
    return this.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  }
}

/** The JSON of an object. Members may already be JSON: `Json`, or bytes. */
export function jsonOf(members: Record<string, unknown>): Json {
  const parts: (string | Buffer)[] = []
  let text = '{'
  for (const [name, value] of Object.entries(members)) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    const own = value instanceof Json ? value.parts : [Buffer.isBuffer(value) ? value : JSON.stringify(value)]
    for (const part of own) {
      if (typeof part === 'string') text += part
      else {
        parts.push(text, part)
        text = ''
      }
    }
  }
  return new Json(...parts, `${text}}`)
}

/** An answer, or its members, with its block. */
export interface Answer {
  at: BlockMark
  answer: Record<string, unknown> | Json
}

/** Answers with the cached answer of the market's block, else with the result of `make`. */
export function answerOfBlock(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<Answer>,
): Promise<FastifyReply> {
  return sendBlockAnswer(request, reply, async () => {
    const { at, answer } = await make()
    return { at, pieces: (answer instanceof Json ? answer : jsonOf(answer)).pieces() }
  })
}

/** The optional blocks that a request includes. */
export function blocksOf(include: string | undefined): Set<string> {
  return new Set((include ?? '').split(',').map((name) => name.trim()))
}

/** @throws HttpError 400 */
export function idOf(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, `${what} id must be a number`)
  return Number(text)
}
