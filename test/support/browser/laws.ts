// What holds for every page of this server.
import type { Test } from 'tap'
import type { Page } from './browser.ts'

/** Checks that a page is quiet, loads nothing from other servers, and is not wider than its window. @param site  its origin */
export async function checkLaws(t: Test, page: Page, site: string, name: string): Promise<void> {
  t.same(page.complaints, [], `${name}: nothing on the console`)
  const elsewhere = page.addresses.filter((url) => !url.startsWith(`${site}/`) && !url.startsWith('data:'))
  t.same(elsewhere, [], `${name}: no request to another server`)
  t.ok(
    await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    `${name}: no horizontal scroll`,
  )
}
