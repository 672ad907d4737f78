// Lenient query strings where the documents specify no error: the last of repeated parameters counts, empty parameters
// and invalid booleans are ignored. An invalid number is an error.
import type { RouteOptions } from 'fastify'
import { HttpError } from './failures.ts'

/** Of several parameters with one name, the last counts. */
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

/** Adds a hook that prepares the query for the schema's validation. Called for each route. */
export function lenientQuery(route: RouteOptions): void {
  const properties = propertiesOf(route.schema?.querystring)
  refuseInvalidNumbers(route)
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

/** Refuses with 400 what the validator would accept: infinities such as 1e400, and blanks, which it reads as 0. */
function refuseInvalidNumbers(route: RouteOptions): void {
  const numbers = (schema: unknown) =>
    propertiesOf(schema).filter(([, { type }]) => type === 'integer' || type === 'number')
  const inQuery = numbers(route.schema?.querystring).map(([name]) => name)
  const inPath = numbers(route.schema?.params).map(([name]) => name)
  if (inQuery.length + inPath.length === 0) return
  const faultsOf = (values: unknown, names: readonly string[]) =>
    names.flatMap((name) => faultOf((values as Record<string, string | undefined>)[name], name) ?? [])
  const refuse: NonNullable<RouteOptions['preValidation']> = (request, _reply, done) => {
    const [fault] = [...faultsOf(request.query, inQuery), ...faultsOf(request.params, inPath)]
    done(fault === undefined ? undefined : new HttpError(400, fault))
  }
  route.preValidation = [refuse, ...[route.preValidation ?? []].flat()]
}

function faultOf(text: string | undefined, name: string): string | null {
  if (text === undefined) return null
  if (text.trim() === '') return `${name} must be a number`
  return Math.abs(Number(text)) === Number.POSITIVE_INFINITY ? `${name} is too large` : null
}

function propertiesOf(schema: unknown): [string, Node][] {
  return Object.entries((schema as Node | undefined)?.properties ?? {})
}
