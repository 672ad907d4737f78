// Enter in the search field before the hits have come: it opens the best hit of the text in the field.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi } from '../../support/api.ts'
import { Browser, ONE_RENDERER, type Page } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { testDatabase } from '../../support/database.ts'

const SCREEN = { width: 1280, height: 900 }
/** Answers of the search wait for `release(how)`; `asked` counts them. */
const HOLD = `(() => {
  const real = window.fetch
  window.asked = 0
  const released = new Promise((resolve) => { window.release = resolve })
  window.fetch = async (...all) => {
    if (!String(all[0]?.url ?? all[0]).includes('/explore/search')) return real(...all)
    const isFirst = window.asked++ === 0
    if (isFirst && (await released) === 'fails') throw new TypeError('no network')
    return real(...all)
  }
})()`
/** Types a text and presses Enter, as a keyboard does. */
const enter = (text: string) => `(() => {
  const input = document.querySelector('header input[role=combobox]')
  input.focus()
  input.value = ${JSON.stringify(text)}
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  requestAnimationFrame(() => input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })))
})()`
const STATUS = `document.querySelector('header search [aria-live]').textContent`

const chromium = await chromiumFor(t, 'search')
if (chromium !== null) {
  t.test('search', async (t) => {
    const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
    const api = await testApi(t, database, { maxLagSeconds: Number.MAX_SAFE_INTEGER })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    t.afterEach(() => browser.closePages())
    const open = async () => {
      const page = await browser.open(`${site}/chains`, SCREEN, HOLD)
      await page.until(`document.querySelector('header input[role=combobox]')`)
      return page
    }
    const wait = async (page: Page, text: string) => {
      await page.evaluate(enter(text))
      await page.until(`${STATUS} === 'Searching for ${text}'`)
      t.equal(await page.evaluate('location.pathname'), '/chains', 'nothing is opened before the hits come')
    }

    t.test('waits for the hits', async (t) => {
      const page = await open()
      await wait(page, 'usdt')
      await page.until('window.asked === 1')
      await page.evaluate(`release('answers')`)
      await page.until(`location.pathname.startsWith('/token/usdt-')`)
      await page.until(`document.activeElement.tagName === 'H1'`)
      t.equal(await page.evaluate(`document.querySelector('header input[role=combobox]').value`), '')
    })

    t.test('a text that was changed does not open', async () => {
      const page = await open()
      await wait(page, 'usdt')
      await page.until('window.asked === 1')
      await page.evaluate(enter('wax').replace('Enter', 'Shift'))
      await page.evaluate(`release('answers')`)
      await page.until(`document.querySelector('[role=option]')?.textContent.includes('WAX')`)
      t.equal(await page.evaluate('location.pathname'), '/chains')
    })

    t.test('without hits, a page says so and has the search field', async (t) => {
      const page = await open()
      await wait(page, 'zzzznothing')
      await page.evaluate(`release('answers')`)
      await page.until(`location.pathname === '/search'`)
      await page.until(`document.querySelector('main [role=status]')?.textContent === 'Nothing found on wax.'`)
      t.match(await page.evaluate(`document.querySelector('h1').textContent`), 'zzzznothing')
      t.ok(await page.evaluate(`document.querySelector('main input[role=combobox]') !== null`))
      t.match(await page.evaluate(`document.title`), /^Search/)
    })

    t.test('a search that fails says so, and Enter asks again', async () => {
      const page = await open()
      await wait(page, 'usdt')
      await page.until('window.asked === 1')
      await page.evaluate(`release('fails')`)
      await page.until(`${STATUS} === 'The search does not answer'`)
      await page.evaluate(enter('usdt'))
      await page.until(`location.pathname.startsWith('/token/usdt-')`)
    })
  })
}
