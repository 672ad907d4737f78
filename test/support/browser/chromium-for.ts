// Finds the Chromium of a browser test, or reports that the test is not run.
import type { Test } from 'tap'
import { type Chromium, findChromium } from './chromium.ts'

/**
 * Without a browser, `what` is reported as skipped; it fails where HEADWATER_TEST_BROWSER requires one.
 *
 * @param what    name of the skipped test
 * @param isLong  the test belongs to long runs alone
 */
export async function chromiumFor(t: Test, what: string, { isLong = false } = {}): Promise<Chromium | null> {
  if (isLong && !process.env.HEADWATER_TEST_LONG) {
    void t.test(what, { skip: 'not run, only in long runs' }, async () => {})
    return null
  }
  const chromium = await findChromium()
  if (!('missing' in chromium)) return chromium
  const reason = `no browser: ${chromium.missing}`
  if (process.env.HEADWATER_TEST_BROWSER === 'required') t.fail(reason)
  else void t.test(what, { skip: `not run, ${reason}` }, async () => {})
  return null
}
