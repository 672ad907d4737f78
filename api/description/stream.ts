// The market stream. OpenAPI has no WebSockets, so the stream is described as the request that opens it, with schemas
// for its messages and text for its rules.
import { type TSchema, Type } from 'typebox'
import { CHANNELS } from '../market/stream/topic.ts'
import { STREAM_PATH } from '../market/stream/upgrade.ts'
import { failure, type Operations } from './operation.ts'

const Text = (description: string) => Type.String({ description })

const Subscription = Type.Object(
  {
    op: Text('`subscribe` or `unsubscribe`.'),
    channel: Text(`One of ${CHANNELS.join(', ')}.`),
    base: Type.Optional(Text('Token id; of `price`.')),
    quote: Type.Optional(Text('Token id; of `price`.')),
    id: Type.Optional(Type.Integer({ description: 'Of `pool` a pool id, of `orderbook` a market id.' })),
  },
  { description: 'What a client sends on the market stream.' },
)

/** @param pool  schema of a pool of the Market API @param book  of an order book @param tokens  of a list of tokens */
export function streamSchemas(pool: TSchema, book: TSchema, tokens: TSchema): Record<string, object> {
  const channel = (name: string) => Text(`\`${name}\``)
  const block = Type.Number({ description: 'Block that the state is of. After a fork it may be lower than before.' })
  const id = Type.Number({ description: 'As subscribed to.' })
  const OrNull = (schema: TSchema) => Type.Union([schema, Type.Null()], { description: 'Null once removed.' })
  return {
    StreamSubscription: Subscription,
    StreamPrice: Type.Object({
      channel: channel('price'),
      block,
      base: Text('Token id.'),
      quote: Text('Token id.'),
      mid: Type.Union([Type.String(), Type.Null()], { description: 'Quote per base; null when a token has no price.' }),
    }),
    StreamPool: Type.Object({ channel: channel('pool'), block, id, pool: OrNull(pool) }),
    StreamOrderBook: Type.Object({ channel: channel('orderbook'), block, id, orderbook: OrNull(book) }),
    StreamTokens: Type.Object({ channel: channel('tokens'), block, tokens }),
    StreamError: Type.Object(
      {
        error: Text('What is wrong.'),
        message: Text('What to change.'),
        request: Type.Optional(Type.Unknown({ description: 'The message that it is about, when it was short.' })),
      },
      { description: 'A mistake. The connection stays open.' },
    ),
  }
}

const ABOUT = `Connect a plain WebSocket to \`wss://<chain host>${STREAM_PATH}\` and send JSON text. Each subscription is answered at once with the state of the channel, then again after every block that changes it.

| Channel | Arguments | Pushed |
|---|---|---|
| \`price\` | \`base\`, \`quote\`: token ids | the pair’s \`mid\` |
| \`pool\` | \`id\`: pool id | the pool, as the Market API has it; null once removed |
| \`orderbook\` | \`id\`: market id | the market with its best orders; null once removed |
| \`tokens\` | none | all tokens, then those whose price moved |

\`\`\`js
const socket = new WebSocket('wss://wax.example.org${STREAM_PATH}')
socket.onopen = () => socket.send('{"op":"subscribe","channel":"pool","id":2}')
socket.onmessage = ({ data }) => console.log(JSON.parse(data))
\`\`\`

Up to 100 subscriptions a connection, and 4,096 bytes a message. The server pings every 30 seconds. A reader that is slow gets the newest state, never a queue of old ones. Mistakes come as \`{error, message, request}\`: \`Invalid JSON\`, \`Invalid message\`, \`Binary message\`, \`Unknown op\`, \`Unknown channel\`, \`Missing base\`, \`Missing quote\`, \`Invalid pool id\`, \`Invalid market id\`, \`Unknown token\`, \`Unknown pool\`, \`Unknown market\`, \`Not subscribed\`, \`Not ready\`, \`Too many subscriptions\`. When the server ends it closes with code 1001: connect again.

The messages are the schemas \`StreamSubscription\`, \`StreamPrice\`, \`StreamPool\`, \`StreamOrderBook\`, \`StreamTokens\` and \`StreamError\`.`

export const STREAM: Operations = {
  [`GET ${STREAM_PATH}`]: {
    id: 'openMarketStream',
    tag: 'Market stream',
    summary: 'Prices, pools and order books, pushed block by block over a WebSocket',
    about: ABOUT,
    ask: '',
    failures: [
      failure(426, 'The request is no WebSocket.', STREAM_PATH),
      {
        status: 429,
        when: 'The address has too many connections.',
        body: {
          statusCode: 429,
          error: 'Too Many Requests',
          message: 'There are too many connections from your address.',
        },
      },
      {
        status: 503,
        when: 'The server has too many connections.',
        body: { statusCode: 503, error: 'Service Unavailable', message: 'There are too many connections.' },
      },
    ],
  },
}

/** Messages that the examples send, in order. */
export const STREAM_EXAMPLES = [
  { op: 'subscribe', channel: 'price', base: 'tlm-alien.worlds', quote: 'wax-eosio.token' },
  { op: 'subscribe', channel: 'pool', id: 2 },
  { op: 'subscribe', channel: 'orderbook', id: 0 },
  { op: 'subscribe', channel: 'tokens' },
  { op: 'subscribe', channel: 'candles' },
] as const

/** The 101 response of the stream, with example messages. */
export function streamResponse(messages: readonly { sent: object; got: unknown }[]): object {
  const refs = ['Price', 'Pool', 'OrderBook', 'Tokens', 'Error'].map((name) => ({
    $ref: `#/components/schemas/Stream${name}`,
  }))
  const examples = messages.map(({ sent, got }) => [
    `${(sent as { channel: string }).channel}`,
    { summary: `Answer to ${JSON.stringify(sent)}`, value: got },
  ])
  return {
    description: 'The WebSocket is open. Its messages:',
    content: { 'application/json': { schema: { oneOf: refs }, examples: Object.fromEntries(examples) } },
  }
}
