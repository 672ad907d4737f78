// Receives the messages of one widget; ignores other windows, origins, sources and versions.
import { MESSAGE_TYPES, type Message, type MessageType, SOURCE, VERSION } from '../bridge/frame/protocol.ts'
import type { Callback, Options } from './options.ts'

/** Callback for each type of message; heights have none, because the SDK handles them. */
const CALLBACK: Partial<Record<MessageType, Callback>> = {
  ready: 'onReady',
  sent: 'onSent',
  failed: 'onFailed',
  finished: 'onFinished',
  close: 'onClose',
}

/**
 * @param widget  returns its window; null while there is none
 * @param before  the SDK's own handling of a message, before its callback
 * @returns stops listening
 */
export function onMessage(
  widget: () => Window | null,
  origin: string,
  options: Options,
  before: (type: MessageType, data: unknown) => void,
): () => void {
  let isReady = false
  const take = ({ data, origin: from, source }: MessageEvent) => {
    if (from !== origin || source === null || source !== widget()) return
    const message = data as Message | null
    if (typeof message !== 'object' || message === null) return
    if (message.source !== SOURCE || message.version !== VERSION) return
    const { type } = message
    if (MESSAGE_TYPES.indexOf(type) < 0) return
    before(type, message.data)
    // After a reload it is still the same widget for the page.
    if (type === 'ready' && isReady) return
    isReady = isReady || type === 'ready'
    const name = CALLBACK[type]
    if (name) runCallback(options, name, message.data)
  }
  window.addEventListener('message', take)
  return () => window.removeEventListener('message', take)
}

export function runCallback(options: Options, name: Callback, data: unknown): void {
  const callback = options[name]
  if (callback) callback(data)
}
