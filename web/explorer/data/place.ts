// The current address, the chains, and navigation without loading the page again.
import { computed, signal } from '@preact/signals'
import { type Kind, type PageAddress, parsePath, pathOf } from '../core/addresses.ts'
import type { ExplorerConfig } from '../core/config.ts'

function readConfig(): ExplorerConfig {
  const text = document.querySelector<HTMLElement>('[data-config]')?.dataset.config
  return text ? JSON.parse(text) : { chains: [], home: null, hasBridge: false, places: [], logos: {}, version: '' }
}

export const config = readConfig()

const href = signal(location.href)

/** The page of the address; null when there is none. */
export const address = computed<PageAddress | null>(() => parsePath(new URL(href.value).pathname, config.chains))

/** Parameters of the address, which hold the state of the view. */
export const query = computed(() => new URL(href.value).searchParams)

/** The chain of the page; null when neither the path nor the host names one. */
export const chain = computed(() => address.value?.chain ?? config.home)

/** What addresses of a chain begin with: nothing for the chain of the host. */
export function prefixOf(name: string | null): string {
  return name === null || name === config.home ? '' : `/${name}`
}

/** Path of a page of the current chain, or of another. */
export function to(kind: Kind, id: string | number = '', of: string | null = chain.value): string {
  return pathOf(prefixOf(of), kind, id)
}

/** Whether this document draws the explorer's pages. The bridge's page has only their top bar and footer. */
let isExplorer = false

export function navigate(path: string): void {
  if (!isExplorer) {
    location.assign(path)
    return
  }
  // Back leads to the same place of this page.
  history.replaceState({ ...history.state, scrolled: scrollY }, '')
  history.pushState(null, '', path)
  href.value = location.href
  endScrolling()
  scrollTo(0, 0)
  requestAnimationFrame(focusHeading)
}

/** Time in which the data of a page come, milliseconds. */
const SCROLL_MS = 5000
let endScrolling = (): void => {}

/** Scrolls to where the page was left, as soon as it is long enough again, unless the visitor acts before. */
function scrollBack(y: number): void {
  endScrolling()
  const acts = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < y + innerHeight) return
    scrollTo(0, y)
    end()
  })
  const timer = setTimeout(() => end(), SCROLL_MS)
  const end = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const act of acts) removeEventListener(act, end)
  }
  endScrolling = end
  for (const act of acts) addEventListener(act, end)
  observer.observe(document.body)
}

/** Focuses the heading of the new page, for keyboards and screen readers, as soon as its data have come. */
function focusHeading(): void {
  const focus = () => {
    const heading = document.querySelector('h1')
    heading?.focus({ preventScroll: true })
    return heading !== null
  }
  if (focus()) return
  const observer = new MutationObserver(() => {
    // The visitor may have moved on.
    if (document.activeElement !== document.body || focus()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

/** Changes parameters of the address without a history entry. Null removes one. */
export function setQuery(changes: Record<string, string | null>): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
  href.value = location.href
}

/** Follows links to pages of the explorer, and the browser's Back and Forward. */
export function followLinks(): void {
  isExplorer = true
  addEventListener('popstate', ({ state }) => {
    href.value = location.href
    endScrolling()
    if (typeof state?.scrolled === 'number') scrollBack(state.scrolled)
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    if (link === null || link === undefined || link.target !== '' || link.origin !== location.origin) return
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    if (parsePath(link.pathname, config.chains) === null) return
    event.preventDefault()
    navigate(`${link.pathname}${link.search}`)
  })
}
