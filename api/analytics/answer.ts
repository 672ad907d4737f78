// What the endpoints of the analytics share: what is JSON already is put in as it is.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../http/failures.ts'
import type { BlockMark } from '../market/model.ts'
import { sendBlockAnswer } from './block-answers.ts'

/** Shorter parts are joined; longer ones are sent as they are, without being copied. */
const SHORT = 16 * 1024
const COMMA = Buffer.from(',')

/** A value that is JSON already, as text or as bytes. */
export class Json {
  readonly parts: readonly (string | Buffer)[]

  constructor(...parts: (string | Buffer)[]) {
    this.parts = parts
  }

  static of(value: unknown): Json {
    return new Json(JSON.stringify(value))
  }

  /** The JSON array of items that are JSON already. */
  static list(items: readonly Buffer[]): Json {
    return new Json('[', ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), ']')
  }

  bytes(): Buffer {
    return Buffer.concat(this.buffers())
  }

  /** The same in pieces: long parts themselves, and what is short between them. */
  pieces(): readonly Buffer[] {
    const pieces: Buffer[] = []
    let short: Buffer[] = []
    const join = () => {
      if (short.length > 0) pieces.push(Buffer.concat(short))
      short = []
    }
    for (const buffer of this.buffers()) {
      if (buffer.length < SHORT) {
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

/** The JSON of an object some of whose members are JSON already: `Json`, or bytes. */
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

/** An answer, or its members, and the block that it is of. */
export interface Answer {
  at: BlockMark
  answer: Record<string, unknown> | Json
}

/** Answers with what is kept of the market's block, else with what `make` returns. */
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

/** Which blocks a request asks for beside the usual ones. */
export function blocksOf(include: string | undefined): Set<string> {
  return new Set((include ?? '').split(',').map((name) => name.trim()))
}

/** @throws HttpError 400 */
export function idOf(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, `${what} id must be a number`)
  return Number(text)
}
