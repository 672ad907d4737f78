// Updates a part of a page in place: unchanged nodes stay the same, so that keyboard focus, selection, scroll position,
// open details and a screen reader's place are kept.

/**
 * Makes the children of an element equal to others. Children with the same `data-` attributes are matched; the others
 * are matched in their order.
 *
 * @param fresh  nodes that are part of no document
 */
export function renew(parent, ...fresh) {
  const keys = new Set(fresh.map(keyOf))
  // Removes missing nodes first: then no remaining node has to be moved.
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

/** Sets the text only when it changes: screen readers would repeat it. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text
}

function patch(node, fresh) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data
    return
  }
  for (const { name, value } of fresh.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  // The reader decides whether details are open.
  for (const { name } of [...node.attributes])
    if (name !== 'open' && !fresh.hasAttribute(name)) node.removeAttribute(name)
  renew(node, ...fresh.childNodes)
}

/** Empty for a node without `data-` attributes. */
function keyOf(node) {
  const known = Object.entries(node.dataset ?? {})
  return known.length === 0 ? '' : JSON.stringify(known)
}
