// What the description says of an operation beyond its route's schemas: its id, what it is for, the request of its example
// and its errors. Examples are real answers, kept in examples.json.

import type { TAGS } from './tags.ts'

export type Tag = (typeof TAGS)[number][0]

/** How an error is answered: JSON with `statusCode`, `error` and `message`; JSON with `error` alone; plain text. */
export type FailureForm = 'message' | 'error' | 'plain'

export interface Failure {
  status: number
  /** Condition. */
  when: string
  /** Default: `message`. */
  form?: FailureForm
  /** Address that is answered so: the example is its answer. Of an operation by POST, the body to send. */
  ask?: string
  /** Body of the example where no single request brings the error about. */
  body?: unknown
}

export interface Operation {
  /** Unique; stable, since generated clients name functions after it. */
  id: string
  /** Markdown. What a reader cannot see in the schemas: units, order, limits, when to use it. */
  about?: string
  /** Address of the example, with placeholders of `samples.ts`. */
  ask: string
  /** Body of the example of a POST. */
  send?: unknown
  failures?: readonly Failure[]
  /** Group and one line of an operation whose route has no schema. */
  tag?: Tag
  summary?: string
  /** Media type of the answer where it is no JSON. */
  type?: string
  /** Schema of the answer where the route has none. */
  answers?: object
  /** Parameters whose schema in the route is text, so that a wrong value gets the documented answer: the type they take. */
  takes?: Readonly<Record<string, ParameterSchema>>
}

export interface ParameterSchema {
  type: 'string' | 'number' | 'integer' | 'boolean'
  enum?: readonly (string | number)[]
  minimum?: number
  exclusiveMaximum?: number
  maximum?: number
  default?: string | number | boolean
}

/** Operations by method and path: `GET /api/v2/tokens`. */
export type Operations = Readonly<Record<string, Operation>>

/** Failure answered as JSON with `statusCode`, `error` and `message`. */
export const failure = (status: number, when: string, ask?: string): Failure => ({ status, when, ask })

/** Failure answered as JSON with the one member `error`. */
export const errorOnly = (status: number, when: string, ask?: string): Failure => ({ status, when, ask, form: 'error' })

/** Failure answered as plain text. */
export const plainText = (status: number, when: string, ask?: string): Failure => ({ status, when, ask, form: 'plain' })
