// A browser for the tests of the bridge's pages; null, with a message, when there is none.
import type { Test } from 'tap'
import { Browser, type View } from '../../support/browser/browser.ts'
import { findChromium } from '../../support/browser/chromium.ts'

export const SCREEN: View = { width: 1100, height: 860 }
export const PHONE: View = { width: 320, height: 720, dark: true }

export async function browserFor(t: Test): Promise<Browser | null> {
  const chromium = await findChromium()
  if (!('missing' in chromium)) return Browser.start(t, chromium)
  const reason = `no browser: ${chromium.missing}`
  if (process.env.HEADWATER_TEST_BROWSER === 'required') t.fail(reason)
  else t.comment(`not run, ${reason}`)
  return null
}
