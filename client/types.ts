// Types of requests and answers by path, derived from the generated description.
import type { paths } from './generated/openapi.js'

/** Paths whose answer is a stream, which has no end. */
export type StreamPath = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'text/event-stream': string } } } } }
    ? P
    : never
}[keyof paths]

/** Paths with GET, as in the description, with parameters in braces. */
export type Path = Exclude<
  { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths],
  StreamPath
>

/** Paths with POST. */
export type PostPath = { [P in keyof paths]: paths[P] extends { post: object } ? P : never }[keyof paths]

type Operation<P extends keyof paths, Method extends 'get' | 'post'> =
  paths[P] extends Record<Method, infer Found> ? Found : never

/** An id as number or text; `bigint` for ids above 2^53. */
export type Id = string | number | bigint

/** Query parameters that are ids. Token ids and account names are always text. */
type IdNames = 'market' | 'domain' | 'id' | 'pool'

type PathParameters<T> = { [Name in keyof T]: Id }

/** `undefined` and `null` omit a parameter. */
type QueryParameters<T> = { [Name in keyof T]: (Name extends IdNames ? T[Name] | Id : T[Name]) | Omitted<T, Name> }

type Omitted<T, Name extends keyof T> = Record<never, never> extends Pick<T, Name> ? undefined | null : never

/** Parameters of a path: `path` and `query`, required where the endpoint requires them. */
export type Parameters<P extends Path | StreamPath> =
  Operation<P, 'get'> extends { parameters: infer All extends object }
    ? ParametersOf<Pick<All, keyof All & Place>>
    : never

type Place = 'path' | 'query'

/** Keeps parameters optional that are optional. */
type ParametersOf<All> = { [In in keyof All]: In extends 'path' ? PathParameters<All[In]> : QueryParameters<All[In]> }

type Json<Found> = Found extends { content: { 'application/json': infer Body } } ? Body : unknown

/** Body of the answer; `unknown` where the description has no JSON. Logos are images: link to them instead. */
export type Body<P extends Path> =
  Operation<P, 'get'> extends { responses: { 200: infer Found } } ? Json<Found> : unknown

/** Body of the answer to a POST. */
export type Posted<P extends PostPath> =
  Operation<P, 'post'> extends { responses: infer All extends object } ? Json<All[keyof All]> : unknown

/** Body that a POST sends; none where the description has none. */
export type Sent<P extends PostPath> =
  Operation<P, 'post'> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { body: Body }
    : { body?: unknown }

/** Paths of lists with cursors: the answer is an array, and its `Link` header has the next page. */
export type ListPath = {
  [P in Path]: Operation<P, 'get'> extends { parameters: { query?: { cursor?: string } } }
    ? 'cursor' extends keyof NonNullable<Operation<P, 'get'>['parameters']['query']>
      ? Body<P> extends readonly unknown[]
        ? P
        : never
      : never
    : never
}[Path]

/** One row of a list. */
export type Row<P extends ListPath> = Body<P> extends readonly (infer One)[] ? One : never

/** The argument is optional when no parameter is required. */
export type Rest<Given> = Record<never, never> extends Given ? [given?: Given] : [given: Given]
