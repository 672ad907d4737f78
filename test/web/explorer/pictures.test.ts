// The pages of the explorer at three widths, light and dark, compared with stored pictures. The chains are held at a block
// and the page's clock at its time. The status page is left out: it shows the server's clock. With HEADWATER_PICTURES=write the pictures are stored: look at them before a commit.
import { readdirSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { NOW as BRIDGE_NOW } from '../../api/bridge/scene.ts'
import { NOW, WAX_SCENE } from '../../api/exchange/scene.ts'
import { testApi, testChain } from '../../support/api.ts'
import { Browser } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { openPictures } from '../../support/browser/pictures.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { bridgePictures } from '../bridge/pictured.ts'
import { held } from './held.ts'

const STORED = new URL('../../fixtures/pictures/', import.meta.url).pathname
const WIDTHS = [320, 768, 1440]
/** Pages are cut here: what follows is more of the same table. */
const MAX_HEIGHT = 2500
/** Share of tiles that may differ: antialiasing, and the losses of the stored picture. */
const MAX_TILES = 0.002
/** All pictures in the repository. */
const MAX_BYTES = 3_000_000
/** Time for panels to load, milliseconds. */
const SETTLED_MS = 4000
const isWriting = process.env.HEADWATER_PICTURES === 'write'

const LINES_OF_BAR = `new Set([...document.querySelectorAll('.top nav a')].map(({ offsetTop }) => offsetTop)).size`
const CUT_TABLES = `[...document.querySelectorAll('main .scroll')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ ariaLabel }) => ariaLabel)`

/** Name, path, and an expression that is true when the page is complete. */
type Pictured = readonly [name: string, path: string, isComplete: string]

const rows = (selector: string, least: number) => `document.querySelectorAll('${selector}').length >= ${least}`
const PAGES: readonly Pictured[] = [
  ['markets', '/', `document.querySelector('[role=status].count')?.textContent === '8 of 8 markets'`],
  ['tokens', '/tokens', rows('.list tbody tr', 3)],
  ['trades', '/trades?usd=100', rows('.facts-list tbody tr', 50)],
  ['pool', '/pool/3', `document.querySelector('.chart')?.dataset.state === 'ready' && ${rows('tr[data-id]', 50)}`],
  ['positions', '/pool/3?tab=positions', `${rows('#pool-tab tbody tr', 4)} && ${rows('.liquidity rect', 61)}`],
  [
    'compared',
    '/pool/3?with=market:1&style=line',
    `document.querySelector('[data-is=compared] .other')?.textContent.includes('/') && ${rows('tr[data-id]', 50)}`,
  ],
  ['book', '/market/1', `document.querySelector('.chart')?.dataset.state === 'ready'`],
  ['token', '/token/tlm-alien.worlds', `document.querySelector('#markets-title')`],
  ['account', '/account/bob', rows('.facts-list tbody tr', 10)],
  ['block', '/block/99000000', `document.querySelector('h1')?.textContent === 'Block 99,000,000'`],
  ['not-found', '/nothing/here', `document.querySelector('main [role=combobox]')`],
]

const chromium = await chromiumFor(t, 'pictures of pages', { isLong: true })
if (chromium !== null) {
  t.setTimeout(1_800_000)
  t.test('pictures of pages', async (t) => {
    const browser = await Browser.start(t, chromium)
    const pictures = await openPictures(await browser.blank({ width: 800, height: 600 }))
    const check = async (t: Test, site: string, now: number, [name, path, isComplete]: Pictured) => {
      for (const width of WIDTHS)
        for (const dark of [false, true]) {
          const called = `${name}-${width}-${dark ? 'dark' : 'light'}`
          const page = await browser.blank({ width, height: 900, dark })
          await page.zone('UTC')
          await page.runBefore(held(now))
          await page.visit(`${site}${path}`)
          await page.until(`${isComplete} && document.fonts.status === 'loaded'`)
          // A panel without an answer stays as it is.
          await page.until(`!document.querySelector('.loading')`, SETTLED_MS).catch(() => {})
          // The chart draws in the frames after its data.
          await page.evaluate('new Promise((done) => setTimeout(done, 300))')
          // The scrollbar of a phone fades.
          await page.evaluate(`document.documentElement.style.scrollbarWidth = 'none'`)
          const png = await page.picture(called, MAX_HEIGHT)
          t.ok(
            await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
            `${called}: no horizontal scroll`,
          )
          t.equal(await page.evaluate(LINES_OF_BAR), 1, `${called}: the links of the bar in one line`)
          t.same(await page.evaluate(CUT_TABLES), [], `${called}: no column of a table is out of view`)
          // The page for an address that does not exist has the status 404.
          t.same(
            page.complaints.filter((text) => !text.includes('status of 404') || name !== 'not-found'),
            [],
            called,
          )
          await page.close()
          const file = join(STORED, `${called}.webp`)
          if (isWriting) {
            await pictures.store(file, png)
            continue
          }
          const found = await pictures.compare(file, png)
          if (found === null) t.fail(`${called}: no picture is stored`)
          else {
            t.equal(found.size, null, `${called}: its size`)
            const most = Math.round(found.count * MAX_TILES)
            t.ok(found.tiles.length <= most, `${called}: ${found.tiles.length} of ${found.count} tiles differ`, {
              tiles: found.tiles,
            })
          }
        }
    }
    await t.test('the exchange', async (t) => {
      const database = await testDatabase(t, { scene: WAX_SCENE })
      const chains = ['wax', 'telos'].map((chain) => testChain(chain))
      const options = { chains, maxLagSeconds: Number.MAX_SAFE_INTEGER, version: '1.2.3' }
      await database.pool.query(
        `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
         values ('wax', 99000000, sha256('block'), sha256('before'), $1, 'eosio') on conflict do nothing`,
        [new Date(NOW)],
      )
      await writePositions(database)
      const api = await testApi(t, database, options)
      await api.app.listen({ host: '127.0.0.1', port: 0 })
      const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
      const { rows } = await database.pool.query(
        `select encode(trx_id, 'hex') as trx from ledger.swaps where pool_id = 3 order by global_seq desc limit 1`,
      )
      await check(t, site, NOW, ['transaction', `/tx/${rows[0].trx}`, `document.querySelectorAll('.fact').length > 0`])
      for (const one of PAGES.toReversed()) await check(t, site, NOW, one)
    })
    await t.test('the bridge', async (t) => {
      const { site, pages } = await bridgePictures(t)
      for (const one of pages) await check(t, site, BRIDGE_NOW, one)
    })
    t.test('pictures are small in sum', async (t) => {
      const bytes = readdirSync(STORED).reduce((sum, name) => sum + statSync(join(STORED, name)).size, 0)
      t.ok(bytes > 0 && bytes <= MAX_BYTES, `${bytes} bytes`)
    })
  })
}

/** Positions of pool 3 with their ticks, around the tick of its price: the scene has none. */
async function writePositions({ pool }: TestDatabase): Promise<void> {
  const tick = -62_149
  await pool.query(`update state.pools set tick = $1, liquidity = 1e12 where chain = 'wax' and pool_id = 3`, [tick])
  await pool.query(
    `insert into state.positions (chain, pool_id, position_id, owner, tick_lower, tick_upper, liquidity,
       fee_growth_inside_a_last_x64, fee_growth_inside_b_last_x64, fees_a, fees_b)
     select 'wax', 3, id, owner, low, high, liquidity, 0, 0, fees, fees / 1000
     from (values (1, 'alice', -443580, 443580, 1e11, 1250000000), (2, 'bob', $1::int4 - 2991, $1::int4 + 3009, 3e11, 81000000),
       (3, 'carol', $1::int4 - 1191, $1::int4 + 609, 6e11, 0), (4, 'dave', $1::int4 + 909, $1::int4 + 2409, 4.5e11, 0))
       p(id, owner, low, high, liquidity, fees)`,
    [tick],
  )
  await pool.query(`insert into state.ticks (chain, pool_id, tick, liquidity_gross, liquidity_net, fee_growth_outside_a_x64,
      fee_growth_outside_b_x64, tick_cumulative_outside, seconds_per_liquidity_outside_x64, seconds_outside, initialized)
    select 'wax', 3, tick, sum(abs(net)), sum(net), 0, 0, 0, 0, 0, true
    from (select tick_lower as tick, liquidity as net from state.positions where pool_id = 3
      union all select tick_upper, -liquidity from state.positions where pool_id = 3) e group by tick`)
}
