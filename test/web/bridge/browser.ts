// A browser for the tests of the bridge's pages; null, with a message, when there is none.
import type { Test } from 'tap'
import { Browser, type View } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'

export const SCREEN: View = { width: 1100, height: 860 }
export const PHONE: View = { width: 320, height: 720, dark: true }

export async function browserFor(t: Test): Promise<Browser | null> {
  const chromium = await chromiumFor(t, 'pages in a browser')
  return chromium && Browser.start(t, chromium)
}
