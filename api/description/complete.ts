// Completes the description that is generated from the routes' schemas: adds ids, texts, parameter types, errors,
// examples and the stream, and sorts the groups. Pure.
import { STREAM_PATH } from '../market/stream/upgrade.ts'
import type { Examples, OperationExample } from './examples.ts'
import { COMMON_RESPONSES, failureResponses } from './failures.ts'
import { ABOUT } from './intro.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { streamResponse } from './stream.ts'
import { TAGS } from './tags.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: object
  example?: unknown
}

interface Media {
  schema?: object
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Answer {
  description: string
  headers?: object
  content?: Record<string, Media>
}

export interface Reference {
  $ref: string
}

export interface Described {
  operationId?: string
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, Answer | Reference>
}

export interface Description {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components?: { schemas?: Record<string, object>; responses?: Record<string, Answer> }
  [other: string]: unknown
}

/** @param schemas  schemas by name that no route contains */
export function completeDescription(
  made: Description,
  examples: Examples,
  schemas: Readonly<Record<string, object>>,
): Description {
  const paths: Description['paths'] = {}
  const all = { ...made.paths, [STREAM_PATH]: { get: {} } }
  for (const [path, methods] of Object.entries(all)) {
    paths[path] = {}
    for (const [method, described] of Object.entries(methods)) {
      const operation = OPERATIONS[`${method.toUpperCase()} ${path}`]
      paths[path][method] =
        operation === undefined ? described : complete(path, described, operation, examples[operation.id])
    }
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags = [] }) => tags))
  return {
    ...made,
    info: { ...made.info, description: ABOUT },
    tags: TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description })),
    paths: inOrder(paths),
    components: { schemas: { ...made.components?.schemas, ...schemas }, responses: COMMON_RESPONSES() },
  }
}

function complete(path: string, described: Described, operation: Operation, example?: OperationExample): Described {
  const { id, about, tag, summary = described.summary } = operation
  const tags = tag === undefined ? (described.tags ?? []) : [tag]
  const parameters = (described.parameters ?? []).map((one) => completeParameter(one, path, operation, example))
  return {
    ...described,
    operationId: id,
    tags,
    summary,
    ...(about === undefined ? {} : { description: about }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.send === undefined ? {} : { requestBody: bodyWith(described, example?.sent) }),
    responses: {
      ...answersOf(described, operation, example),
      ...failureResponses(tags[0], operation, example?.failures ?? []),
    },
  }
}

function completeParameter(
  parameter: Parameter,
  path: string,
  { takes = {} }: Operation,
  example?: OperationExample,
): Parameter {
  const { description: text, expect, ...schema } = (parameter.schema ?? {}) as { description?: string; expect?: string }
  const about = parameter.description ?? text
  const description = expect === undefined ? about : `${about} It is ${expect}.`
  const taken = takes[parameter.name]
  const value = example === undefined ? undefined : valueIn(parameter, path, example.ask)
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    schema: taken ?? schema,
    ...(value === undefined ? {} : { example: typed(value, taken ?? schema) }),
  }
}

/** Value of a parameter in an address. */
function valueIn({ name, in: place }: Parameter, template: string, ask: string): string | undefined {
  const [path = '', query] = ask.split('?')
  if (place === 'query') return new URLSearchParams(query).get(name) ?? undefined
  const at = template.split('/').indexOf(`{${name}}`)
  const value = path.split('/')[at]
  return value === undefined ? undefined : decodeURIComponent(value)
}

function typed(value: string, schema: { type?: unknown }): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number(value)
  return schema.type === 'boolean' ? value === 'true' : value
}

function bodyWith({ requestBody }: Described, sent: unknown): Described['requestBody'] {
  const content = Object.entries(requestBody?.content ?? {}).map(([type, media]) => [
    type,
    { ...media, ...(sent === undefined ? {} : { example: sent }) },
  ])
  return { ...requestBody, content: Object.fromEntries(content) }
}

/** Responses with a status below 400. */
function answersOf(
  { responses = {} }: Described,
  { id, answers, type = 'application/json', summary }: Operation,
  example?: OperationExample,
): Record<string, Answer> {
  if (id === 'openMarketStream') return { 101: streamResponse(example?.messages ?? []) as Answer }
  const found: Record<string, Answer> = {}
  for (const [status, answer] of Object.entries(responses)) {
    if (Number(status) >= 400 || '$ref' in answer) continue
    const schema = answer.content?.['application/json']?.schema ?? answers
    const media: Media = {
      ...(schema === undefined ? {} : { schema }),
      ...(example?.body === undefined ? {} : { example: example.body }),
    }
    const description = answer.description === 'Default Response' ? (summary ?? 'The answer.') : answer.description
    found[status] = {
      ...answer,
      description,
      content: { [type]: media },
    }
  }
  return found
}

/** Sorts paths by group, for viewers that ignore the order of tags. */
function inOrder(paths: Description['paths']): Description['paths'] {
  const names: string[] = TAGS.map(([name]) => name)
  const place = (path: string) => names.indexOf(Object.values(paths[path] ?? {})[0]?.tags?.[0] ?? '')
  return Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => place(a) - place(b)))
}
