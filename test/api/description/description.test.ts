// The API description: complete, equal to the server's behaviour, with real answers as examples.
import t from 'tap'
import Schema from 'typebox/schema'
import type { Answer, Described, Description, Reference } from '../../../api/description/complete.ts'
import { readExamples } from '../../../api/description/examples.ts'
import { OPERATIONS } from '../../../api/description/operations.ts'
import { STREAM_EXAMPLES } from '../../../api/description/stream.ts'
import { TAGS } from '../../../api/description/tags.ts'
import { STREAM_PATH } from '../../../api/market/stream/upgrade.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { id, POOLS, WAX_SCENE } from '../exchange/scene.ts'

/** A cosigner to which the test sends no requests. */
const COSIGN = { url: 'http://127.0.0.1:1', chain: 'wax' }
/** Values of the path placeholders in the scene. */
const SAMPLES: Record<string, string> = { feedPool: `wax:${id(POOLS[3]!.a)}_wax:${id(POOLS[3]!.b)}` }

/** Errors whose text the spec defines. */
const CONTRACT: [operation: string, status: number, text: string][] = [
  ['GET /api/v2/tokens/{tokenId}', 403, 'Token with this ID is not found'],
  ...['Invalid request', 'Invalid amount', 'Invalid slippage', 'Invalid input/output'].map(
    (text): [string, number, string] => ['GET /api/v2/swapRouter/getRoute', 403, text],
  ),
  ['GET /api/v2/swapRouter/getRoute', 404, 'No trading route available. Try again in a few moments.'],
  ...[
    'Invalid tradeType',
    'Unknown token',
    'Invalid amount',
    'Invalid slippage',
    'Invalid maxHops',
    'Invalid orderbook',
    'Input and output are the same token',
  ].map((text): [string, number, string] => ['GET /api/v3/swapRouter/getRoute', 400, text]),
  ['GET /api/v3/swapRouter/getRoute', 404, 'No route'],
  ['GET /api/v3/market/price', 404, 'Unknown token'],
  ['GET /api/v3/market/pools/{poolId}', 404, 'Unknown pool'],
  ['GET /api/v3/market/orderbooks/{marketId}', 404, 'Unknown market'],
  ...[
    'First action must be noop from payer',
    'is not allowed',
    'Transfer recipient',
    'Hourly IP limit exceeded',
    'Daily account limit exceeded',
  ].map((text): [string, number, string] => ['POST /api/v2/cpu/cosign', 400, text]),
  ...['signer must be', 'is for another chain', 'is not allowed'].map((text): [string, number, string] => [
    'POST /v1/resource_provider/request_transaction',
    400,
    text,
  ]),
  ['GET /api/v2/tokens/{tokenId}/logo', 404, 'Not Found'],
  ['GET /api/v2/tickers/{tickerId}', 404, 'Not Found'],
  ['GET /api/v2/amm/historical_trades', 404, 'Not Found'],
  ['GET /api/v3/analytics/global/charts', 400, '5000'],
  ['GET /api/bridge/v1/proofs/{key}', 404, 'Not Found'],
]

t.test('the description', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database, { cosign: COSIGN, feed: { minimumUsd: 0 } })
  const document = (await api.get('/openapi.json')).body as Description
  const examples = readExamples()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => [`${method.toUpperCase()} ${path}`, described] as const),
  )
  const find = (name: string) => operations.find(([one]) => one === name)?.[1] as Described
  const answerOf = (described: Described, status: number | string): Answer => {
    const found = described.responses?.[status] as Answer | Reference
    if (!('$ref' in found)) return found
    return document.components?.responses?.[found.$ref.split('/').at(-1) as string] as Answer
  }

  t.test('has every operation, by an id of its own, in a group, with texts', async (t) => {
    t.same(
      operations.map(([name]) => name).toSorted(),
      Object.keys(OPERATIONS).toSorted(),
      'what api/description knows is what the server has',
    )
    const ids = operations.map(([, { operationId }]) => operationId)
    t.equal(new Set(ids).size, ids.length)
    t.same(
      document.tags?.map(({ name }) => name),
      TAGS.map(([name]) => name),
    )
    for (const [name, { operationId, summary, tags, parameters = [], responses = {} }] of operations) {
      t.match(operationId, /^[a-z][A-Za-z0-9]+$/, name)
      t.ok((summary ?? '').length > 8, `${name} says what it is for`)
      t.equal(tags?.length, 1, name)
      for (const parameter of parameters) t.ok(parameter.description, `${name}: ${parameter.name} is described`)
      for (const status of Object.keys(responses))
        t.ok((answerOf(find(name), status).description ?? '').length > 5, `${name}: ${status} is described`)
    }
    const order = operations.map(([, { tags }]) => TAGS.findIndex(([name]) => name === tags?.[0]))
    t.same(
      order,
      order.toSorted((a, b) => a - b),
      'groups are together, in their order',
    )
  })

  t.test('has an example of every answer, which is as described', async (t) => {
    for (const [name, described] of operations) {
      // A test below checks its messages.
      if (name === `GET ${STREAM_PATH}`) continue
      const [status] = Object.keys(described.responses ?? {})
      const media = Object.entries(answerOf(described, status as string).content ?? {})[0]
      if (media?.[0] === 'image/*') continue
      t.ok(media?.[1].example !== undefined, `${name} has an example`)
      if (media?.[0] !== 'application/json' || media[1].schema === undefined) continue
      const schema = Schema.Compile(media[1].schema as never)
      t.ok(
        schema.Check(media[1].example),
        `${name}: ${JSON.stringify(schema.Errors(media[1].example)[1]).slice(0, 300)}`,
      )
      for (const [type, { schema: body, example }] of Object.entries(described.requestBody?.content ?? {})) {
        const sent = Schema.Compile(body as never)
        t.ok(sent.Check(example), `${name} has a body to send as ${type}`)
      }
      for (const { name: parameter, required, example } of described.parameters ?? [])
        if (required) t.ok(example !== undefined, `${name}: ${parameter} has a value to try`)
    }
    t.same(
      Object.keys(examples).filter((one) => !operations.some(([, { operationId }]) => operationId === one)),
      [],
      'no example of nothing',
    )
    t.same(
      JSON.stringify(examples).match(/[^"]*(127\.0\.0\.1|localhost)[^"]*/g),
      null,
      'addresses are no machine’s own',
    )
  })

  t.test('errors are answered as described', async (t) => {
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      const described = examples[operation.id]?.failures ?? []
      for (const [i, { ask, status, form = 'message', when }] of (operation.failures ?? []).entries()) {
        t.match(answerOf(find(name), status).description, when)
        if (ask === undefined || name.includes('/bridge/')) continue
        const answer = await api.get(ask.replace(/\{(\w+)\}/g, (_, one: string) => encodeURIComponent(SAMPLES[one]!)))
        t.equal(answer.status, status, ask)
        if (form === 'plain') t.equal(answer.text, described[i], ask)
        else if (form === 'error') t.same(answer.body, described[i], ask)
        else t.match(answer.body, { statusCode: status, error: (described[i] as { error: string }).error }, ask)
      }
    }
  })

  t.test('has every error of the contract with its text', async (t) => {
    for (const [name, status, text] of CONTRACT) {
      const answer = answerOf(find(name), status)
      t.match(JSON.stringify(answer.content), text, `${name} ${status} ${text}`)
    }
    for (const [name, { tags = [] }] of operations) {
      if (['Operating', 'Bridge'].includes(String(tags[0]))) continue
      t.match(JSON.stringify(answerOf(find(name), 404)), 'Unknown network', name)
    }
  })

  t.test('parameters have the types of the contract', async (t) => {
    const types = (name: string) =>
      Object.fromEntries(
        (find(name).parameters ?? []).map((one) => [one.name, (one.schema as { type?: string }).type ?? 'enum']),
      )
    t.match(types('GET /api/v3/swapRouter/getRoute'), { slippage: 'number', maxHops: 'integer', orderbook: 'boolean' })
    t.match(types('GET /api/v2/swapRouter/getRoute'), { amount: 'string', includePoolDetails: 'boolean' })
    t.match(types('GET /api/v2/swap/pools/{poolId}/swaps'), { poolId: 'integer', from: 'number', limit: 'integer' })
    t.match(types('GET /api/v3/analytics/tokens'), { page: 'integer', limit: 'integer', hide_scam: 'boolean' })
    t.same(types('GET /api/v3/market/orderbooks/{marketId}'), { marketId: 'integer' })
  })

  t.test('describes the messages of the stream', async (t) => {
    const { description, responses } = find(`GET ${STREAM_PATH}`)
    for (const word of ['subscribe', 'price', 'pool', 'orderbook', 'tokens', 'Too many subscriptions', '100'])
      t.match(description, word)
    const opened = answerOf({ responses: responses ?? {} }, 101)
    const { schema, examples = {} } = opened.content!['application/json']!
    const { oneOf } = schema as { oneOf: { $ref: string }[] }
    t.equal(Object.keys(examples).length, STREAM_EXAMPLES.length)
    const known = oneOf.map(({ $ref }) => document.components?.schemas?.[$ref.split('/').at(-1) as string])
    for (const [channel, { value }] of Object.entries(examples))
      t.ok(
        known.some((one) => Schema.Compile(one as never).Check(value)),
        `a message of ${channel} is one of those described`,
      )
  })
})
