// The status page in a real browser: its content, and that it follows the chain, on a large screen and on a phone,
// light and dark, without console messages and without requests to other servers.
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { NOW, WAX_SCENE } from '../api/exchange/scene.ts'
import { testApi, testChain } from '../support/api.ts'
import { Browser, type Page, type View } from '../support/browser/browser.ts'
import { findChromium } from '../support/browser/chromium.ts'
import { testDatabase } from '../support/database.ts'

const SCREEN: View = { width: 1280, height: 900 }
const PHONE: View = { width: 360, height: 740, dark: true }

const chromium = await findChromium()
if ('missing' in chromium) {
  const reason = `no browser: ${chromium.missing}`
  if (process.env.HEADWATER_TEST_BROWSER === 'required') t.fail(reason)
  else t.test('pages in a browser', { skip: `not run, ${reason}` }, async () => {})
} else {
  t.test('pages in a browser', async (t) => {
    const database = await testDatabase(t, { scene: WAX_SCENE })
    const api = await testApi(t, database, {
      chains: ['wax', 'telos'].map((chain) => testChain(chain)),
      maxLagSeconds: Number.MAX_SAFE_INTEGER,
      version: '1.2.3',
    })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.app.server.address() as AddressInfo
    const site = `http://wax.localhost:${port}`
    const browser = await Browser.start(t, chromium)

    /** Checks that hold for every page at its end. */
    const check = async (t: Test, page: Page, name: string) => {
      t.same(page.complaints, [], 'nothing on the console')
      const elsewhere = page.addresses.filter(
        (address) => !address.startsWith(`${site}/`) && !address.startsWith('data:'),
      )
      t.same(elsewhere, [], 'nobody else was asked')
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no horizontal scroll')
      const picture = await page.picture(name)
      t.same([...picture.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(''), 'PNG')
      t.ok(picture.length > 8000, `a picture of ${picture.length} bytes`)
    }

    t.test('the status page shows the chain, its pools and its swaps, and follows them', async (t) => {
      const page = await browser.open(`${site}/`, SCREEN)
      await page.until(`document.querySelector('#chart').dataset.candles > 50`)
      const text = (selector: string) => page.evaluate<string>(`document.querySelector('${selector}').textContent`)
      t.equal(await text('[data-chain=wax] [data-is=block]'), '99,000,000')
      t.match(await text('[data-chain=wax] [data-is=lag]'), /^\d+ blocks$/, 'it grows by the clock')
      t.equal(await text('#state'), 'not ready')
      t.match(await text('#reasons'), 'telos: nothing is indexed yet')
      t.match(await text('#about'), 'version 1.2.3')
      t.equal(await page.evaluate('document.querySelectorAll("#swaps li").length'), 15)
      const options = await page.evaluate<string[]>(
        '[...document.querySelectorAll("#pool option")].map((one) => one.value)',
      )
      t.same(options.toSorted(), ['0', '2', '3', '4'], 'the active pools')
      t.ok(await page.evaluate(DRAWN), 'both colours of candles are on the canvas')

      // A block with a swap.
      const [{ seq }] = (await database.pool.query('select max(global_seq) + 1 as seq from ledger.swaps')).rows as [
        { seq: string },
      ]
      await database.pool.query(
        `insert into ledger.swaps select (jsonb_populate_record(s, jsonb_build_object('global_seq', $1::int8, 'block_num', 99000001,
           'block_time', $2::timestamptz, 'sender', 'newcomer'))).* from ledger.swaps s where pool_id = 0 order by global_seq desc limit 1`,
        [seq, new Date(NOW + 500)],
      )
      await database.pool.query(
        `update meta.position set block_num = block_num + 1, head_num = head_num + 3, block_id = repeat('5f', 32), block_time = $1`,
        [new Date(NOW + 500)],
      )
      await api.catchUp()
      await page.until(`document.querySelector('[data-chain=wax] [data-is=block]').textContent === '99,000,001'`)
      t.ok(Number.parseInt(await text('[data-chain=wax] [data-is=lag]'), 10) >= 2, 'the head moves')
      await page.until(`document.querySelector('#swaps li').dataset.id === '${seq}'`)
      t.match(await text('#swaps li'), 'newcomer, pool 0')
      await check(t, page, 'status-screen-light')
    })

    t.test('another pool and resolution give another chart, and a candle shows its prices', async (t) => {
      const page = await browser.open(`${site}/`, SCREEN)
      await page.until(`document.querySelector('#chart').dataset.candles > 50`)
      const first = await page.evaluate<string>(`document.querySelector('#chart').toDataURL()`)
      const choose = (what: string, value: string) =>
        page.evaluate(
          `(() => { const one = document.querySelector('#${what}'); one.value = '${value}'; one.dispatchEvent(new Event('change')) })()`,
        )
      await choose('pool', '3')
      await choose('resolution', '1D')
      await page.until(`document.querySelector('#chart').dataset.candles === '96'`)
      t.not(await page.evaluate(`document.querySelector('#chart').toDataURL()`), first)
      const { body } = await api.get('/api/v2/swap/pools/3/candles?resolution=1D')
      t.equal(body.length, 96, 'as many as the pool has days')
      const at = await page.evaluate<{ x: number; y: number }>(
        `(() => { const { x, y } = document.querySelector('#chart').getBoundingClientRect(); return { x: x + 3, y: y + 60 } })()`,
      )
      await page.point(at.x, at.y)
      await page.until(
        `document.querySelector('#reading').textContent.startsWith('${new Date(body[0].time).toISOString().slice(5, 10)}')`,
      )
      const shown = await page.evaluate<string>(`document.querySelector('#reading').textContent`)
      const close = Number(/close ([\d.,]+)/.exec(shown)?.[1]?.replaceAll(',', ''))
      t.ok(Math.abs(close / Number(body[0].close) - 1) < 1e-4, `${shown} is about ${body[0].close}`)
      await choose('pool', '4')
      await page.until(`document.querySelector('#chart').dataset.candles < 10`)
      t.match(await page.evaluate(`document.querySelector('#chart').ariaLabel`), 'candles; the last')
      await check(t, page, 'status-choices')
    })

    t.test('the status page on a phone in dark mode', async (t) => {
      const page = await browser.open(`${site}/`, PHONE)
      await page.until(`document.querySelector('#chart').dataset.candles > 10`)
      t.ok(await page.evaluate(DRAWN))
      const [back, text] = await page.evaluate<string[]>(
        `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]`,
      )
      t.ok(brightness(back) < 60 && brightness(text) > 190, `${text} on ${back}`)
      const small = await page.evaluate<string[]>(
        `[...document.querySelectorAll('h1, h2, h3, p, dd, dt, li, a, select')].filter((one) => parseFloat(getComputedStyle(one).fontSize) < 13).map((one) => one.outerHTML)`,
      )
      t.same(small, [], 'nothing is too small to read')
      await check(t, page, 'status-phone-dark')
    })

    t.test('the loopback address shows the first chain, with links to the others', async (t) => {
      for (const host of ['localhost', '127.0.0.1']) {
        const page = await browser.open(`http://${host}:${port}/`, SCREEN)
        await page.until(`document.querySelector('#chart').dataset.candles > 50`)
        t.equal(await page.evaluate(`document.querySelector('[data-chain=wax] a')`), null, 'no link to itself')
      }
    })

    t.test('the page shows that the server is unreachable, and recovers', async (t) => {
      const page = await browser.open(`${site}/`, SCREEN)
      await page.until(`document.querySelector('#chart').dataset.candles > 50`)
      await page.evaluate(
        `(() => { window.asked = window.fetch; window.fetch = () => Promise.reject(new TypeError('Failed to fetch')) })()`,
      )
      await page.until(`document.querySelector('#state').textContent === 'no connection: Failed to fetch'`)
      await page.evaluate(`(() => { window.fetch = window.asked })()`)
      await page.until(`document.querySelector('#state').textContent === 'not ready'`)
      t.pass('as before')
    })

    t.test('a host without a chain shows the state, with links to the chains', async (t) => {
      for (const host of ['feed.localhost', 'nowhere.localhost']) {
        const page = await browser.open(`http://${host}:${port}/`, SCREEN)
        await page.until(`document.querySelector('#reasons li')`)
        t.match(await page.evaluate(`document.querySelector('#reasons').textContent`), 'telos: nothing is indexed yet')
        await page.until(`document.querySelector('#no-chain a')`)
        const links = await page.evaluate<string[]>(
          `[...document.querySelectorAll('#no-chain a')].map((one) => one.href)`,
        )
        t.ok(links.includes(`${site}/`), host)
        t.ok(await page.evaluate(`document.querySelector('#market').hidden`))
        // The console names the request that is 404 there.
        t.ok(
          page.complaints.every((text) => /404/.test(text)),
          page.complaints.join(),
        )
      }
    })

    t.test('an unknown address is a page with links', async (t) => {
      const page = await browser.open(`${site}/nothing/here`, SCREEN)
      t.match(await page.evaluate('document.body.innerText'), /no page at this address/)
      t.ok((await page.evaluate<number>('document.links.length')) >= 4)
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no horizontal scroll')
    })
  })
}

/** Whether the canvas contains green and red: candles that rose and fell. */
const DRAWN = `(() => {
  const canvas = document.querySelector('#chart')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let [green, red] = [0, 0]
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 250) continue
    if (data[i + 1] > data[i] + 40) green++
    if (data[i] > data[i + 1] + 40) red++
  }
  return green > 100 && red > 100
})()`

/** Brightness of `rgb(…)`, 0 to 255. */
function brightness(color = ''): number {
  const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
  return parts.reduce((sum, part) => sum + part, 0) / 3
}
