// The explorer in a real browser: a walk through its pages, live, on a large screen and on a phone, light and dark,
// without console messages and without requests to other servers.
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { price } from '../../web/explorer/core/numbers.ts'
import { NOW, WAX_SCENE } from '../api/exchange/scene.ts'
import { testApi, testChain } from '../support/api.ts'
import { violations } from '../support/browser/axe.ts'
import { Browser, ONE_RENDERER, type Page, type View } from '../support/browser/browser.ts'
import { chromiumFor } from '../support/browser/chromium-for.ts'
import { checkLaws } from '../support/browser/laws.ts'
import { testDatabase } from '../support/database.ts'

const SCREEN: View = { width: 1280, height: 900 }
const PHONE: View = { width: 320, height: 740, dark: true }
const HOSTILE = '<img src=x onerror="window.hit=1">'

const chromium = await chromiumFor(t, 'pages in a browser')
if (chromium !== null) {
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
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    t.afterEach(() => browser.closePages())
    const text = (page: Page, selector: string) =>
      page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)

    /** Checks that hold for every page at its end. */
    const check = async (t: Test, page: Page, name: string) => {
      await checkLaws(t, page, site, name)
      t.equal(await page.evaluate('document.querySelectorAll("h1").length'), 1, `${name}: one heading`)
      t.same(await page.evaluate(UNNAMED), [], `${name}: every control has a name`)
      // Contrast is checked in both schemes below, and takes most of the time.
      t.same(await violations(page, 'all but color-contrast'), [], `${name}: no violation of accessibility`)
      // A flash of a changed price keeps the colour of the scheme in which it began.
      const isStill = 'document.getAnimations().every((one) => one.effect.getComputedTiming().endTime === Infinity)'
      for (const scheme of ['dark', 'light'] as const) {
        await page.until(isStill)
        await page.prefer(scheme)
        t.same(await violations(page, 'color-contrast'), [], `${name}: contrast, ${scheme}`)
      }
    }

    t.test('from the largest market to its trades, an account, a transaction and a block', async (t) => {
      const page = await browser.open(`${site}/`, SCREEN)
      await page.until(`document.querySelector('[role=status].count')?.textContent === '8 of 8 markets'`)
      t.match(await page.evaluate('document.title'), 'Markets on wax')
      const keys = () =>
        page.evaluate<string[]>(`[...document.querySelectorAll('[data-key]')].map((one) => one.dataset.key)`)
      const byVolume = await keys()
      t.equal(byVolume.length, 8, 'pools and order books')
      await page.fill('.filters input', 'wax/usdt')
      await page.until(`document.querySelectorAll('[data-key]').length === 2`)
      t.same((await keys()).toSorted(), ['wax/market/1', 'wax/pool/3'], 'a pair in either order')
      t.match(await page.evaluate('location.search'), 'find=wax%2Fusdt', 'the address keeps the view')
      await check(t, page, 'markets')

      await page.click('[data-key="wax/pool/3"] a')
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      await page.until(`document.querySelectorAll('tr[data-id]').length === 50`)
      const [{ price }] = (await api.get('/api/v3/market/pools')).body.pools.filter(
        (one: { id: number }) => one.id === 3,
      )
      t.equal(
        await page.evaluate(`document.querySelector('[data-is=price]').title`),
        `${price} USDT · price in the pool now, before its fee`,
      )
      t.ok(await page.evaluate(`document.querySelector('.chart canvas') !== null`))
      t.match(await text(page, '.attribution'), 'TradingView')
      t.match(
        await page.evaluate('document.title'),
        /^WAX\/USDT 0\.2 on wax/,
        'the title names the market and its price',
      )

      // A block with a swap: the stream announces it, and the page reads the swap.
      const seq = await newSwap()
      await api.catchUp()
      await page.until(`document.querySelector('tr[data-id]').dataset.id === '${seq}'`)
      t.match(await text(page, 'tr[data-id]'), 'newcomer')
      // An amount with two readings is refused.
      const note = `document.querySelector('#route-note').textContent`
      await page.fill('.route-form input', '10,000')
      t.match(await page.evaluate(note), /^10,000 can mean 10000 or 10: write/)
      await page.fill('.route-form input', '10000')
      await page.until(
        `document.querySelector('.panel:has(.route-form) .facts dd')?.textContent.startsWith('10,000.0')`,
      )
      // A second market in the chart, by keyboard.
      await page.evaluate(`document.querySelector('.chart-looks [aria-expanded]').focus()`)
      await page.press('Enter')
      await page.until(`document.activeElement.closest('.compare') !== null`)
      await page.type('market:1')
      await page.until(`document.querySelector('.compare [role=option]')`)
      await page.press('Enter')
      await page.until(`/%.*against.*%/.test(document.querySelector('[data-is=compared]')?.textContent)`)
      t.equal(
        await page.evaluate('new URLSearchParams(location.search).get("with")'),
        'market:1',
        'the address keeps it',
      )
      t.equal(await page.evaluate('document.activeElement.textContent'), 'Compare', 'the focus is where it was')
      await check(t, page, 'pool')

      await page.click('tr[data-id] a.account')
      await page.until(`document.querySelector('h1')?.textContent === 'newcomer'`)
      await page.until(`document.querySelectorAll('.facts-list tbody tr').length === 2`)
      t.notOk(await page.evaluate('"hit" in window'), 'a memo is a text')
      t.match(await text(page, '.memo'), HOSTILE)
      await check(t, page, 'account')

      await page.click('.facts-list tbody tr td:last-child a')
      await page.until(`document.querySelectorAll('.fact').length === 2`)
      t.match(await text(page, '.fact-list'), 'Swap')
      t.match(await text(page, '.facts'), 'Not final yet')
      await check(t, page, 'transaction')
      await page.click('.facts a')
      await page.until(`document.querySelector('h1')?.textContent === 'Block 99,000,001'`)
      await check(t, page, 'block')

      await page.evaluate('history.back()')
      await page.until(`document.querySelector('h1')?.textContent === 'Transaction'`)
      t.match(await page.evaluate('document.title'), /^Tx 5f5f/)
      t.equal(page.addresses.filter((url) => /main-\w+\.js/.test(url)).length, 1, 'the page was loaded once')
    })

    /** Writes a block with a swap of `newcomer` and a transfer with a hostile memo. @returns sequence of the swap */
    async function newSwap(): Promise<string> {
      const { pool } = database
      const [{ seq }] = (await pool.query('select max(global_seq) + 1 as seq from ledger.swaps')).rows as [
        { seq: string },
      ]
      const at = new Date(NOW + 500)
      const change = {
        trx_id: `\\x${'5f'.repeat(32)}`,
        global_seq: seq,
        block_num: 99_000_001,
        block_time: at,
        sender: 'newcomer',
        recipient: 'newcomer',
      }
      await pool.query(
        `insert into ledger.swaps select (jsonb_populate_record(s, $1)).* from ledger.swaps s
         where pool_id = 3 order by global_seq desc limit 1`,
        [change],
      )
      await pool.query(`update state.pools set reserve_a = reserve_a + 1 where chain = 'wax' and pool_id = 3`)
      await pool.query(
        `insert into ledger.transfers (chain, block_num, block_time, global_seq, trx_id, contract, symbol, decimals, from_account, to_account, amount, memo)
         select chain, block_num, block_time, global_seq + 1, trx_id, 'eosio.token', 'WAX', 8, 'newcomer', 'swap.svc', 5, $2
         from ledger.swaps where global_seq = $1`,
        [seq, HOSTILE],
      )
      await pool.query(
        `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
         values ('wax', 99000001, sha256('new'), sha256('old'), $1, 'eosio')`,
        [at],
      )
      await pool.query(
        `update meta.position set block_num = block_num + 1, head_num = head_num + 3, block_id = repeat('5f', 32), block_time = $1`,
        [at],
      )
      return seq
    }

    t.test('a fork while pages are open: rows vanish and come back right', async (t) => {
      const block = 99_000_002
      const trx = '6f'.repeat(32)
      const change = { trx_id: `\\x${trx}`, block_num: block, block_time: new Date(NOW + 1000), sender: 'orphan' }
      const swap = async () => {
        const { rows } = await database.pool.query(
          `insert into ledger.swaps select (jsonb_populate_record(s, $1 || jsonb_build_object('global_seq', s.global_seq + 10))).*
           from ledger.swaps s where pool_id = 3 order by global_seq desc limit 1 returning global_seq`,
          [change],
        )
        await database.pool.query(
          `update state.pools set reserve_a = reserve_a + 1 where chain = 'wax' and pool_id = 3`,
        )
        return String(rows[0].global_seq)
      }
      /** Replaces the head by a block of the same number. */
      const head = async (seed: string) => {
        const id = seed.repeat(32)
        await database.pool.query(`delete from ledger.blocks where chain = 'wax' and block_num = $1`, [block])
        await database.pool.query(
          `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
           values ('wax', $1, decode($2, 'hex'), decode(repeat('5f', 32), 'hex'), $3, 'eosio')`,
          [block, id, change.block_time],
        )
        await database.pool.query(
          `update meta.position set block_num = $1, block_id = $2, block_time = $3 where chain = 'wax'`,
          [block, id, change.block_time],
        )
        await api.catchUp()
      }
      const orphan = await swap()
      await head('61')
      const pool = await browser.open(`${site}/pool/3`, SCREEN)
      const row = (seq: string) => `document.querySelector('tr[data-id="${seq}"]')`
      await pool.until(row(orphan))
      const transaction = await browser.open(`${site}/tx/${trx}`, SCREEN)
      await transaction.until(`document.querySelectorAll('.fact').length === 1`)
      const account = await browser.open(`${site}/account/orphan`, SCREEN)
      const facts = `document.querySelectorAll('.facts-list tbody tr').length`
      await account.until(`${facts} === 1`)
      await database.pool.query('delete from ledger.swaps where global_seq = $1', [orphan])
      await database.pool.query(`update state.pools set reserve_a = reserve_a - 1 where chain = 'wax' and pool_id = 3`)
      const began = Date.now()
      await head('62')
      await pool.until(`${row(orphan)} === null && document.querySelectorAll('tr[data-id]').length === 50`)
      await account.until(`document.querySelector('main').innerText.includes('No activity')`)
      t.ok(Date.now() - began < 12_000, 'by the streams, not by the repeated requests')
      await transaction.until(`document.querySelector('main').innerText.includes('Nothing found')`)
      t.equal(await transaction.evaluate(`document.querySelectorAll('.fact').length`), 0)
      t.ok(await transaction.evaluate(`document.querySelector('main [role=combobox]') !== null`), 'with a search')
      const back = await swap()
      await head('63')
      await pool.until(row(back))
      await account.until(`${facts} === 1`)
      await transaction.until(`document.querySelectorAll('.fact').length === 1`)
      t.match(await text(transaction, '.facts'), '99,000,002')
    })

    t.test('an order book on a phone at night', async (t) => {
      const page = await browser.open(`${site}/market/0`, PHONE)
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      await page.until(`document.querySelectorAll('.bids tr').length > 0`)
      const { orderbook } = (await api.get('/api/v3/market/orderbooks/0')).body
      const spread = await text(page, '.spread')
      const mid = (Number(orderbook.bestBid) + Number(orderbook.bestAsk)) / 2
      t.ok(Math.abs(Number.parseFloat(spread) / mid - 1) < 1e-3, `${spread} is about ${mid}`)
      t.match(await page.evaluate('document.title'), 'TLM/WAX order book on wax')
      const [back, colour] = await page.evaluate<string[]>(
        `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]`,
      )
      t.ok(brightness(back) < 60 && brightness(colour) > 190, `${colour} on ${back}`)
      await check(t, page, 'order book')
      const pool = await browser.open(`${site}/pool/3`, PHONE)
      await pool.until(`document.querySelectorAll('tr[data-id]').length === 50`)
      for (const [name, one] of Object.entries({ 'order book': page, pool }))
        t.same(await one.evaluate(OUT_OF_VIEW), [], `${name}: every cell of a trade is in view`)
      t.match(await pool.evaluate(`document.querySelector('tr[data-id] .who').innerText`), /^[a-z.]+$/)
      await check(t, pool, 'pool on a phone')
      const account = await browser.open(`${site}/account/bob`, PHONE)
      await account.until(
        `document.querySelectorAll('.facts-list tbody tr').length > 10 && !document.querySelector('.loading')`,
      )
      await check(t, account, 'account on a phone')
    })

    t.test('ten thousand markets: only rows near the view are in the document', async (t) => {
      const page = await browser.open(`${site}/`, SCREEN, MANY)
      await page.until(`document.querySelector('[role=status].count')?.textContent === '10,003 of 10,003 markets'`)
      const rows = `document.querySelectorAll('[data-key]').length`
      const drawn = await page.evaluate<number>(rows)
      t.ok(drawn > 10 && drawn < 60, `${drawn} rows`)
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      t.ok(height > 10_003 * 56, 'the page is as long as the list')
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.until(`[...document.querySelectorAll('[data-key]')].at(-1)?.ariaRowIndex === '10004'`)
      t.ok((await page.evaluate<number>(rows)) < 60)
      await page.fill('.filters input', '#3217')
      await page.until(`${rows} === 1`)
      t.equal(await page.evaluate(`document.querySelector('[data-key]').dataset.key`), 'wax/pool/3217')
    })

    t.test('search by keyboard, and a token', async (t) => {
      const page = await browser.open(`${site}/tokens`, SCREEN)
      await page.until(`document.querySelectorAll('.list tbody tr').length > 2`)
      await check(t, page, 'tokens')
      const trades = await browser.open(`${site}/trades?usd=100`, PHONE)
      await trades.until(`document.querySelectorAll('.facts-list tbody tr').length === 50`)
      // By script: names that arrive change the height of rows, and with it the button's place.
      await trades.activate('main .centred button')
      await trades.until(`document.querySelectorAll('.facts-list tbody tr').length === 100`)
      await check(t, trades, 'large trades')
      await page.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))`)
      t.equal(await page.evaluate('document.activeElement.role'), 'combobox')
      await page.type('tlm')
      await page.until(`document.querySelector('.hits a')?.textContent.startsWith('TLM')`)
      await page.press('Enter')
      await page.until(`document.querySelectorAll('[data-key]').length >= 3`)
      t.equal(await page.evaluate('location.pathname'), '/token/tlm-alien.worlds')
      t.match(await page.evaluate('document.title'), 'TLM (alien.worlds) on wax')
      await check(t, page, 'token')
    })

    t.test('the main path by keyboard alone', async (t) => {
      const page = await browser.open(`${site}/?find=wax/usdt`, SCREEN)
      await page.until(`document.querySelectorAll('[data-key]').length === 2`)
      /** Presses Tab until the focus is on an element. */
      const reach = async (selector: string) => {
        for (let i = 0; i < 150; i++) {
          await page.press('Tab')
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) {
            t.notOk(
              await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle === 'none'`),
              'focus shows',
            )
            return
          }
        }
        t.fail(`${selector} cannot be reached`)
      }
      const enter = async (selector: string) => {
        await reach(selector)
        await page.press('Enter')
      }
      await enter('[data-key="wax/pool/3"] a')
      await page.until(`location.pathname === '/pool/3' && document.activeElement.tagName === 'H1'`)
      await page.until(`document.querySelectorAll('tr[data-id]').length === 50`)
      await page.until(`document.querySelector('.chart')?.dataset.state === 'ready'`)
      await reach('.chart')
      const chart = (name: string) => page.evaluate<string>(`document.querySelector('.chart').getAttribute('${name}')`)
      const reading = () => page.evaluate<string>(`document.querySelector('.reading').innerText.replace(/\\s+/g, ' ')`)
      const newest = await reading()
      const count = Number(await chart('aria-valuemax'))
      t.ok(count > 24)
      await page.press('ArrowLeft')
      await page.press('ArrowLeft')
      await page.press('ArrowLeft')
      await page.press('ArrowRight')
      await page.until(`document.querySelector('.chart').ariaValueNow === '${count - 2}'`)
      const candles = (await api.get('/api/v2/swap/pools/3/candles?resolution=60&limit=500')).body
      const third = candles.at(-3)
      const time = new Date(third.time).toISOString()
      t.equal(await page.evaluate(`document.querySelector('.reading time').dateTime`), time, 'the figures stay there')
      const values = ['open', 'high', 'low', 'close'].map((name) => `${name} ${price(third[name])}`)
      t.match(await chart('aria-valuetext'), `: ${values.join(', ')} USDT`)
      const spoken = (await page.spoken()).find((one) => one.startsWith('slider "Candles"')) ?? ''
      t.match(spoken, 'Left and Right choose a candle', 'screen readers say how')
      t.same(await violations(page, 'all but color-contrast'), [], 'no violation with a chosen candle')
      await page.press('Home')
      await page.until(`document.querySelector('.chart').ariaValueNow === '1'`)
      await page.until('new URLSearchParams(location.search).get("span") !== null')
      await page.press('Escape')
      // Older candles were loaded meanwhile.
      await page.until(
        `document.querySelector('.chart').ariaValueNow === document.querySelector('.chart').ariaValueMax`,
      )
      t.equal(await reading(), newest)
      await enter('tr[data-id] a.account')
      await page.until(`location.pathname.startsWith('/account/') && document.activeElement.tagName === 'H1'`)
      await page.until(`document.querySelectorAll('.facts-list tbody tr').length > 0`)
      await enter('.facts-list td:last-child a')
      await page.until(`location.pathname.startsWith('/tx/') && document.querySelectorAll('.fact').length > 0`)
      await enter('.facts a')
      await page.until(`/^Block /.test(document.querySelector('h1')?.textContent)`)
    })

    t.test('the path chooses the chain where the host does not, and the status says where each stands', async (t) => {
      const page = await browser.open(`http://127.0.0.1:${port}/`, SCREEN)
      await page.until(`document.querySelectorAll('[data-key]').length === 8`)
      await page.fill('.chain select', 'telos')
      await page.until(`location.pathname === '/telos'`)
      await page.until(`document.body.innerText.includes('data is being loaded')`)
      await page.click('nav[aria-label=Pages] a:last-child')
      await page.until(`document.querySelector('.reasons li')`)
      t.match(await text(page, '.reasons'), 'telos: nothing is indexed yet')
      t.equal(await text(page, '#state'), 'Not ready')
      t.match(await text(page, '[data-chain=wax] [data-is=block]'), /^99,000,00\d$/)
      t.same(await violations(page), [], 'status: no violation of accessibility')
      await page.fill('.chain select', 'wax')
      await page.until(`location.pathname === '/chains'`)
      await page.visit(`http://127.0.0.1:${port}/search?q=zzz`)
      await page.fill('.chain select', 'telos')
      await page.until(`location.pathname + location.search === '/telos/search?q=zzz'`)
      t.pass('a search goes on on the other chain')
    })

    t.test('Back leads to where the list was, and a button copies', async (t) => {
      const page = await browser.open(`${site}/`, { width: 1280, height: 300 })
      await page.until(`document.querySelectorAll('[data-key]').length > 0`)
      await page.until(`document.querySelector('.count').textContent.includes('markets')`)
      const bottom = await page.evaluate<number>('scrollTo(0, 99_999), scrollY')
      await page.evaluate(`document.querySelector('[data-key] a').click()`)
      await page.until(`/^.(pool|market)/.test(location.pathname) && scrollY === 0`)
      await page.evaluate('history.back()')
      await page.until(`document.querySelector('[data-key]') && scrollY === ${bottom}`)
      await page.evaluate(`document.querySelector('[data-key] a').click()`)
      await page.until(`document.querySelector('.copy')`)
      // As on a host without TLS.
      await page.evaluate(`void Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
      await page.click('.facts .copy')
      await page.until(`document.querySelector('.facts .copy').textContent.trim() === 'copied'`)
      t.ok(bottom > 100)
    })

    t.test('a server that goes away is missed, and found again', async (t) => {
      const page = await browser.open(`${site}/chains`, SCREEN)
      await page.until(`document.querySelector('[data-chain=wax]')`)
      // The clock goes on while a request waits for a server that is gone.
      await page.evaluate(`void (window.asked = fetch, window.clock = Date.now, window.fetch = () => {
        Date.now = () => clock() + 60_000
        return Promise.reject(new TypeError('gone'))
      })`)
      await page.until(`!document.querySelector('.lost').hidden`)
      const lost = await text(page, '.lost')
      t.match(lost, 'No connection to the server')
      const now = await page.evaluate<string>('new Date(clock()).toTimeString().slice(0, 8)')
      const said = /\d\d:\d\d:\d\d/.exec(lost)?.[0] ?? '99'
      t.ok(said <= now, `the figures are those of ${said}, when the server was last heard; it is ${now}`)
      t.ok(await page.evaluate(`document.querySelector('[data-chain=wax]') !== null`), 'the old figures stay')
      await page.evaluate(`void (window.fetch = window.asked)`)
      await page.until(`document.querySelector('.lost').hidden`)
    })

    t.test(
      'an address that is none is a page with the search, and a host without a chain offers the chains',
      async (t) => {
        const page = await browser.open(`${site}/nothing/here`, SCREEN)
        t.match(await page.evaluate('document.body.innerText'), /no page at this address/)
        t.equal(await page.evaluate('document.querySelectorAll("main [role=combobox]").length'), 1)
        t.same(await violations(page), [], 'no violation of accessibility')
        const other = await browser.open(`http://feed.localhost:${port}/`, SCREEN)
        const links = await other.evaluate<string[]>(
          `[...document.querySelectorAll('main .links a')].map((one) => one.pathname)`,
        )
        t.same(links, ['/wax', '/telos'])
      },
    )
  })
}

/** Makes 10,000 pools of the first one. */
const MANY = `(() => {
  const real = window.fetch
  window.fetch = async (url, options) => {
    if (!String(url).includes('/analytics/pools?')) return real(url, options)
    const body = await (await real(String(url).replace(/page=[0-9]+/, 'page=1'), options)).json()
    const first = (Number(new URL(url, location.href).searchParams.get('page')) - 1) * 500
    const items = Array.from({ length: 500 }, (_, i) => ({ ...body.items[0], id: first + i }))
    return new Response(JSON.stringify({ ...body, items, total: 10_000 }))
  }
})()`

/** Cells of trades that are hidden, or outside of the view. */
const OUT_OF_VIEW = `[...document.querySelectorAll('.trades tbody td')].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect()
  return width === 0 && one.textContent !== '' || left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1
}).slice(0, 3).map((one) => one.outerHTML)`

/** Controls without a name, as HTML. */
const UNNAMED = `[...document.querySelectorAll('a, button, input, select')].filter((one) =>
  !(one.ariaLabel || one.textContent.trim() || one.title || one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML)`

/** Brightness of `rgb(…)`, 0 to 255. */
function brightness(colour = ''): number {
  const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
  return parts.reduce((sum, part) => sum + part, 0) / 3
}
