// The widget in its own window, where wallets are injected as in any page.
import { onMessage, runCallback } from './channel.ts'
import { type Options, placeOf } from './options.ts'

const SIZE = { width: 480, height: 780 }
/** Milliseconds between checks that it is still open. */
const INTERVAL_MS = 400

/** Must be called in a click handler. @returns null when the browser blocks the window @throws TypeError */
export function popup(options: Options, own: string | null): { close(): void } | null {
  const { origin, address } = placeOf(options, own)
  const { width, height } = SIZE
  const left = Math.max(0, Math.round(window.screenX + (window.outerWidth - width) / 2))
  const top = Math.max(0, Math.round(window.screenY + (window.outerHeight - height) / 2))
  const features = `popup=yes,width=${width},height=${height},left=${left},top=${top}`
  const widget = window.open(address, '_blank', features)
  if (!widget || widget.closed) return null
  const over = () => {
    stop()
    clearInterval(timer)
  }
  const stop = onMessage(
    () => widget,
    origin,
    options,
    (type) => {
      if (type !== 'close') return
      over()
      widget.close()
    },
  )
  const timer = setInterval(() => {
    if (!widget.closed) return
    over()
    runCallback(options, 'onClose', {})
  }, INTERVAL_MS)
  return {
    close() {
      over()
      widget.close()
    },
  }
}
