// Reads what a page shows, with the texts of hover and of screen readers, and finds every figure that no selector names.
import type { Page } from '../../../support/browser/browser.ts'

/** By selector: the text of each element in the order of the document, or a test of it. */
export type Claims = Record<string, readonly (string | ((text: string) => boolean))[]>

export interface Shown {
  /** Texts of the elements of each selector. */
  found: Record<string, string[]>
  /** Texts with digits outside of all these elements. */
  left: string[]
}

/**
 * Text of an element in one line: `‹…›` is a title, `«…»` a label or a value in words, `=…` the value of a meter; cells are separated by ` | `.
 * Decoration and buttons that copy are left out: `copiedTexts` reads what these copy.
 */
const SCRIPT = `(() => {
  const CELLS = new Set(['TD', 'TH', 'DT', 'DD'])
  const LEFT_OUT = 'script, style, option, [aria-hidden=true], [hidden], .copy'
  /** Calls take with each text of a node: of hover, of screen readers, of itself. */
  const walk = (node, take) => {
    if (node.nodeType === 3) return take(node.data, node)
    if (node.nodeType !== 1 || node.matches(LEFT_OUT)) return
    if (node.title && typeof node.title === 'string') take('‹' + node.title + '›', node)
    for (const name of ['aria-label', 'aria-valuetext']) {
      const spoken = node.getAttribute(name)
      if (spoken !== null && /\\d/.test(spoken)) take('«' + spoken + '»', node)
    }
    if (node.tagName === 'METER' || node.tagName === 'PROGRESS') take('=' + node.value + ' ', node)
    for (const child of node.childNodes) walk(child, take)
    take(CELLS.has(node.tagName) ? ' | ' : ' ', node)
  }
  const lineOf = (element) => {
    let line = ''
    walk(element, (text) => void (line += /[›»]/.test(text) ? text + ' ' : text))
    return line.replace(/\\s+/g, ' ').trim().replace(/( \\|)+$/, '').replace(/^\\| /, '').replace(/(\\| )+/g, '| ')
  }
  window.figuresOf = (selectors) => {
    const claimed = new Set()
    const found = {}
    for (const selector of selectors)
      found[selector] = [...document.querySelectorAll(selector)].map((element) => {
        claimed.add(element)
        return lineOf(element)
      })
    const left = []
    walk(document.body, (text, node) => {
      if (!/\\d/.test(text)) return
      for (let one = node; one !== null; one = one.parentNode) if (claimed.has(one)) return
      const holder = node.nodeType === 1 ? node : node.parentNode
      left.push(holder.tagName.toLowerCase() + '.' + (holder.getAttribute('class') ?? '') + ': ' + text.trim())
    })
    return { found, left }
  }
})()`

export async function shownBy(page: Page, claims: Claims): Promise<Shown> {
  await page.evaluate(`void (window.figuresOf ?? ${SCRIPT})`)
  return await page.evaluate<Shown>(`window.figuresOf(${JSON.stringify(Object.keys(claims))})`)
}

/** Texts that the page's buttons copy, in the order of the document. */
export async function copiedTexts(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const copied = []
    const real = navigator.clipboard.writeText
    navigator.clipboard.writeText = async (text) => void copied.push(text)
    for (const button of document.querySelectorAll('main .copy[aria-label^="Copy"]')) button.click()
    navigator.clipboard.writeText = real
    return copied
  })()`)
}
