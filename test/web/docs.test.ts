// The API reference in a real browser: every operation with its answers and errors, found by its purpose, without
// requests to any other server.
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Description } from '../../api/description/complete.ts'
import { TAGS } from '../../api/description/tags.ts'
import { createServer } from '../../api/server.ts'
import { Browser, type Page, type View } from '../support/browser/browser.ts'
import { chromiumFor } from '../support/browser/chromium-for.ts'

const SCREEN: View = { width: 1280, height: 900 }
const PHONE: View = { width: 360, height: 740, dark: true }

const chromium = await chromiumFor(t, 'the reference in a browser')
if (chromium !== null) {
  t.test('the reference in a browser', async (t) => {
    const app = createServer({
      pool: new pg.Pool(),
      chains: [],
      maxLagSeconds: 60,
      version: '1.2.3',
      cosign: { url: 'http://127.0.0.1:1', chain: 'wax' },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    t.teardown(() => app.close())
    const site = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const document = JSON.parse((await app.inject('/openapi.json')).payload) as Description
    const browser = await Browser.start(t, chromium)

    const check = (t: Test, page: Page) => {
      // The viewer warns about nullable texts, which OpenAPI 3.1 allows; the two lines are one warning.
      const own = /document validation errors|"className":"Array","description":"Array\(\d+\)"/
      const complaints = page.complaints.filter((text) => !own.test(text))
      t.same(complaints, [], 'nothing on the console')
      const elsewhere = page.addresses.filter(
        (address) => !/^(data|blob):/.test(address) && !address.startsWith(`${site}/`),
      )
      t.same(elsewhere, [], 'nobody else was asked')
    }
    /** Opens the page at an operation, and returns the text of its section. */
    const read = async (page: Page, tag: string, method: string, path: string) => {
      const id = `api-1/tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`
      const section = `document.getElementById(${JSON.stringify(id)})`
      const { summary } = document.paths[path]![method.toLowerCase()]!
      const click = (text: string) =>
        page.evaluate(
          `[...document.querySelectorAll('a, button')].find((one) => one.textContent.includes(${JSON.stringify(text)})).click()`,
        )
      const offers = (text: string) =>
        page.until(
          `[...document.querySelectorAll('a, button')].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
          20_000,
        )
      await offers(tag)
      await click(tag)
      await offers(String(summary))
      await click(String(summary))
      await page.until(`${section} !== null && ${section}.innerText.length > 100`, 20_000)
      const text = await page.evaluate<string>(`${section}.innerText`)
      return text
    }

    t.test('groups in their order, and every kind of operation with its answers and errors', async (t) => {
      const page = await browser.open(`${site}/docs`, SCREEN)
      await page.until(`document.body.innerText.includes('Operating')`)
      const text = await page.evaluate<string>('document.body.innerText')
      const places = TAGS.map(([name]) => text.indexOf(`\n${name}\n`))
      t.same(
        places,
        places.toSorted((a, b) => a - b),
        'in order',
      )
      t.ok(
        places.every((place) => place >= 0),
        'and all of them',
      )

      const route = await read(page, 'Swap routes', 'GET', '/api/v3/swapRouter/getRoute')
      const { parameters = [], summary } = document.paths['/api/v3/swapRouter/getRoute']!.get!
      t.match(route, summary!)
      for (const { name } of parameters) t.match(route, name)
      for (const word of ['200', '400', '404', '429', '503', 'curl', '"tradeType"', 'exactIn']) t.match(route, word)
      t.match(route, /100\.00000000/, 'with an answer as example')

      const cosign = await read(page, 'CPU sponsorship', 'POST', '/api/v2/cpu/cosign')
      for (const word of ['serializedTransaction', '201', 'SIG_K1_']) t.match(cosign, word, 'what is posted')

      const stream = await read(page, 'Market stream', 'GET', '/api/v3/market/stream')
      for (const word of ['wss://', 'subscribe', 'orderbook', 'Too many subscriptions', '101']) t.match(stream, word)
      check(t, page)
      t.ok((await page.picture('docs-screen-light')).length > 8000)
    })

    t.test('the search finds an operation by its purpose', async (t) => {
      const page = await browser.open(`${site}/docs`, SCREEN)
      await page.until(
        `document.querySelector('button[class*=search], .scalar-search, [role=search]') !== null || document.body.innerText.includes('Search')`,
      )
      await page.evaluate(
        `[...document.querySelectorAll('button')].find((one) => /search/i.test(one.innerText)).click()`,
      )
      await page.until(`document.querySelector('input[role=combobox], input[type=search]') !== null`)
      for (const [words, path] of [
        ['proof', '/api/bridge/v1/proofs/{key}'],
        ['refund', '/api/bridge/v1/pending'],
        ['stuck', '/api/bridge/v1/hops/{key}'],
        ['best price', '/api/v3/swapRouter/getRoute'],
        ['yield', '/api/v3/analytics/pools'],
        ['liquidity added', '/api/v2/account/{account}/positions-history'],
      ] as const) {
        await page.fill('input[role=combobox], input[type=search]', words)
        await page.until(
          `[...document.querySelectorAll('[role=option], [role=listbox] *')].some((one) => one.textContent.includes(${JSON.stringify(path)}))`,
        )
        t.pass(`${words} leads to ${path}`)
      }
      check(t, page)
    })

    t.test('the reference on a phone in dark mode', async (t) => {
      const page = await browser.open(`${site}/docs`, PHONE)
      await page.until(`document.body.innerText.includes('The host chooses the chain')`)
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
        'no horizontal scroll',
      )
      check(t, page)
    })
  })
}
