// Every figure of every page of the explorer equals the API's at the same block: text, hover, and what buttons copy. The
// chains are held at a block and the page's clock at its time. A figure that no expectation names fails the test.
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../config/load.ts'
import { NOW as BRIDGE_NOW } from '../../api/bridge/scene.ts'
import { DEVNET_HISTORY } from '../../docs/sql-history.ts'
import { testApi } from '../../support/api.ts'
import { Browser, ONE_RENDERER, type Page } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { testDatabase } from '../../support/database.ts'
import { bridgePictures } from '../bridge/pictured.ts'
import { accountPage, blockPage, searchHits, statusPage, tradesPage, transactionPage } from './figures/accounts.ts'
import { operatorPage, placesFrom, transferPage } from './figures/bridge.ts'
import { type Claims, copiedTexts, shownBy } from './figures/collect.ts'
import { type Get, namesFrom } from './figures/facts.ts'
import { count } from './figures/format.ts'
import { bookPage, depthView, marketsPage, poolCopies, poolPage, poolPositions, routeBox } from './figures/markets.ts'
import { tokenPage, tokensPage } from './figures/tokens.ts'
import { held } from './held.ts'

const VERSION = '1.2.3'
const SCREEN = { width: 1440, height: 900 }
/** Time in which a page shows all its figures, milliseconds. */
const SETTLED_MS = 15_000
const USDT = 'usdt-usdt.svc'

const chromium = await chromiumFor(t, 'figures of pages')
if (chromium !== null) {
  t.test('figures of pages', async (t) => {
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    t.afterEach(() => browser.closePages())

    const open = async (site: string, path: string, now: number): Promise<Page> => {
      const page = await browser.blank(SCREEN)
      await page.zone('UTC')
      await page.runBefore(held(now))
      await page.visit(`${site}${path}`)
      return page
    }
    /** Waits until a page shows exactly what is expected, then says where it differs. */
    const check = async (t: Test, page: Page, name: string, claims: Claims) => {
      const isAsExpected = (selector: string, texts: string[] = []) => {
        const wanted = claims[selector] ?? []
        return texts.length === wanted.length && texts.every((text, i) => isSame(wanted[i], text))
      }
      const end = Date.now() + SETTLED_MS
      let shown = await shownBy(page, claims)
      const isRight = () =>
        shown.left.length === 0 && Object.keys(claims).every((one) => isAsExpected(one, shown.found[one]))
      while (!isRight() && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        shown = await shownBy(page, claims)
      }
      for (const [selector, wanted] of Object.entries(claims)) {
        const texts = shown.found[selector] ?? []
        const named = wanted.map((one, i) =>
          typeof one === 'string' ? one : isSame(one, texts[i] ?? '') ? texts[i] : '?',
        )
        t.same(texts, named, `${name}: ${selector}`)
      }
      t.same(shown.left, [], `${name}: every figure is expected`)
    }

    await t.test('the exchange', async (t) => {
      const database = await testDatabase(t, DEVNET_HISTORY)
      const folder = new URL('../../../config/demo/', import.meta.url).pathname
      const { config } = loadConfig({ env: {}, folder, program: { chains: ['wax', 'telos'] } })
      const api = await testApi(t, database, {
        chains: config.chains,
        maxLagSeconds: Number.MAX_SAFE_INTEGER,
        version: VERSION,
      })
      await api.app.listen({ host: '127.0.0.1', port: 0 })
      const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
      const get: Get = async (path) => {
        const { status, text, body } = await api.get(path)
        if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
        return body
      }
      const [position] = (await database.pool.query(`select * from meta.position where chain = 'wax'`)).rows
      const now = Date.parse(position.block_time)
      const names = await namesFrom(get)
      const footer = {
        '.bottom': [`wax block ${count(Number(position.block_num))} API Limits openapi.json Headwater ${VERSION}`],
      }
      const show = async (t: Test, path: string, name: string, claims: Claims) => {
        const page = await open(site, path, now)
        await check(t, page, name, { ...footer, ...claims })
        return page
      }
      const one = async (sql: string) => (await database.pool.query(sql)).rows[0]

      t.test('markets', async (t) => void (await show(t, '/', 'markets', await marketsPage(get))))
      t.test('tokens', async (t) => void (await show(t, '/tokens', 'tokens', await tokensPage(get))))
      t.test('a pool', async (t) => {
        const page = await show(t, '/pool/0', 'pool', await poolPage(get, 0, now))
        t.same(await copiedTexts(page), await poolCopies(get, 0), 'copied exactly')
        await page.click('#tab-positions')
        const { '.trades tbody tr': _, ...rest } = await poolPage(get, 0, now)
        const list = await poolPositions(get, 0)
        await check(t, page, 'positions', { ...footer, ...rest, ...list })
        const { pool } = await get('/api/v3/market/pools/0')
        await page.fill('.route-form input', '12.5')
        const contract = { '[aria-labelledby=contract-title] .facts > div': rest['.facts > div'] ?? [] }
        const { '.facts > div': __, ...others } = rest
        const route = await routeBox(get, [pool.tokenA, pool.tokenB], '12.5')
        await check(t, page, 'route', { ...footer, ...others, ...list, ...contract, ...route })
      })
      t.test('an order book', async (t) => {
        const { orderbooks } = await get('/api/v3/market/orderbooks')
        const { id } = orderbooks[0]
        const claims = await bookPage(get, id, now)
        const page = await show(t, `/market/${id}`, 'book', claims)
        await page.click('[aria-labelledby=book-title] .choice button:last-child')
        const { '.asks tr': _, '.bids tr': __, '.spread': ___, ...rest } = claims
        await check(t, page, 'depth', { ...footer, ...rest, ...(await depthView(get, id)) })
      })
      t.test(
        'a token',
        async (t) => void (await show(t, `/token/${USDT}`, 'token', await tokenPage(get, USDT, names, now))),
      )
      t.test('accounts: with orders, with positions', async (t) => {
        for (const kind of ['orders', 'positions']) {
          const owner = kind === 'orders' ? 'account' : 'owner'
          const { name } = await one(
            `select ${owner} as name from state.${kind} where chain = 'wax' ${kind === 'orders' ? '' : 'and liquidity > 0'} group by 1 order by count(*) between 2 and 40 desc, 1 limit 1`,
          )
          if (kind === 'positions') {
            // A closed position whose fees are still to be collected: it is in the totals, so it is in the list.
            const closed = `update state.positions set liquidity = 0, fees_a = 1234567 where chain = 'wax' and position_id =
              (select min(position_id) from state.positions where chain = 'wax' and owner = $1 and liquidity > 0)`
            await database.pool.query(closed, [name])
            const { positions } = await get(`/api/v3/explore/account/${name}`)
            t.ok(positions.some(({ liquidity }: { liquidity: string }) => liquidity === '0'))
          }
          await show(t, `/account/${name}`, `account ${name}`, await accountPage(get, name, names, now))
        }
      })
      t.test('balances of an incomplete state', async (t) => {
        const { name } = await one(
          `select account as name from state.balances where chain = 'wax' and amount > 0 limit 1`,
        )
        const part =
          'Incomplete: the indexed history began without the full state of the chain, so balances, positions and orders that have not changed since then are missing.'
        const { state_block: whole } = await one(`select state_block from meta.position where chain = 'wax'`)
        await database.pool.query(`update meta.position set state_block = null where chain = 'wax'`)
        await show(t, `/account/${name}`, name, {
          ...(await accountPage(get, name, names, now)),
          '.part': [part, part],
        })
        await show(t, `/token/${USDT}`, USDT, { ...(await tokenPage(get, USDT, names, now)), '.part': [part, part] })
        const { '.trades tbody tr': _, ...pool } = await poolPage(get, 0, now)
        const positions = { ...pool, ...(await poolPositions(get, 0)) }
        await show(t, '/pool/0?tab=positions', 'a pool', { ...positions, '.part': [part, part] })
        await database.pool.query(`update meta.position set state_block = $1 where chain = 'wax'`, [whole])
      })
      t.test('transactions and a block', async (t) => {
        for (const table of ['swaps', 'deals', 'position_events']) {
          const { id, num } = await one(
            `select encode(trx_id, 'hex') as id, block_num::int as num from ledger.${table} where chain = 'wax' order by global_seq desc limit 1`,
          )
          const { claims, copies } = await transactionPage(get, id, names, now)
          const page = await show(t, `/tx/${id}`, `transaction of ${table}`, claims)
          t.same(await copiedTexts(page), copies, 'copied exactly')
          if (table !== 'swaps') continue
          const block = await blockPage(get, num, names, now)
          const other = await show(t, `/block/${num}`, 'block', block.claims)
          t.same(await copiedTexts(other), block.copies, 'copied exactly')
        }
      })
      t.test(
        'large trades',
        async (t) => void (await show(t, '/trades?usd=100', 'trades', await tradesPage(get, names, now))),
      )
      t.test('the status', async (t) => void (await show(t, '/chains', 'status', await statusPage(get, VERSION, now))))
      t.test('what the search finds', async (t) => {
        const page = await open(site, '/tokens', now)
        const list = await tokensPage(get)
        for (const [text, byForm] of [
          ['wax', ['wax Account']],
          ['5', ['5 Block']],
        ] as const) {
          await page.fill('.top [role=combobox]', text)
          await check(t, page, `search for ${text}`, { ...footer, ...list, ...(await searchHits(get, text, byForm)) })
        }
      })
    })

    await t.test('the bridge', async (t) => {
      const { site, get } = await bridgePictures(t)
      const places = await placesFrom(get)
      const footer = { '.bottom': ['API Limits openapi.json Bridge operators Headwater 0.0.0'] }
      for (const key of ['d:1:7', 'w:5', 'w:8']) {
        const page = await open(site, `/transfer/${key}`, BRIDGE_NOW)
        await check(t, page, `transfer ${key}`, { ...footer, ...(await transferPage(get, key, places, BRIDGE_NOW)) })
      }
      const page = await open(site, '/bridge/operator', BRIDGE_NOW)
      await check(t, page, 'operators', { ...footer, ...(await operatorPage(get, BRIDGE_NOW)) })
    })
  })
}

function isSame(wanted: Claims[string][number] | undefined, text: string): boolean {
  return typeof wanted === 'function' ? wanted(text) : wanted === text
}
