// The host of the widget: the page around its frame, or the page that opened its window. Outgoing messages are public
// and go to any origin. Incoming: one message from the host's window, with a port; from then on only messages of that
// port.
import { HOST_SOURCE, type MessageType, SOURCE, type ToHost, type ToWidget, VERSION } from './protocol.ts'
import { Relay } from './relay.ts'

/** How the widget is shown; `page` without a host. */
export type Embed = 'iframe' | 'popup' | 'page'

export interface Host {
  readonly embed: Embed
  send(type: MessageType, data: object): void
  /** Reports the height of `wrapper` to the host whenever it changes. */
  follow(wrapper: HTMLElement): void
  /** Sets the callback for the host's wish to close. @param ask  returns whether to close immediately */
  onClose(ask: () => boolean): void
}

/** Minimum change of height that is reported, pixels. */
const MIN_CHANGE = 2
const MAX_HEIGHT = 6000

/** @param form  a page sends no messages, whichever window opened it */
export function openHost(form: 'page' | 'widget'): Host {
  const framed = window.parent !== window
  const other: Window | null = form === 'page' ? null : framed ? window.parent : window.opener
  const embed: Embed = other === null ? 'page' : framed ? 'iframe' : 'popup'
  let port: MessagePort | null = null
  let ask = () => true
  const send = (type: MessageType, data: object) =>
    other?.postMessage({ source: SOURCE, version: VERSION, type, data }, '*')
  const say = (message: ToHost) => port?.postMessage(message)
  const relay = new Relay(say)

  function take({ data }: MessageEvent<ToWidget>): void {
    if (data?.type === 'close') {
      if (ask()) send('close', {})
      else say({ type: 'stays' })
    } else if (data?.type === 'focus') focusAt(data.at)
    else relay.take(data)
  }

  if (embed === 'iframe')
    window.addEventListener('message', ({ source, origin, data, ports }) => {
      const around = location.ancestorOrigins?.[0]
      if (source !== other || (around !== undefined && origin !== around) || port !== null) return
      if (data?.source !== HOST_SOURCE || data.version !== VERSION || data.type !== 'wallets') return
      port = ports[0] ?? null
      if (port !== null) port.onmessage = take
    })

  return {
    embed,
    send,
    onClose(asked) {
      ask = asked
    },
    follow(wrapper) {
      if (other === null) return
      let reported = 0
      let waits = false
      const measure = () => {
        waits = false
        const height = Math.min(MAX_HEIGHT, Math.ceil(wrapper.getBoundingClientRect().height))
        if (Math.abs(height - reported) < MIN_CHANGE) return
        reported = height
        send('resize', { height })
      }
      const observer = new ResizeObserver(() => {
        if (!waits) requestAnimationFrame(measure)
        waits = true
      })
      observer.observe(wrapper)
      measure()
    },
  }
}

const STOPS = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), summary, [tabindex="0"]'

function focusAt(at: 'start' | 'end'): void {
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility())
  stops.at(at === 'start' ? 0 : -1)?.focus()
}
