// What a request takes and what it answers, from the path alone: read out of the generated description.
import type { paths } from './generated/openapi.ts'

type Get<P extends keyof paths> = paths[P] extends { get: infer Operation } ? Operation : never

/** A path as the description spells it, with its parameters in braces. */
export type Path = keyof paths

/** Ids in a path may be numbers or text: both are the same address. */
type Ids<T> = T extends object ? { [Name in keyof T]: string | number } : T

/** Parameters of a path: `path` and `query`, required where the endpoint requires them. */
export type Parameters<P extends Path> =
  Get<P> extends { parameters: infer All extends object } ? WithIds<Pick<All, keyof All & ('path' | 'query')>> : never

/** Keeps which of them are optional. */
type WithIds<All> = { [Place in keyof All]: Place extends 'path' ? Ids<All[Place]> : All[Place] }

/** The answer's body; `unknown` where the description gives no JSON. Logos are images: link to them instead. */
export type Body<P extends Path> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : unknown

/** Paths of lists that are paged with cursors. */
export type ListPath = {
  [P in Path]: Get<P> extends { parameters: { query?: { cursor?: string } } }
    ? 'cursor' extends keyof NonNullable<Get<P>['parameters']['query']>
      ? P
      : never
    : never
}[Path]

/** One row of a list. */
export type Row<P extends ListPath> = Body<P> extends readonly (infer One)[] ? One : never

/** Parameters may be left out altogether when none is required. */
export type Rest<Given> = Record<never, never> extends Given ? [given?: Given] : [given: Given]
