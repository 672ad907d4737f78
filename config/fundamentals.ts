// Descriptions of the projects that issue tokens: one file per chain, maintained by its operator.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Type, { type Static, type TSchema } from 'typebox'
import { findProblems } from './problems.ts'

const Link = Type.Object(
  {
    link: Type.String({ description: 'Address.', pattern: '^https?://[^\\s]+$', expect: 'an address: https://host' }),
    name: Type.Optional(Type.String({ description: 'What the address is called.' })),
  },
  { additionalProperties: false },
)

/** The members that the API's answers have. Further members are passed on unchanged. */
const FundamentalSchema = Type.Object({
  name: Type.String({ description: 'Name of the project.', minLength: 1 }),
  website: Type.Optional(Type.Union([Link, Type.Null()], { description: 'Its site: {link, name}.' })),
  description: Type.Optional(Type.String({ description: 'What it is.' })),
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Words by which it is found.' })),
  socials: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'Where it can be met: addresses, or {link, name}.' }),
  ),
})

type Fundamental = Static<typeof FundamentalSchema>

/** By `SYMBOL@contract`. */
export type Fundamentals = ReadonlyMap<string, Fundamental>

const File = Type.Record(Type.String(), FundamentalSchema)

/**
 * Reads the file of a chain.
 *
 * @param problems  receives the problems found, each with path, value and expectation
 * @returns an empty map when there is a problem
 */
export function readFundamentals(chain: string, path: string, problems: string[]): Fundamentals {
  const file = resolve(path)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`${chain}.fundamentals: ${file} cannot be read: ${(error as Error).message}`)
    return new Map()
  }
  const found = findProblems(File as TSchema, content).map(({ path: place, value, expectation }) => {
    const said = value === undefined ? expectation : `${value} is not ${expectation}`
    return `${file}: ${place}: ${said}`
  })
  for (const name of found.length > 0 ? [] : Object.keys(content as object))
    if (!/^[A-Z]{1,7}@[a-z1-5.]{1,13}$/.test(name)) found.push(`${file}: ${name}: is not SYMBOL@contract`)
  problems.push(...found)
  return found.length > 0 ? new Map() : new Map(Object.entries(content as Record<string, Fundamental>))
}
