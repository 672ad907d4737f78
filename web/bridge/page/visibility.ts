// Whether an element can be seen as it is drawn. A page around a frame may cover it or make it transparent to have it pressed
// unseen; browsers that can tell are asked.

interface SeenEntry extends IntersectionObserverEntry {
  isVisible?: boolean
}

/** Milliseconds for which it must have been seen. */
const DELAY = 100

/**
 * Calls back at first and whenever it changes.
 *
 * @param told  null where the browser cannot tell
 * @returns stops it
 */
export function watchVisibility(node: Element, told: (seen: boolean | null) => void): () => void {
  const options = { threshold: [0.9], trackVisibility: true, delay: DELAY }
  const observer = new IntersectionObserver((entries) => {
    const { isVisible, isIntersecting } = entries.at(-1) as SeenEntry
    told(isVisible === undefined ? null : isVisible && isIntersecting)
  }, options)
  observer.observe(node)
  return () => observer.disconnect()
}
