// Pages follow blocks by the streams alone: timers of polls never fire here. In a long run, the time from the commit of a
// block to its figures on an open page is measured; in a short one, that they come.
import t, { type Test } from 'tap'
import { required } from '../../../core/required.ts'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { LiveExchange } from '../../api/market/stream/live-exchange.ts'
import { Browser, ONE_RENDERER, type Page } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { until } from '../../support/until.ts'

const isLong = Boolean(process.env.HEADWATER_TEST_LONG)
const BLOCKS = isLong ? 100 : 2
const FINAL_BLOCKS = isLong ? 20 : 1
const FORKS = isLong ? 8 : 1
/** Interval of blocks, ms. */
const INTERVAL = 500
/** A row of the list of markets is read every two seconds at most. */
const INTERVAL_OF_ROWS = 2500
/** From commit to page, milliseconds. */
const MAX_MS = 100
/** After a fork the first answer can be of the replaced branch. */
const MAX_FORK_MS = 500
/** Limit of the time between a commit and its note, milliseconds. */
const NOTE_MS = 50
const SCREEN = { width: 1440, height: 900 }

/**
 * Drops timers of polls, which are 2.5 s and longer, keeps the WebSockets in `window.sockets`, and records when each text,
 * with the exact figures of its titles, of `window.watched`, selectors by name, first stood in the document, ms since 1970.
 */
const WATCH = `(() => {
  const real = window.setTimeout
  window.setTimeout = (work, pause, ...more) => (pause >= 2500 ? 0 : real(work, pause, ...more))
  window.sockets = []
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url)
      window.sockets.push(this)
    }
  }
  window.texts = {}
  window.note = () => {
    for (const [name, selector] of Object.entries(window.watched ?? {})) {
      const one = document.querySelector(selector)
      const titles = [...(one?.querySelectorAll('[title]') ?? [])].map(({ title }) => title)
      const text = [one?.innerText ?? '', ...titles].join(' ')
      const all = (window.texts[name] ??= [])
      if (all.at(-1)?.text !== text) all.push({ text, at: performance.timeOrigin + performance.now() })
    }
  }
  new MutationObserver(window.note).observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: ['title'] })
})()`

/** The newest text of each name. */
const TEXTS = 'Object.fromEntries(Object.entries(window.texts).map(([name, all]) => [name, all.at(-1).text]))'

type Watched = Record<string, string>

const chromium = await chromiumFor(t, 'pages follow blocks')
if (chromium !== null) {
  t.setTimeout(2_400_000)
  t.test('pages follow blocks', async (t) => {
    const live = await LiveExchange.start(t, {
      maxLagSeconds: Number.MAX_SAFE_INTEGER,
      // Finality comes by `progress=true` alone.
      facts: { progressMs: 3_600_000 },
    })
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    const site = `http://wax.localhost:${live.port}`
    const { orderbooks } = (await live.api.get('/api/v3/market/orderbooks?token=tlm-alien.worlds')).body
    const book = orderbooks[0].id
    let round = 0
    /** A swap in pool 2 and a deal in the book of TLM: the second order takes the first, above all bids. */
    const trade = (): ActionCall[][] => {
      const amount = 100 + round++
      return [
        live.swap('WAX', 'TLM', 500 + round, [2]),
        live.order('TLM', amount, 'WAX', amount / 10, 'bob'),
        live.order('WAX', amount / 5, 'TLM', amount, 'alice.trade'),
      ]
    }
    live.block(trade())
    await live.caughtUp()

    const open = async (path: string, watched: Watched): Promise<Page> => {
      const page = await browser.open(`${site}${path}`, SCREEN, WATCH)
      for (const selector of Object.values(watched)) await page.until(`document.querySelector('${selector}')`)
      await page.until(`!document.querySelector('.loading')`)
      await page.evaluate(`window.watched = ${JSON.stringify(watched)}; window.note()`)
      await page.until(`window.sockets.length > 0 && window.sockets.every(({ readyState }) => readyState !== 0)`)
      // The server takes the subscriptions that the page sent when the sockets opened.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return page
    }
    /**
     * Waits for a text of each name that is newer than the commit of a block; the note of the commit may be a little late.
     *
     * @returns milliseconds from the commit to the last one
     */
    const changed = async (page: Page, watched: Watched, counts: Record<string, number>, block: number) => {
      await until('the commit is noted', () => live.commits.has(block))
      const commit = required(live.commits.get(block), 'a commit')
      let last = 0
      for (const name of Object.keys(watched)) {
        const newer = `window.texts.${name}.slice(${counts[name]}).find(({ at }) => at > ${commit - NOTE_MS})`
        await page.until(newer)
        last = Math.max(last, await page.evaluate<number>(`${newer}.at`))
      }
      return last - commit
    }
    const countsOf = (page: Page) =>
      page.evaluate<Record<string, number>>(
        'Object.fromEntries(Object.entries(window.texts).map(([name, all]) => [name, all.length]))',
      )
    const judge = (t: Test, path: string, delays: number[], most = MAX_MS) => {
      delays.sort((x, y) => x - y)
      const at = (share: number) => delays[Math.floor(delays.length * share)]?.toFixed(0)
      const figures = `${path}, ${delays.length} blocks: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
      t.comment(figures)
      if (!isLong) return
      process.stderr.write(`${figures}\n`)
      t.ok(Number(at(0.95)) < most, figures)
    }

    const pages: Record<string, Watched> = {
      '/': {
        pool: '[data-key="wax/pool/2"] td:nth-child(6)',
        book: `[data-key="wax/market/${book}"] td:nth-child(6)`,
        totals: '.tile:nth-child(4) strong',
      },
      '/tokens': { price: 'tr:has([href$="/token/tlm-alien.worlds"]) td:nth-child(2)' },
      '/pool/2': {
        price: '[data-is=price]',
        swap: '.trades tbody tr:first-child .in',
        volume: '.figure:nth-of-type(2)',
        candle: '.chart-panel .reading',
      },
      [`/market/${book}`]: {
        deal: '.trades tbody tr:first-child .in',
        volume: '.figure:nth-of-type(2)',
        candle: '.chart-panel .reading',
      },
      '/token/tlm-alien.worlds': {
        price: '[data-is=price]',
        trades: '[aria-labelledby=about-title] .facts',
        transfer: '.facts-list tbody tr:first-child .in',
      },
    }
    // Connections of the stream of facts are limited for all visitors together, so pages that everybody opens have none.
    const withoutFacts = ['/', '/tokens']
    for (const [path, watched] of Object.entries(pages))
      await t.test(path, async (t) => {
        const page = await open(path, watched)
        const delays: number[] = []
        for (let blocks = 0; blocks < BLOCKS; blocks++) {
          await new Promise((resolve) => setTimeout(resolve, path === '/' ? INTERVAL_OF_ROWS : INTERVAL))
          const counts = await countsOf(page)
          const num = live.block(trade())
          await live.caughtUp()
          delays.push(await changed(page, watched, counts, num))
        }
        judge(t, path, delays)
        const sockets = await page.evaluate<string[]>('window.sockets.map(({ url }) => url)')
        if (withoutFacts.includes(path))
          t.notOk(
            sockets.some((url) => url.includes('/stream/facts')),
            'no facts',
          )
        t.same(page.complaints, [])
        await browser.closePages()
      })

    const compared = `/pool/2?with=market:${book}`
    for (const [path, watched] of [
      ['/', required(pages['/'], 'a page')],
      [compared, required(pages['/pool/2'], 'a page')],
    ] as const)
      await t.test(`${path}: a hidden page requests nothing until it is seen`, async (t) => {
        const page = await open(path, watched)
        const asked = () => page.addresses.filter((url) => url.includes('/api/')).length
        const show = (isHidden: boolean) =>
          page.evaluate(
            `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
          )
        await show(true)
        const [before, all, counts] = [asked(), page.addresses.length, await countsOf(page)]
        const num = live.block(trade())
        await live.caughtUp()
        await new Promise((resolve) => setTimeout(resolve, INTERVAL_OF_ROWS))
        t.equal(asked(), before)
        await show(false)
        await changed(page, watched, counts, num)
        t.ok(asked() > before)
        if (path === compared) {
          const charts = page.addresses.slice(all).filter((url) => /\/(candles|charts)\?/.test(url))
          t.ok(charts.length >= 2, 'the candles of both markets')
        }
        t.same(page.complaints, [])
        await browser.closePages()
      })

    await t.test('while blocks come by the dozen, candles are read twice a second for each market', async (t) => {
      const page = await open(compared, { candle: '.chart-panel .reading' })
      const asked = () => page.addresses.filter((url) => /\/(candles|charts)\?/.test(url)).length
      const [before, began] = [asked(), Date.now()]
      for (let i = 0; i < 40; i++) {
        live.block(trade())
        await live.caughtUp()
      }
      const seconds = (Date.now() - began) / 1000
      // Two markets, two and a half requests a second, and the last ones.
      const most = Math.ceil(2 * 2.5 * seconds) + 4
      const count = asked() - before
      t.ok(count > 0 && count <= most, `${count} requests in ${seconds.toFixed(1)} s`)
      await browser.closePages()
    })

    for (const [path, watched] of Object.entries(pages))
      await t.test(`${path}: a fork takes a block back`, async (t) => {
        const page = await open(path, watched)
        const delays: number[] = []
        for (let forks = 0; forks < FORKS; forks++) {
          live.block()
          await live.caughtUp()
          await new Promise((resolve) => setTimeout(resolve, INTERVAL_OF_ROWS))
          const old = await page.evaluate<Record<string, string>>(TEXTS)
          const counts = await countsOf(page)
          const num = live.block(trade())
          await live.caughtUp()
          await changed(page, watched, counts, num)
          live.chain.fork(1)
          live.commits.delete(num)
          live.block()
          await live.caughtUp()
          await until('the commit is noted', () => live.commits.has(num))
          await page.until(`JSON.stringify(${TEXTS}) === ${JSON.stringify(JSON.stringify(old))}`, 20_000)
          const last = await page.evaluate<number>(
            'Math.max(...Object.values(window.texts).map((all) => all.at(-1).at))',
          )
          delays.push(last - required(live.commits.get(num), 'a commit'))
        }
        judge(t, `${path}, a fork`, delays, MAX_FORK_MS)
        t.same(page.complaints, [])
        await browser.closePages()
      })

    for (const kind of ['transaction', 'block', 'account'])
      await t.test(`${kind}: it becomes final`, async (t) => {
        const delays: number[] = []
        for (let blocks = 0; blocks < FINAL_BLOCKS; blocks++) {
          const num = live.block(trade())
          await live.caughtUp()
          const { facts } = (await live.api.get(`/api/v3/explore/block/${num}`)).body
          const path = { block: `/block/${num}`, transaction: `/tx/${facts[0].transaction}`, account: '/account/bob' }
          const mark = kind === 'account' ? '.facts-list tbody tr:first-child .kind' : '.facts .badge'
          const page = await open(path[kind as keyof typeof path], { mark })
          const first = await page.evaluate<string>('window.texts.mark[0].text')
          t.match(first, /not final/i)
          const counts = await countsOf(page)
          let last = num
          do {
            last = live.block([], 'strong')
            await live.caughtUp()
          } while (!(await isFinal(live, num)))
          delays.push(await changed(page, { mark }, counts, last))
          const now = await page.evaluate<string>('window.texts.mark.at(-1).text')
          t.notMatch(now, /not final/i)
          t.same(page.complaints, [])
          await browser.closePages()
        }
        judge(t, `${kind}, head to final`, delays)
      })
  })
}

async function isFinal({ database }: LiveExchange, block: number): Promise<boolean> {
  const { rows } = await database.pool.query(`select lib_num >= $1 as final from meta.position where chain = 'wax'`, [
    block,
  ])
  return rows[0].final
}
