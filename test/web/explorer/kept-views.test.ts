// What a visitor chooses on a page stands in its address: the same address shows the same view. And the export of an
// account has its whole activity.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { loadConfig } from '../../../config/load.ts'
import { DEVNET_HISTORY } from '../../docs/sql-history.ts'
import { testApi } from '../../support/api.ts'
import { Browser, ONE_RENDERER, type Page } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { testDatabase } from '../../support/database.ts'

const SCREEN = { width: 1280, height: 900 }
const pressed = (legend: string) =>
  `[...document.querySelectorAll('fieldset')].find((one) => one.textContent.startsWith('${legend}'))?.querySelector('[aria-pressed=true]').textContent`
/** Turns the wheel over the chart. @returns whether the address has the span */
const wheel = (deltaX: number) => `(() => {
  const canvas = document.querySelector('.chart canvas')
  if (canvas === null) return false
  const { left, top } = canvas.getBoundingClientRect()
  const at = { clientX: left + 99, clientY: top + 99, bubbles: true, cancelable: true }
  const isThere = new URLSearchParams(location.search).has('span')
  if (!isThere && Date.now() - (window.turned ?? 0) > 800) {
    window.turned = Date.now()
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: ${deltaX}, deltaY: 0, ...at }))
  }
  return isThere
})()`
/** Keeps the text of a file that the page saves. */
const KEEP_FILES = `URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), 'data:,')`

const chromium = await chromiumFor(t, 'kept views', { isLong: true })
if (chromium !== null) {
  t.test('kept views', async (t) => {
    const database = await testDatabase(t, DEVNET_HISTORY)
    const folder = new URL('../../../config/demo/', import.meta.url).pathname
    const { config } = loadConfig({ env: {}, folder, program: { chains: ['wax', 'telos'] } })
    const api = await testApi(t, database, { chains: config.chains, maxLagSeconds: Number.MAX_SAFE_INTEGER })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    t.afterEach(() => browser.closePages())
    const choose = async (page: Page, legend: string, label: string) => {
      await page.until(pressed(legend))
      await page.evaluate(
        `[...document.querySelectorAll('fieldset')].find((one) => one.textContent.startsWith('${legend}')).querySelectorAll('button').forEach((one) => one.textContent === '${label}' && one.click())`,
      )
    }
    /** The address of a page, opened again. */
    const reopened = async (page: Page) => browser.open(await page.evaluate<string>('location.href'), SCREEN)

    t.test('a pool: list, range of prices, resolution, and the span of the chart', async (t) => {
      const page = await browser.open(`${site}/pool/0`, SCREEN)
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      await page.click('#tab-positions')
      await choose(page, 'Range of prices', '×5')
      await choose(page, 'Resolution', '5m')
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      // A turn of the wheel shows other candles; the first may meet the chart of the other resolution.
      await page.until(wheel(-400), 20_000)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const span = await page.evaluate<string>(`new URLSearchParams(location.search).get('span')`)
      const again = await reopened(page)
      await again.until(`document.querySelector('#tab-positions')?.ariaSelected === 'true'`)
      await again.until(`${pressed('Range of prices')} === '×5'`)
      t.equal(await again.evaluate(pressed('Resolution')), '5m')
      await again.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      // A touch makes the chart tell its span without a move.
      await again.evaluate(`history.replaceState(null, '', location.pathname)`)
      await again.until(wheel(1), 20_000)
      const shown = await again.evaluate<string>(`new URLSearchParams(location.search).get('span')`)
      const [wanted, found] = [span, shown].map((text) => Number(text.split('-')[0])) as [number, number]
      t.ok(Math.abs(wanted - found) <= 300, `from ${wanted}, shown from ${found}`)
    })

    t.test('the figures of a candle go with the resolution of the chart', async (t) => {
      const page = await browser.open(`${site}/pool/0`, SCREEN)
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      const reading = `document.querySelector('.reading').innerText.trim()`
      await page.until(reading)
      // Requests that never end: the chart stays without candles.
      await page.evaluate(`window.fetch = () => new Promise(() => {})`)
      await choose(page, 'Resolution', '5m')
      await page.until(`document.querySelector('.chart')?.dataset.state === 'loading'`)
      t.equal(await page.evaluate(reading), '')
    })

    t.test('a book shows its depth, a token its order of markets', async (t) => {
      const book = await browser.open(`${site}/market/0`, SCREEN)
      await choose(book, 'View of the order book', 'Depth')
      const depth = await reopened(book)
      await depth.until(`document.querySelector('.depth')`)
      const token = await browser.open(`${site}/token/usdt-usdt.svc`, SCREEN)
      await token.until(`document.querySelector('.markets thead button')`)
      await token.evaluate(`document.querySelector('.markets thead button').click()`)
      const sorted = await reopened(token)
      await sorted.until(`document.querySelector('.markets th[aria-sort=ascending]')`)
      t.match(await sorted.evaluate(`document.querySelector('.markets th[aria-sort]').textContent`), 'Market')
    })

    t.test('an export has every fact of the account, also those that the page has not loaded', async (t) => {
      const { rows } = await database.pool.query(
        `select sender as name from ledger.swaps where chain = 'wax' group by 1 order by count(*) desc limit 1`,
      )
      const [{ name }] = rows
      const { body } = await api.get(`/api/v3/explore/account/${name}/activity?limit=10000`)
      t.ok(body.facts.length > 100)
      const page = await browser.open(`${site}/account/${name}`, SCREEN, KEEP_FILES)
      // By script: names that arrive change the height of rows, and with it the button's place.
      await page.activate('button.export')
      await page.until('window.saved')
      const saved = await page.evaluate<string>('window.saved')
      const sequences = saved
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[4])
      t.same(
        sequences,
        body.facts.map(({ sequence }: { sequence: string }) => sequence),
      )
      t.match(await page.evaluate(`document.querySelector('.export + [role=status]').textContent`), /^All [\d,]+ rows/)
    })
  })
}
