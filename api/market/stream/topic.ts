// Parses the messages of the stream's clients. An invalid message is a mistake with a text for the client. Pure.
import { MarketRequestError } from '../find.ts'

/** The topic of a subscription. */
export type Topic =
  | { channel: 'price'; base: string; quote: string }
  | { channel: 'pool'; id: number }
  | { channel: 'orderbook'; id: number }
  | { channel: 'tokens' }

export type ChannelName = Topic['channel']
export const CHANNELS: readonly ChannelName[] = ['price', 'pool', 'orderbook', 'tokens']

export interface StreamRequest {
  op: 'subscribe' | 'unsubscribe'
  topic: Topic
}

type Members = Record<string, unknown>

/** Parses a message. @throws MarketRequestError if it is not a JSON object */
export function parseMessage(text: string): Members {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MarketRequestError(
      400,
      'Invalid JSON',
      'A message is one JSON object: {"op":"subscribe","channel":"tokens"}.',
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw new MarketRequestError(
    400,
    'Invalid message',
    'A message is a JSON object: {"op":"subscribe","channel":"tokens"}.',
  )
}

/** @throws MarketRequestError for an unknown operation or channel, or invalid arguments */
export function requestOf(message: Members): StreamRequest {
  const { op } = message
  if (op !== 'subscribe' && op !== 'unsubscribe')
    throw new MarketRequestError(400, 'Unknown op', '`op` is subscribe or unsubscribe.')
  return { op, topic: topicOf(message) }
}

/** Unique text of a topic. */
export function topicKey(topic: Topic): string {
  if (topic.channel === 'tokens') return 'tokens'
  return topic.channel === 'price' ? `price ${topic.base} ${topic.quote}` : `${topic.channel} ${topic.id}`
}

function topicOf({ channel, base, quote, id }: Members): Topic {
  if (channel === 'price') return { channel, base: token('base', base), quote: token('quote', quote) }
  if (channel === 'pool' || channel === 'orderbook') return { channel, id: number(channel, id) }
  if (channel === 'tokens') return { channel }
  throw new MarketRequestError(400, 'Unknown channel', `\`channel\` is one of ${CHANNELS.join(', ')}.`)
}

function token(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value.toLowerCase()
  throw new MarketRequestError(400, `Missing ${name}`, `\`${name}\` is a token id: symbol-contract.`)
}

/** Parses an id: a whole number, or digits as text. */
function number(channel: ChannelName, value: unknown): number {
  if (/^\d+$/.test(typeof value === 'number' || typeof value === 'string' ? String(value) : '')) return Number(value)
  const what = channel === 'pool' ? 'pool' : 'market'
  throw new MarketRequestError(400, `Invalid ${what} id`, `\`id\` is the whole number of a ${what}.`)
}
