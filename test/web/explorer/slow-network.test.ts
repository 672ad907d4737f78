// The pages over a slow network in a real browser, from an empty cache: time until a page can be used, time until the
// chart has candles, and how far things move while it loads.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { NOW, WAX_SCENE } from '../../api/exchange/scene.ts'
import { testApi, testChain } from '../../support/api.ts'
import { Browser } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { testDatabase } from '../../support/database.ts'

/** Of a mobile network: delay of each request, ms, and 1.6 Mbit/s. */
const LATENCY_MS = 150
const BYTES_PER_SECOND = 200_000
/** Bounds of the pages, ms, and of the layout shift score (web.dev/cls). */
const MAX_USABLE_MS = 1500
const MAX_CANDLES_MS = 2500
const MAX_SHIFT = 0.05
const ROUNDS = 3
/** Time in which late answers may still move things, ms. */
const SETTLED_MS = 2500

/** Path, and whether the page has a chart. */
const PAGES: readonly (readonly [path: string, hasChart: boolean])[] = [
  ['/', false],
  ['/pool/3', true],
  ['/market/1', true],
  ['/token/tlm-alien.worlds', false],
  ['/account/bob', false],
  ['/trades?usd=100', false],
  ['/block/99000000', false],
]
const WIDTHS = [360, 1440]

/** Notes when the search can be used, when the chart has candles, and each shift without an action of the user. */
const MEASURE = `window.measured = { usable: null, candles: null, shift: 0 }
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.measured.shift += value
}).observe({ type: 'layout-shift', buffered: true })
const look = () => {
  const { measured } = window
  if (document.querySelector('header [role=combobox]')) measured.usable ??= performance.now()
  if (document.querySelector('.chart')?.dataset.state === 'ready') measured.candles ??= performance.now()
  requestAnimationFrame(look)
}
look()`

interface Measured {
  /** Milliseconds from the beginning of the navigation. */
  usable: number
  candles: number | null
  /** Sum of all layout shifts: at least the score, which counts the worst five seconds. */
  shift: number
}

const chromium = await chromiumFor(t, 'pages over a slow network', { isLong: true })
if (chromium !== null) {
  t.setTimeout(900_000)
  t.test('pages over a slow network', async (t) => {
    const database = await testDatabase(t, { scene: WAX_SCENE })
    await database.pool.query(
      `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       values ('wax', 99000000, sha256('block'), sha256('before'), $1, 'eosio') on conflict do nothing`,
      [new Date(NOW)],
    )
    const chains = ['wax', 'telos'].map((chain) => testChain(chain))
    const api = await testApi(t, database, { chains, maxLagSeconds: Number.MAX_SAFE_INTEGER })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
    const browser = await Browser.start(t, chromium)
    const load = async (path: string, hasChart: boolean, width: number): Promise<Measured> => {
      const page = await browser.blank({ width, height: 900 })
      await page.runBefore(MEASURE)
      await page.slowDown(LATENCY_MS, BYTES_PER_SECOND)
      await page.visit(`${site}${path}`)
      await page.until(`measured.usable !== null && ${hasChart ? 'measured.candles !== null' : 'true'}`)
      await page.evaluate(`new Promise((done) => setTimeout(done, ${SETTLED_MS}))`)
      const measured = await page.evaluate<Measured>('window.measured')
      await page.close()
      return measured
    }
    // The first load of all makes the bundle, and starts parts of the browser.
    await load('/', false, 1440)
    for (const [path, hasChart] of PAGES)
      for (const width of WIDTHS) {
        const rounds: Measured[] = []
        while (rounds.length < ROUNDS) rounds.push(await load(path, hasChart, width))
        const median = (values: number[]) => values.sort((a, b) => a - b)[(ROUNDS - 1) / 2] as number
        const usable = Math.round(median(rounds.map((round) => round.usable)))
        const candles = hasChart ? Math.round(median(rounds.map((round) => round.candles as number))) : null
        const shift = Math.max(...rounds.map((round) => round.shift))
        const where = `${path} at ${width} px`
        const chart = candles === null ? '' : `, candles after ${candles} ms`
        process.stderr.write(`${where}: usable after ${usable} ms${chart}, shift ${shift.toFixed(4)}\n`)
        t.ok(usable < MAX_USABLE_MS, `${where}: usable after ${usable} ms`)
        if (candles !== null) t.ok(candles < MAX_CANDLES_MS, `${where}: candles after ${candles} ms`)
        t.ok(shift < MAX_SHIFT, `${where}: shift ${shift.toFixed(4)}`)
      }
  })
}
