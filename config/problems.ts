// All problems of a configuration, each with path, value and expectation, so that an operator can fix them at once.
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import Value from 'typebox/value'
import type { SchemaNode } from './environment.ts'
import { suggest } from './suggest.ts'

// The library stops at 8 errors by default, which would hide mistakes.
Settings.Set({ maxErrors: 1000 })

export interface Problem {
  /** Members joined by dots: `source.urls.0`; empty for the root. */
  path: string
  /** The actual value as JSON; undefined when it is missing, or when no value is allowed. */
  value: string | undefined
  expectation: string
}

export function findProblems(schema: TSchema, value: unknown): Problem[] {
  const problems = new Map<string, Problem>()
  const add = (path: string[], expectation: string, found?: unknown) => {
    const key = path.join('.')
    if (!problems.has(key)) problems.set(key, { path: key, value: show(found), expectation })
  }
  for (const { keyword, instancePath, params } of Value.Errors(schema, value)) {
    const path = instancePath.split('/').slice(1)
    const details = params as { additionalProperties?: string[]; requiredProperties?: string[] }
    if (keyword === 'additionalProperties')
      for (const key of details.additionalProperties ?? []) add([...path, key], unknownKey(schema, path, key))
    else if (keyword === 'required')
      for (const key of details.requiredProperties ?? [])
        add([...path, key], `missing: ${expectation(schema, [...path, key])}`)
    else if (keyword !== 'boolean') add(path, expectation(schema, path), valueAt(value, path))
  }
  // A wrong union member is reported for each alternative and for the union itself; only the inner reports remain.
  return [...problems.values()].filter(
    ({ path }) => ![...problems.keys()].some((other) => other.startsWith(`${path}.`) && isUnion(schema, path)),
  )
}

function unknownKey(schema: TSchema, path: string[], key: string): string {
  const known = Object.keys(nodeAt(schema, path)?.properties ?? {})
  const meant = suggest(key, known)
  return meant === undefined
    ? `no such setting; known are ${known.join(', ')}`
    : `no such setting; did you mean ${meant}?`
}

/** Describes what a setting must be. */
export function expectation(schema: TSchema, path: string[]): string {
  const node = nodeAt(schema, path)
  if (node?.expect !== undefined) return node.expect
  if (node?.enum !== undefined) return `one of ${node.enum.join(', ')}`
  const range = rangeOf(node)
  const kinds: Record<string, string> = {
    integer: `a whole number${range}`,
    number: `a number${range}`,
    string: 'a text',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  }
  return kinds[node?.type ?? ''] ?? 'another value'
}

/** The bounds of a number in words; empty without any. */
function rangeOf({ minimum, exclusiveMinimum, maximum }: SchemaNode = {}): string {
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}${most === null ? '' : ` and up to ${most}`}`
  if (minimum === undefined) return most === null ? '' : ` up to ${most}`
  return most === null ? ` of at least ${minimum}` : ` from ${minimum} to ${most}`
}

function nodeAt(schema: TSchema, path: string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema
  for (const member of path) {
    const list: SchemaNode | undefined = node?.items ?? node?.anyOf?.find((inner) => inner.items !== undefined)?.items
    node = node?.properties?.[member] ?? list
  }
  return node
}

function isUnion(schema: TSchema, path: string): boolean {
  return nodeAt(schema, path.split('.'))?.anyOf !== undefined
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inner, member) => (inner as Record<string, unknown> | undefined)?.[member], value)
}

function show(value: unknown): string | undefined {
  const text = JSON.stringify(value)
  return text !== undefined && text.length > 80 ? `${text.slice(0, 77)}...` : text
}
