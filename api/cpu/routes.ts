// CPU sponsorship: forwards requests on the sponsored chain's host to the cosigner, with the client's address.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Api } from '../http/typed.ts'
import { forward } from './forward.ts'

export interface CpuOptions {
  /** Base URL of the cosigner. */
  url: string
  /** Chain whose host serves the endpoints. */
  chain: string
}

/** Longest body, bytes. */
const MAX_BODY = 32 << 10

const Status = Type.Object({
  available: Type.Boolean({ description: 'Whether a cosigner can sign.' }),
  signing: Type.Boolean({ description: 'Whether to ask for signatures now: not while throttled.' }),
  throttled: Type.Boolean({ description: 'Whether the payer has used more than 70 % of its CPU.' }),
  cpu: Type.Union([
    Type.Object({
      used: Type.Number({ description: 'Microseconds.' }),
      max: Type.String({ description: 'Microseconds.' }),
      percent: Type.Number(),
    }),
    Type.Null(),
  ]),
  lastCheck: Type.Union([Type.Number(), Type.Null()], {
    description: 'Unix milliseconds; null before the first check.',
  }),
  unbounded: Type.Optional(
    Type.Object(
      {
        transactions: Type.Number({ description: 'How many have not expired.' }),
        cpuMs: Type.Number({ description: 'Milliseconds: the limit of the chain for each of them.' }),
      },
      {
        description:
          'The most CPU that transactions signed without max_cpu_usage_ms can cost; absent while there are none.',
      },
    ),
  ),
})

const CosignBody = Type.Object({
  serializedTransaction: Type.String({ description: 'Packed transaction without signatures, hex digits.' }),
  signatures: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 4,
      description:
        'Of the user: with them an account whose limit others have used up draws on its reserve, and failures count against the account, not the address.',
    }),
  ),
})
const Signature = Type.Object({
  signature: Type.String({ description: 'SIG_K1_...' }),
  maxCpuUsageMs: Type.Optional(
    Type.Number({ description: 'max_cpu_usage_ms of the transaction, where the cosigner demands one.' }),
  ),
})
const Failure = Type.Object({ error: Type.String() })

const Permission = Type.Object({ actor: Type.String({ description: 'Account.' }), permission: Type.String() })
const ProviderBody = Type.Object({
  signer: Type.Union([Permission, Type.String({ description: '`<account>@<permission>`.' })], {
    description: 'Who signs besides the payer.',
  }),
  packedTransaction: Type.Optional(
    Type.Union([Type.String(), Type.Object({ packed_trx: Type.String() })], {
      description: 'Packed transaction, hex digits. Exactly one of this, `transaction` and `request` is needed.',
    }),
  ),
  transaction: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Transaction in JSON, with packed data of actions.' }),
  ),
  request: Type.Optional(Type.String({ description: 'Signing request, `esr://...`.' })),
})
const Provided = Type.Object({
  code: Type.Number({ description: '200.' }),
  data: Type.Object({
    request: Type.Array(Type.Unknown(), {
      description: 'The text `transaction`, and the transaction to sign in JSON: the noop is its first action.',
    }),
    signatures: Type.Array(Type.String(), { description: 'Of the payer: SIG_K1_...' }),
  }),
})
const ProviderFailure = Type.Object({
  code: Type.Number({ description: 'HTTP status.' }),
  message: Type.String(),
  error: Type.String({ description: 'The same text.' }),
  data: Type.Object({}),
})

/** Status while the cosigner does not answer. */
const UNAVAILABLE = { available: false, signing: false, throttled: false, cpu: null, lastCheck: null }
const NO_COSIGNER = { error: 'CPU is not sponsored at present: try again in a moment' }

export function cpuRoutes(api: Api, options: CpuOptions): void {
  api.register(async (scope) => {
    // The cosigner validates bodies; here only their size is limited.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, body, done) =>
      done(null, body),
    )
    scope.setValidatorCompiler(() => () => true)
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error
      return reply.code(400).send({ error: `The body must be JSON of at most ${MAX_BODY} bytes` })
    })
    scope.addHook('preHandler', async (request, reply) => {
      reply.removeHeader('etag').removeHeader('x-block-num').removeHeader('x-block-time')
      reply.header('cache-control', 'no-store')
      if (request.chain.chain !== options.chain) return reply.callNotFound()
    })
    const config = { withoutMarket: true }
    const tags = ['CPU sponsorship']

    scope.post(
      '/api/v2/cpu/status',
      { config, schema: { tags, summary: 'Whether CPU is sponsored now', response: { 200: Status } } },
      async (request, reply) => {
        const answer = await forwardRequest('/api/v2/cpu/status', request)
        return send(reply, answer?.status === 200 ? answer : { status: 200, body: JSON.stringify(UNAVAILABLE) })
      },
    )

    const answers = { 201: Signature, 400: Failure, 503: Failure }
    scope.post(
      '/api/v2/cpu/cosign',
      { config, schema: { tags, summary: 'Signature of the payer', body: CosignBody, response: answers } },
      (request, reply) => relay('/api/v2/cpu/cosign', request, reply),
    )

    // Called by the resource-provider plugin of a wallet session.
    const provider = '/v1/resource_provider/request_transaction'
    scope.post(
      provider,
      {
        config,
        schema: {
          tags,
          summary: 'A transaction with the noop before it, and its signature',
          body: ProviderBody,
          response: { 200: Provided, 400: ProviderFailure, 503: ProviderFailure },
        },
      },
      (request, reply) => relay(provider, request, reply),
    )

    async function relay(path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const answer = (await forwardRequest(path, request)) ?? { status: 503, body: JSON.stringify(NO_COSIGNER) }
      if (answer.status === 503) reply.header('retry-after', '5')
      return send(reply, answer)
    }
  })

  function forwardRequest(path: string, { ip, headers, body }: FastifyRequest) {
    const encoding = headers['content-encoding']
    return forward(options.url, path, Buffer.isBuffer(body) ? body : Buffer.alloc(0), {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    })
  }
}

function send(reply: FastifyReply, { status, body }: { status: number; body: string }): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(Buffer.from(body))
}
