// What the endpoints of the analytics share: what is JSON already is put in as it is.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../http/failures.ts'
import type { BlockMark } from '../market/model.ts'
import { sendBlockAnswer } from './block-answers.ts'

/** Bytes of a piece at least, but the last one. */
const PIECE = 256 * 1024

/** A value that is JSON already, as text or as bytes. */
export class Json {
  readonly parts: readonly (string | Buffer)[]

  constructor(...parts: (string | Buffer)[]) {
    this.parts = parts
  }

  static of(value: unknown): Json {
    return new Json(JSON.stringify(value))
  }

  /** @param items  each of one text */
  static list(items: readonly Json[]): Json {
    return new Json(`[${items.map(({ parts }) => parts[0]).join(',')}]`)
  }

  bytes(): Buffer {
    return Buffer.concat(this.buffers())
  }

  /** The same, cut where parts meet into pieces of a length that is quickly written. */
  pieces(): readonly Buffer[] {
    const pieces: Buffer[] = []
    let [open, length]: [Buffer[], number] = [[], 0]
    for (const buffer of this.buffers()) {
      open.push(buffer)
      length += buffer.length
      if (length < PIECE) continue
      pieces.push(Buffer.concat(open))
      ;[open, length] = [[], 0]
    }
    if (open.length > 0) pieces.push(Buffer.concat(open))
    return pieces
  }

  private buffers(): Buffer[] {
    return this.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  }
}

/** The JSON of an object some of whose members are JSON already. */
export function jsonOf(members: Record<string, unknown>): Json {
  const parts: (string | Buffer)[] = []
  let text = '{'
  for (const [name, value] of Object.entries(members)) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    const own = value instanceof Json ? value.parts : [JSON.stringify(value)]
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
