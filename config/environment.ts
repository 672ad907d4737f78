// Names of environment variables, derived from the schema. A chain's setting is `HEADWATER_<CHAIN>_<PATH>`:
// source.startBlock of wax is HEADWATER_WAX_SOURCE_START_BLOCK; a hyphen becomes an underscore. Program settings have
// their own names.
import type { TSchema } from 'typebox'
import { ProgramSchema } from './program-schema.ts'
import { ChainSchema } from './schema.ts'

/** A setting that an environment variable can set. */
export interface Setting {
  /** Members from the root: ['source', 'urls']. */
  path: string[]
  env: string
  /** A second name of the variable. */
  alias?: string
  schema: SchemaNode
}

/** The JSON schema members that are used here. */
export interface SchemaNode {
  type?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  anyOf?: SchemaNode[]
  enum?: string[]
  const?: unknown
  default?: unknown
  description?: string
  expect?: string
  env?: string
  /** Whether an empty variable means "no value" instead of "not set". */
  emptyIsNone?: boolean
  /** Whether `headwater config` masks the value. */
  isSecret?: boolean
  required?: string[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** Variables of tests and benchmarks, not configuration of the program. */
const FOREIGN = /^HEADWATER_(TEST|BENCH|SEED|RECORDINGS)/

export function programSettings(): Setting[] {
  return leaves(ProgramSchema).map(({ path, schema }) => {
    const env = schema.env as string
    // Names shared with other programs, such as PORT, are also accepted with our prefix.
    return env.startsWith('HEADWATER_') ? { path, schema, env } : { path, schema, env, alias: `HEADWATER_${env}` }
  })
}

/**
 * @param chain   name of the chain, as in its file
 * @param schema  schema of the chain's kind
 */
export function chainSettings(chain: string, schema: TSchema = ChainSchema): Setting[] {
  return leaves(schema)
    .filter(({ path }) => path[0] !== 'chain' && path[0] !== 'kind')
    .map(({ path, schema }) => ({ path, schema, env: chainVariable(chain, path) }))
}

export function chainVariable(chain: string, path: readonly string[]): string {
  const words = path.map((member) => member.replaceAll(/([A-Z])/g, '_$1'))
  return ['HEADWATER', chain.replaceAll('-', '_'), ...words].join('_').toUpperCase()
}

/** Variables with our prefix that name no setting. */
export function unknownVariables(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.keys(env).filter((name) => name.startsWith('HEADWATER_') && !FOREIGN.test(name) && !known.has(name))
}

/**
 * Parses a variable's text: numbers and booleans as such, lists separated by commas, objects as JSON. A text that does
 * not parse is returned unchanged, so that validation reports what was expected.
 */
export function parseVariable(text: string, schema: SchemaNode): unknown {
  if (schema.anyOf !== undefined) return text === '*' ? text : parseVariable(text, schema.anyOf.at(-1) as SchemaNode)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return { true: true, false: false, 1: true, 0: false }[text] ?? text
    case 'array':
      return schema.items?.type === 'object' ? parseJson(text) : splitList(text)
    case 'object':
      return parseJson(text)
    default:
      return text
  }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function leaves(schema: SchemaNode, path: string[] = []): { path: string[]; schema: SchemaNode }[] {
  if (schema.properties === undefined) return [{ path, schema }]
  return Object.entries(schema.properties).flatMap(([member, inner]) => leaves(inner, [...path, member]))
}
