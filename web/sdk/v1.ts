// The script that other sites include: defines `SvcBridge`, does nothing until it is used. Loaded twice, the first one
// stays. Runs without a document too, where only `url` is of use.
import { modal, mount } from './frame.ts'
import { type Options, placeOf } from './options.ts'
import { popup } from './popup.ts'

const place = typeof window === 'object' ? window : (global as unknown as Window)

/** Known only while the script runs for the first time. */
function ownOrigin(): string | null {
  const script = typeof document === 'object' ? (document.currentScript as HTMLScriptElement | null) : null
  if (script?.src) return new URL(script.src, document.baseURI).origin
  return null
}

declare const global: unknown

const own = ownOrigin()
const api = {
  open: (options: Options) => modal(options, own),
  popup: (options: Options) => popup(options, own),
  mount: (element: Element, options: Options) => mount(element, options, own),
  url: (options: Options) => placeOf(options, own).address,
}

if (!('SvcBridge' in place)) Object.defineProperty(place, 'SvcBridge', { value: Object.freeze(api), enumerable: true })
