// The errors of an operation as responses in the description: its own errors, and those common to its group.
import { titleOf } from '../http/failures.ts'
import type { Answer, Reference } from './complete.ts'
import type { Failure, FailureForm, Operation, Tag } from './operation.ts'

/** Groups without the common errors: they have no limits and do not depend on the host. */
const OF_PROCESS: readonly string[] = ['Operating'] satisfies Tag[]
/** Groups that every host serves: no unknown network. */
const OF_ALL_HOSTS: readonly string[] = ['Bridge'] satisfies Tag[]

const failureBody = (status: number, message: string) => ({ statusCode: status, error: titleOf(status), message })

const UNKNOWN_NETWORK: Failure = {
  status: 404,
  when: 'The host means no chain.',
  form: 'error',
  body: { error: 'Unknown network', hosts: ['wax.example.org', 'telos.example.org'] },
}
const TOO_MANY: Failure = {
  status: 429,
  when: 'The address has sent more requests than it may in a minute: wait for `Retry-After` seconds.',
  body: failureBody(429, 'More than 600 requests a minute.'),
}
const BUSY: Failure = {
  status: 503,
  when: 'Data is being loaded, or the server or its database is busy: wait for `Retry-After` seconds.',
  body: failureBody(503, 'The server is busy. Try again in a moment.'),
}

/** Errors that many endpoints share, described once. */
const COMMON = { UnknownNetwork: UNKNOWN_NETWORK, TooManyRequests: TOO_MANY, Busy: BUSY }

/** Shared errors as responses, by name. */
export const COMMON_RESPONSES = (): Record<string, Answer> =>
  Object.fromEntries(Object.entries(COMMON).map(([name, failure]) => [name, answerOf([failure])]))

/** Schemas of error bodies. */
export const FAILURE_SCHEMAS: Readonly<Record<string, object>> = {
  Failure: {
    type: 'object',
    description: 'An error.',
    required: ['statusCode', 'error', 'message'],
    properties: {
      statusCode: { type: 'integer', description: 'HTTP status.' },
      error: { type: 'string', description: 'Name of the status; of the Market API, what is wrong.' },
      message: { type: 'string', description: 'What to change.' },
    },
  },
  FailureText: {
    type: 'object',
    description: 'An error as a text.',
    required: ['error'],
    properties: {
      error: { type: 'string', description: 'What is wrong.' },
      hosts: {
        type: 'array',
        items: { type: 'string' },
        description: 'Of an unknown network: the hosts that are known.',
      },
    },
  },
}

const SCHEMA_OF: Record<Exclude<FailureForm, 'plain'>, object> = {
  message: { $ref: '#/components/schemas/Failure' },
  error: { $ref: '#/components/schemas/FailureText' },
}

/**
 * The errors of an operation by status.
 *
 * @param answered  example bodies of the operation's own failures, in their order
 */
export function failureResponses(
  tag: string | undefined,
  { failures = [] }: Operation,
  answered: readonly unknown[],
): Record<string, Answer | Reference> {
  const own = failures.map((failure, i) => ({ ...failure, body: failure.body ?? answered[i] }))
  const all = [...own, ...commonTo(tag ?? '')]
  const statuses = [...new Set(all.map(({ status }) => status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const found = all.filter((one) => one.status === status)
      const name = found.length === 1 && Object.entries(COMMON).find(([, one]) => one === found[0])?.[0]
      return [status, name ? { $ref: `#/components/responses/${name}` } : answerOf(found)]
    }),
  )
}

function commonTo(tag: string): Failure[] {
  if (OF_PROCESS.includes(tag)) return []
  return OF_ALL_HOSTS.includes(tag) ? [TOO_MANY, BUSY] : [UNKNOWN_NETWORK, TOO_MANY, BUSY]
}

function answerOf(failures: readonly Failure[]): Answer {
  const whens = failures.map(({ when }) => when)
  const answer: Answer = {
    description: whens.length === 1 ? String(whens[0]) : whens.map((one) => `- ${one}`).join('\n'),
  }
  answer.content = {}
  for (const { form = 'message', body, when } of failures) {
    const type = form === 'plain' ? 'text/plain' : 'application/json'
    const media = (answer.content[type] ??= { schema: schemaOf(failures, type) })
    if (body === undefined) continue
    media.examples ??= {}
    media.examples[`${Object.keys(media.examples).length + 1}`] = { summary: when, value: body }
  }
  return answer
}

function schemaOf(failures: readonly Failure[], type: string): object {
  if (type === 'text/plain') return { type: 'string' }
  const forms = [...new Set(failures.map(({ form = 'message' }) => form))].filter((form) => form !== 'plain')
  const schemas = forms.map((form) => SCHEMA_OF[form])
  return schemas.length === 1 ? (schemas[0] as object) : { anyOf: schemas }
}
