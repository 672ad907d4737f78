// Brings a part of a page up to date without making it anew: what has not changed stays the same node, so that the keyboard,
// what is selected, scrolled or folded out, and a screen reader stay where they are.

/**
 * Makes the children of an element like others. Those with the same `data-` attributes are the same one; others are matched
 * in their order.
 *
 * @param fresh  nodes that are part of no document
 */
export function renew(parent, ...fresh) {
  const keys = new Set(fresh.map(keyOf))
  // What has gone makes room first: then nothing that stays has to be moved.
  for (const old of [...parent.childNodes]) if (keyOf(old) !== '' && !keys.has(keyOf(old))) old.remove()
  const kept = new Map([...parent.childNodes].map((old) => [keyOf(old), old]))
  let at = parent.firstChild
  for (const one of fresh) {
    const key = keyOf(one)
    const twin = key !== '' ? kept.get(key) : at !== null && keyOf(at) === '' ? at : undefined
    if (twin?.nodeName !== one.nodeName) {
      parent.insertBefore(one, at)
      continue
    }
    if (twin === at) at = at.nextSibling
    else parent.insertBefore(twin, at)
    patch(twin, one)
  }
  while (at !== null) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
}

/** Texts are said anew by screen readers when they are set anew. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text
}

function patch(node, fresh) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data
    return
  }
  for (const { name, value } of fresh.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  // Whether something is folded out is the reader's.
  for (const { name } of [...node.attributes])
    if (name !== 'open' && !fresh.hasAttribute(name)) node.removeAttribute(name)
  renew(node, ...fresh.childNodes)
}

/** Empty for what has none. */
function keyOf(node) {
  const known = Object.entries(node.dataset ?? {})
  return known.length === 0 ? '' : JSON.stringify(known)
}
