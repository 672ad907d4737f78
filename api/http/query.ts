// Reads query strings leniently where the documents name no error: a repeated parameter counts once (the last), an
// empty one not at all, and a boolean that is none is as if it were not there. What is no number stays an error.
import type { RouteOptions } from 'fastify'
import { HttpError } from './failures.ts'

/** Later parameters of one name win. */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) query[name] = value
  return query
}

interface Node {
  type?: string
  properties?: Record<string, Node>
}

const BOOLEANS: Record<string, string> = { true: 'true', 1: 'true', false: 'false', 0: 'false' }

/** Makes the query of a route what its schema can take. Called for every route that is added. */
export function lenientQuery(route: RouteOptions): void {
  const properties = propertiesOf(route.schema?.querystring)
  refuseInfinite(route)
  if (properties.length === 0) return
  const optional = properties.map(([name]) => name)
  const booleans = properties.filter(([, { type }]) => type === 'boolean').map(([name]) => name)
  const tidy: NonNullable<RouteOptions['preValidation']> = (request, _reply, done) => {
    const query = request.query as Record<string, string | undefined>
    for (const name of optional) if (query[name] === '') delete query[name]
    for (const name of booleans) {
      const value = BOOLEANS[String(query[name]).toLowerCase()]
      if (value === undefined) delete query[name]
      else query[name] = value
    }
    done()
  }
  route.preValidation = [tidy, ...[route.preValidation ?? []].flat()]
}

/** The validator takes 1e400 for a number within any bounds: such numbers are refused before it. */
function refuseInfinite(route: RouteOptions): void {
  const numbers = (schema: unknown) =>
    propertiesOf(schema).filter(([, { type }]) => type === 'integer' || type === 'number')
  const inQuery = numbers(route.schema?.querystring).map(([name]) => name)
  const inPath = numbers(route.schema?.params).map(([name]) => name)
  if (inQuery.length + inPath.length === 0) return
  const refuse: NonNullable<RouteOptions['preValidation']> = (request, _reply, done) => {
    const isInfinite = (values: unknown) => (name: string) => {
      const number = Number((values as Record<string, string | undefined>)[name] ?? 0)
      return number === Number.POSITIVE_INFINITY || number === Number.NEGATIVE_INFINITY
    }
    const name = inQuery.find(isInfinite(request.query)) ?? inPath.find(isInfinite(request.params))
    done(name === undefined ? undefined : new HttpError(400, `${name} is too large`))
  }
  route.preValidation = [refuse, ...[route.preValidation ?? []].flat()]
}

function propertiesOf(schema: unknown): [string, Node][] {
  return Object.entries((schema as Node | undefined)?.properties ?? {})
}
