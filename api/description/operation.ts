// Description of an operation in addition to its route's schemas: id, text, the request of its example, and its errors.
// Examples are real answers, stored in examples.json.

import type { TAGS } from './tags.ts'

export type Tag = (typeof TAGS)[number][0]

/** Form of an error's body. `message`: JSON with `statusCode`, `error`, `message`. `error`: JSON with `error` only. */
export type FailureForm = 'message' | 'error' | 'plain'

export interface Failure {
  status: number
  /** Condition. */
  when: string
  /** Default: `message`. */
  form?: FailureForm
  /** Address that gives this error; its answer is the example. For a POST, the body of the request. */
  ask?: string
  /** Body of the example, if no single request causes the error. */
  body?: unknown
}

export interface Operation {
  /** Unique. Must not change: generated clients name functions after it. */
  id: string
  /** Markdown text on what the schemas do not contain: units, order, limits, when to use it. */
  about?: string
  /** Address of the example, with placeholders of `samples.ts`. */
  ask: string
  /** Body of the example of a POST. */
  send?: unknown
  failures?: readonly Failure[]
  /** Group and summary of an operation whose route has no schema. */
  tag?: Tag
  summary?: string
  /** Media type of the answer if it is not JSON. */
  type?: string
  /** Schema of the answer if the route has none. */
  answers?: object
  /** Types of parameters that the route's schema accepts as text, so that a wrong value gets the documented error. */
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

/** Failure answered as JSON with `error` only. */
export const errorOnly = (status: number, when: string, ask?: string): Failure => ({ status, when, ask, form: 'error' })

/** Failure answered as plain text. */
export const plainText = (status: number, when: string, ask?: string): Failure => ({ status, when, ask, form: 'plain' })
