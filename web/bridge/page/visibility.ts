// Whether an element is visible as drawn. A host page could cover a frame or make it transparent to get a hidden click
// (clickjacking). Uses the visibility tracking of browsers that support it.

interface SeenEntry extends IntersectionObserverEntry {
  isVisible?: boolean
}

/** Minimum milliseconds between two reports of the browser. */
const DELAY_MS = 100

/**
 * Calls back once at the start and after each change.
 *
 * @param callback  gets null when the browser cannot track visibility
 * @returns unsubscribes
 */
export function watchVisibility(node: Element, callback: (seen: boolean | null) => void): () => void {
  const options = { threshold: [0.9], trackVisibility: true, delay: DELAY_MS }
  const observer = new IntersectionObserver((entries) => {
    const { isVisible, isIntersecting } = entries.at(-1) as SeenEntry
    callback(isVisible === undefined ? null : isVisible && isIntersecting)
  }, options)
  observer.observe(node)
  return () => observer.disconnect()
}
