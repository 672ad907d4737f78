// The widget in a frame: in an element of the page, or over the whole page. Styles are set one by one on elements,
// which content security policies against inline styles allow.
import { onMessage, runCallback } from './channel.ts'
import { type Options, placeOf } from './options.ts'
import { type Line, lend } from './wallets.ts'

const TITLE = 'Bridge: move tokens between chains'
/** Heights in pixels. */
const HEIGHT = { least: 120, start: 560, most: 6000 }
/** Timeout for a widget to answer that it stays open, milliseconds. */
const CLOSE_TIMEOUT_MS = 500

type Style = Partial<Record<keyof CSSStyleDeclaration, string>>

function element<K extends keyof HTMLElementTagNameMap>(name: K, style: Style): HTMLElementTagNameMap[K] {
  return styled(document.createElement(name), style)
}

function styled<E extends HTMLElement>(node: E, style: Style): E {
  for (const key of Object.keys(style)) (node.style as unknown as Record<string, string>)[key] = (style as never)[key]
  return node
}

function frameOf(address: string, theme: Options['theme']): HTMLIFrameElement {
  const frame = element('iframe', {
    border: '0',
    display: 'block',
    width: '100%',
    height: `${HEIGHT.start}px`,
    colorScheme: theme || 'normal',
  })
  frame.title = TITLE
  frame.allow = 'clipboard-write'
  frame.src = address
  return frame
}

function heightOf(data: unknown): number {
  const height = Number((data as { height?: unknown } | null)?.height)
  return height > 0 ? Math.min(Math.max(Math.ceil(height), HEIGHT.least), HEIGHT.most) : HEIGHT.start
}

const mounted = new WeakMap<Element, () => void>()

/** Puts the widget into an element; replaces one that is there. @throws TypeError */
export function mount(parent: Element, options: Options, own: string | null): { destroy(): void } {
  if (parent?.nodeType !== 1) throw new TypeError('SvcBridge: mount needs an element of the page')
  const { origin, address } = placeOf(options, own, 'inline')
  const before = mounted.get(parent)
  if (before) before()
  const frame = frameOf(address, options.theme)
  let line: Line | null = null
  const stop = onMessage(
    () => frame.contentWindow,
    origin,
    options,
    (type, data) => {
      if (type === 'resize') frame.style.height = `${heightOf(data)}px`
      if (type !== 'ready') return
      line?.close()
      line = lend(frame.contentWindow as Window, origin, () => {})
    },
  )
  const destroy = () => {
    stop()
    line?.close()
    line = null
    frame.remove()
    if (mounted.get(parent) === destroy) mounted.delete(parent)
  }
  mounted.set(parent, destroy)
  parent.appendChild(frame)
  return { destroy }
}

/** The open modals, the topmost last. */
const open: HTMLElement[] = []

/** The page's overflow style before the first modal was opened. */
let scroll = ''

/** Shows a modal above all others and keeps the page below from scrolling. */
function show(overlay: HTMLElement): void {
  if (open.length === 0) scroll = document.documentElement.style.overflow
  document.documentElement.style.overflow = 'hidden'
  open.push(overlay)
  // The page may have no body yet.
  ;(document.body || document.documentElement).appendChild(overlay)
}

/** A dark layer over the page, centred around its content. */
function overlayOf(): HTMLElement {
  const overlay = element('div', {
    position: 'fixed',
    top: '0',
    right: '0',
    bottom: '0',
    left: '0',
    zIndex: '2147483000',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: '12px',
    boxSizing: 'border-box',
    background: 'rgba(9, 13, 20, 0.6)',
  })
  overlay.setAttribute('role', 'dialog')
  overlay.setAttribute('aria-modal', 'true')
  overlay.setAttribute('aria-label', TITLE)
  return overlay
}

function panelOf(theme: Options['theme']): HTMLElement {
  return element('div', {
    position: 'relative',
    width: '100%',
    maxWidth: '480px',
    maxHeight: '100%',
    display: 'flex',
    flexDirection: 'column',
    borderRadius: '16px',
    overflow: 'hidden',
    boxShadow: '0 24px 64px rgba(0, 0, 0, 0.35)',
    background: theme === 'dark' ? '#151a21' : theme === 'light' ? '#fff' : 'Canvas',
    colorScheme: theme || 'light dark',
  })
}

/** A close button until the widget shows its own. */
function closeButton(): HTMLButtonElement {
  const button = element('button', {
    position: 'absolute',
    top: '12px',
    right: '12px',
    width: '36px',
    height: '36px',
    font: '20px/1 sans-serif',
    cursor: 'pointer',
  })
  button.type = 'button'
  button.textContent = '\u00d7'
  button.setAttribute('aria-label', 'Close')
  return button
}

/**
 * Two invisible elements around the frame that wrap the keyboard focus around.
 *
 * @param focus  called with the end of the frame that gets the focus
 */
function focusEdges(focus: (at: 'start' | 'end') => void): [HTMLElement, HTMLElement] {
  const edgeTo = (at: 'start' | 'end') => {
    // In the margin: over the frame it would count as covering it.
    const edge = element('div', { position: 'absolute', top: '0', left: '0', width: '1px', height: '1px' })
    edge.tabIndex = 0
    edge.onfocus = () => focus(at)
    return edge
  }
  return [edgeTo('end'), edgeTo('start')]
}

/** Shows the widget over the page. @throws TypeError */
export function modal(options: Options, own: string | null): { close(): void } {
  const { origin, address } = placeOf(options, own)
  const focused = document.activeElement as HTMLElement | null
  const overlay = overlayOf()
  const panel = panelOf(options.theme)
  const frame = styled(frameOf(address, options.theme), { flexShrink: '1', minHeight: '0' })
  const button = closeButton()
  let line: Line | null = null
  let timer = 0

  const [first, last] = focusEdges((at) => {
    frame.focus()
    line?.send({ type: 'focus', at })
  })

  const stop = onMessage(
    () => frame.contentWindow,
    origin,
    options,
    (type, data) => {
      if (type === 'resize') frame.style.height = `${heightOf(data)}px`
      else if (type === 'close') close()
      else if (type === 'ready') {
        if (document.activeElement === button) frame.focus()
        button.remove()
        line?.close()
        line = lend(frame.contentWindow as Window, origin, () => clearTimeout(timer))
      }
    },
  )

  function byPerson(): void {
    close()
    runCallback(options, 'onClose', {})
  }

  /** Lets the widget ask the user first; one that does not answer in time is closed. */
  function ask(): void {
    clearTimeout(timer)
    if (!line) {
      byPerson()
      return
    }
    timer = window.setTimeout(byPerson, CLOSE_TIMEOUT_MS)
    line.send({ type: 'close' })
  }

  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || open[open.length - 1] !== overlay) return
    event.preventDefault()
    ask()
  }
  button.onclick = byPerson
  overlay.onclick = ({ target }) => {
    if (target === overlay) ask()
  }

  function close(): void {
    const at = open.indexOf(overlay)
    if (at < 0) return
    open.splice(at, 1)
    clearTimeout(timer)
    stop()
    line?.close()
    line = null
    document.removeEventListener('keydown', pressed)
    overlay.remove()
    if (open.length === 0) document.documentElement.style.overflow = scroll
    if (focused && typeof focused.focus === 'function') focused.focus()
  }

  document.addEventListener('keydown', pressed)
  panel.append(button, frame)
  overlay.append(first, panel, last)
  show(overlay)
  frame.focus()
  return { close }
}
