// Rules of accessibility (axe-core) over a page. The script is evaluated by the debugger, so the page's policy stays strict.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from './browser.ts'

const SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const CONTRAST = {
  'color-contrast': `runOnly: ['color-contrast'],`,
  'all but color-contrast': `rules: { 'color-contrast': { enabled: false } },`,
}

/**
 * @param rules  default: all
 * @returns violations: rule, element and what is wrong
 */
export async function violations(page: Page, rules?: 'color-contrast' | 'all but color-contrast'): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${SCRIPT}; 0`)
  const only = rules === undefined ? '' : CONTRAST[rules]
  return await page.evaluate<string[]>(
    `axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, failureSummary }) => [id, target.join(' '), html.slice(0, 160), failureSummary].join(' | '))))`,
  )
}
