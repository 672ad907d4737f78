// Creates elements from names, attributes and children. Texts become text nodes: nothing is parsed as HTML.
import { utc } from '../../shared/times.ts'
import { moment } from './format.ts'

type Value = string | number | boolean | null | undefined | ((event: never) => void)
export type Child = Node | string | null | undefined | false

/**
 * @param attributes  functions are listeners (`onclick`); true: empty attribute; null, undefined, false: no attribute
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === 'function') node.addEventListener(key.slice(2), value as EventListener)
    else set(node, key, value)
  node.append(...present(children))
  return node
}

/** A time in the user's zone, with UTC on hover. @param seconds  Unix */
export function timeNode(seconds: number): HTMLTimeElement {
  const at = new Date(seconds * 1000).toISOString()
  return h('time', { datetime: at, title: utc(seconds * 1000) }, moment(seconds))
}

export function set(node: Element, attribute: string, value: Exclude<Value, () => void>): void {
  if (value === null || value === undefined || value === false) node.removeAttribute(attribute)
  else node.setAttribute(attribute, value === true ? '' : String(value))
}

/** Replaces the content of an element. */
export function fill(node: Element, ...children: Child[]): void {
  node.replaceChildren(...present(children))
}

/** Sets the text only when it changes, so that screen readers do not repeat it. */
export function say(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((one): one is Node | string => one !== null && one !== undefined && one !== false)
}

/** An external link: opens a new window, without opener and referrer. */
export function outside(url: string, ...children: Child[]): HTMLElement {
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, ...children)
}
