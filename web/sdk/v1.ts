// The script that other sites include: defines `SvcBridge`, and does nothing until it is used. When loaded twice, the
// first one stays. Also runs without a document, where only `url` is useful.
import { modal, mount } from './frame.ts'
import { type Options, placeOf } from './options.ts'
import { popup } from './popup.ts'

const place = typeof window === 'object' ? window : (global as unknown as Window)

/** Known only while the script runs for the first time. */
function ownOrigin(): string | null {
  if (typeof document !== 'object') return null
  // Not by `document.currentScript`: an element of the page with that name would shadow it.
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')
  const script: unknown = own?.get?.call(document)
  return script instanceof HTMLScriptElement && script.src ? new URL(script.src).origin : null
}

declare const global: unknown

const own = ownOrigin()
const api = {
  open: (options: Options) => modal(options, own),
  popup: (options: Options) => popup(options, own),
  mount: (element: Element, options: Options) => mount(element, options, own),
  url: (options: Options) => placeOf(options, own).address,
}

// Own properties only: an element with this id is a property of the window too.
if (!Object.hasOwn(place, 'SvcBridge'))
  Object.defineProperty(place, 'SvcBridge', { value: Object.freeze(api), enumerable: true })
