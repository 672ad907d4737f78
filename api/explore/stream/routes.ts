// The stream of facts: server-sent events, or a WebSocket when the request asks for one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { WebSocketServer } from 'ws'
import { busy, fail, HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { takeSocket, wantsWebSocket } from '../../http/upgrades.ts'
import { ACCOUNT_NAME, TOKEN_ID, TRANSACTION_ID } from '../../kit/forms.ts'
import { Flag } from '../../kit/parameters.ts'
import { DATASETS } from '../facts.ts'
import { parseCursor } from './cursor.ts'
import type { FactStreams } from './fact-streams.ts'
import { eventStream, webSocket } from './sinks.ts'
import type { Subscription } from './subscriber.ts'

export const FACTS_PATH = '/api/v3/stream/facts'

const NAMES = DATASETS.map(({ name }) => name)
const EVENTS = 'text/event-stream'
/** Clients send nothing. */
const MAX_MESSAGE = 1024

const Query = Type.Object({
  datasets: Type.Optional(
    Type.String({
      description: `Only these, separated by commas: ${NAMES.join(', ')}. \`none\`: no facts, only forks and the progress.`,
    }),
  ),
  account: Type.Optional(Type.String({ description: 'Only facts that name this account.', ...ACCOUNT_NAME })),
  pool: Type.Optional(
    Type.String({ description: 'Only facts of this pool.', pattern: '^[0-9]{1,19}$', expect: 'the number of a pool' }),
  ),
  token: Type.Optional(
    Type.String({
      description:
        'Only facts of this token: transfers, and others whose row has a `token_id`. Swaps and deals have none.',
      ...TOKEN_ID,
    }),
  ),
  transaction: Type.Optional(Type.String({ description: 'Only facts of this transaction.', ...TRANSACTION_ID })),
  final: Flag('Only facts of irreversible blocks: none of them is ever undone.'),
  progress: Flag(
    'Also `progress` whenever the head or the last irreversible block has advanced, without wanted facts too.',
  ),
  others: Flag('Also `other` after each block of a chain of the bridge that has no stream, such as an EVM chain.'),
  cursor: Type.Optional(
    Type.String({
      description: 'Cursor of the last message. Without it, and without `Last-Event-ID`, from the newest block on.',
    }),
  ),
})

export function factStreamRoute(api: Api, streams: FactStreams): void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
  })
  const schema = { tags: ['Explorer'], summary: 'Facts as they come, from any block on', querystring: Query }
  const config = { webSocket: true, withoutMarket: true }
  api.get(FACTS_PATH, { schema, config }, (request, reply) => {
    const { datasets, account = null, pool = null, token = null, transaction, cursor } = request.query
    const { final = false, progress: everyBlock = false, others = false } = request.query
    const filter = {
      datasets: datasetsOf(datasets),
      account,
      pool,
      token,
      transaction: transaction?.toLowerCase() ?? null,
    }
    const wanted = { ...filter, final, everyBlock, others, from: placeOf(request, cursor) }
    if (request.method === 'HEAD') return reply.type(EVENTS).send()
    const refused = streams.refuses(request.ip)
    if (refused === 'all') return busy(reply, 'There are too many connections. Try again in a moment.')
    if (refused === 'address') return fail(reply, 429, 'There are too many connections from your address.')
    if (wantsWebSocket(request)) {
      const { socket, head } = takeSocket(request, reply)
      sockets.handleUpgrade(request.raw, socket, head, (ws) => void run(request, streams, wanted, webSocket(ws)))
    } else {
      startEvents(reply)
      void run(request, streams, wanted, eventStream(reply.raw))
    }
    return reply
  })
}

async function run(
  { chain, ip }: FastifyRequest,
  streams: FactStreams,
  wanted: Subscription,
  { sink, gone, end }: ReturnType<typeof eventStream>,
): Promise<void> {
  await streams.serve(chain, wanted, { sink, gone, address: ip })
  end()
}

function startEvents(reply: FastifyReply): void {
  reply.hijack()
  const headers = { ...reply.getHeaders(), 'content-type': EVENTS, 'cache-control': 'no-store' }
  reply.raw.writeHead(200, headers as Record<string, string>)
  reply.raw.flushHeaders()
}

/** @throws HttpError 400 for a dataset that does not exist */
function datasetsOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return NAMES
  if (text === 'none') return []
  const names = text.split(',')
  const unknown = names.find((name) => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new HttpError(400, `dataset ${unknown} is unknown: use none, or some of ${NAMES.join(', ')}`)
  return NAMES.filter((name) => names.includes(name))
}

/** Browsers send the id of the last event when they connect again: it is newer than the cursor of the address. */
function placeOf(request: FastifyRequest, cursor: string | undefined) {
  const last = request.headers['last-event-id']
  const text = typeof last === 'string' && last !== '' ? last : cursor
  if (text === undefined || text === '') return null
  const place = parseCursor(text)
  if (place === null) throw new HttpError(400, 'this is not a cursor: send the cursor of the last message, unchanged')
  return place
}
