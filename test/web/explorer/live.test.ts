// Time from the commit of a block to its row on an open page, in a real browser.
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { DecimalNumber } from '../../../indexer/store/copy/numeric.ts'
import type { LedgerRow } from '../../../indexer/store/rows.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { Branches } from '../../api/explore/stream/branches.ts'
import { testApi, testChain } from '../../support/api.ts'
import { Browser } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const BLOCKS = 100
/** Interval of blocks, ms. */
const INTERVAL = 500
/** From commit to row, milliseconds. */
const MAX_MS = 100

/** Records when each transaction's link first stands in the document, ms since 1970. */
const WATCH = `window.seen = {}
new MutationObserver(() => {
  for (const { pathname } of document.querySelectorAll('a[href*="/tx/"]'))
    window.seen[pathname.slice(-64)] ??= performance.timeOrigin + performance.now()
}).observe(document, { childList: true, subtree: true })`

type Shows = (row: LedgerRow) => boolean
const names = ({ row }: LedgerRow, name: string) => Object.values(row).includes(name)
/** Path, a text of the page, and the facts that it shows. */
const PAGES: readonly (readonly [path: string, title: string, isShown: Shows])[] = [
  ['/account/bob', 'Activity', (one) => names(one, 'bob')],
  ['/trades?usd=100', 'Large trades', ({ table }) => table === 'swaps'],
]

const chromium = await chromiumFor(t, 'pages live', { isLong: true })
if (chromium !== null) {
  t.setTimeout(900_000)
  t.test('a page shows a block soon after its commit', async (t) => {
    const seed = seedFromEnvironment()
    t.comment(`seed ${seed}`)
    const database = await testDatabase(t)
    const writer = await ChainWriter.open({ chain: 'wax', databaseUrl: database.url, chainId: null })
    t.teardown(() => writer.close())
    const chain = new Branches(new Random(seed))
    /** Writes a block. @returns the transaction of a fact that the page shows, and the time of the commit; null without one */
    const write = async (isShown: (row: LedgerRow) => boolean) => {
      const block = chain.next(0)
      // All swaps are large.
      const ledger = block.ledger.map((one) =>
        one.table === 'swaps' ? { ...one, row: { ...one.row, usd: new DecimalNumber(150n, 0) } } : one,
      )
      const batch = writer.newBatch()
      batch.add({ ...block, ledger })
      await writer.commit(batch)
      const at = performance.timeOrigin + performance.now()
      const found = ledger.find(isShown)
      return found?.at !== undefined ? { id: found.at.trxId, at } : null
    }
    await write(() => false)
    // Without its indexes a chain is still being filled, and its market is not served.
    await writer.buildIndexes()
    const api = await testApi(t, database, { chains: [testChain('wax')], maxLagSeconds: Number.MAX_SAFE_INTEGER })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.app.server.address() as AddressInfo
    const browser = await Browser.start(t, chromium)
    const view = { width: 1280, height: 900 }
    for (const [path, title, isShown] of PAGES)
      await t.test(path, async (t) => {
        const page = await browser.open(`http://wax.localhost:${port}${path}`, view, WATCH)
        await page.until(`document.querySelector('main').innerText.includes('${title}')`)
        await page.until(`!document.querySelector('.loading')`)
        const delays: number[] = []
        while (delays.length < BLOCKS) {
          await new Promise((resolve) => setTimeout(resolve, INTERVAL))
          const written = await write(isShown)
          if (written === null) continue
          const seen = `window.seen['${written.id}']`
          await page.until(seen)
          delays.push((await page.evaluate<number>(seen)) - written.at)
        }
        delays.sort((x, y) => x - y)
        const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN
        const figures = `${path}, ${BLOCKS} blocks: p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`
        process.stderr.write(`${figures}\n`)
        t.ok(at(0.95) < MAX_MS, figures)
        // The pools of these swaps do not exist: their names cannot be read.
        t.same(
          page.complaints.filter((one) => !/404.*\/api\/v3\/market\/pools\/|\/api\/v3\/market\/pools\/.*404/.test(one)),
          [],
        )
        await browser.closePages()
      })
  })
}
