// Reads query strings leniently where the documents name no error: a repeated parameter counts once (the last), an
// empty one not at all, and a boolean that is none is as if it were not there. What is no number stays an error.
import type { RouteOptions } from 'fastify'

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
  const properties = Object.entries((route.schema?.querystring as Node | undefined)?.properties ?? {})
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
