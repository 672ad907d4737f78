// What is wrong with a request, in words for the person who sent it. A schema says in `expect` which texts its pattern
// takes, like the schemas of the configuration.
import type { FastifyServerOptions } from 'fastify'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'

/** A form of texts: its pattern, and the words for a text that has another form. */
export interface Form {
  pattern: string
  /** Follows "must be": `an account name`. */
  expect: string
}

/** For `ajv` of fastify: errors carry their schema, and schemas may have `expect`. */
export const EXPLAINED: NonNullable<FastifyServerOptions['ajv']> = {
  customOptions: { verbose: true, keywords: ['expect'] },
}

type Problem = FastifySchemaValidationError & { parentSchema?: { expect?: string } }

const TYPES: Record<string, string> = { integer: 'a whole number', number: 'a number', boolean: 'true or false' }

/**
 * The first problem of a request, for fastify's `schemaErrorFormatter`: `limit must be a whole number`.
 *
 * @param part  `querystring`, `params` or `body`
 */
export function schemaProblem([first]: readonly FastifySchemaValidationError[], part: string): Error {
  if (first === undefined) return new Error(`${part} is invalid`)
  if (first.keyword === 'required') return new Error(`${first.params.missingProperty} is missing`)
  const name = first.instancePath.slice(1).replaceAll('/', '.')
  return new Error(`${name || part} ${wordsOf(first)}`)
}

function wordsOf({ keyword, params, message, parentSchema }: Problem): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'type':
      return `must be ${TYPES[String(params.type)] ?? params.type}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'pattern':
      return parentSchema?.expect === undefined
        ? 'has another form than the one described'
        : `must be ${parentSchema.expect}`
    default:
      return message ?? 'is invalid'
  }
}
