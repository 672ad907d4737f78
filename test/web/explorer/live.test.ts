// Time from the commit of a block to its row on an open page, in a real browser.
import type { AddressInfo } from 'node:net'
import t from 'tap'
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
    /** Writes a block. @returns a transaction of bob in it, and the time of the commit; null without one */
    const write = async () => {
      const block = chain.next(0)
      // The swaps are of pools that do not exist.
      const ledger = block.ledger.filter(({ table }) => table !== 'swaps')
      const batch = writer.newBatch()
      batch.add({ ...block, ledger })
      await writer.commit(batch)
      const at = performance.timeOrigin + performance.now()
      const found = ledger.find(({ row }) => Object.values(row).includes('bob'))
      return found?.at !== undefined ? { id: found.at.trxId, at } : null
    }
    await write()
    // Without its indexes a chain is still being filled, and its market is not served.
    await writer.buildIndexes()
    const api = await testApi(t, database, { chains: [testChain('wax')], maxLagSeconds: Number.MAX_SAFE_INTEGER })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = api.app.server.address() as AddressInfo
    const browser = await Browser.start(t, chromium)
    const view = { width: 1280, height: 900 }
    const page = await browser.open(`http://wax.localhost:${port}/account/bob`, view, WATCH)
    await page.until(`document.querySelector('main').innerText.includes('Activity')`)
    const delays: number[] = []
    while (delays.length < BLOCKS) {
      await new Promise((resolve) => setTimeout(resolve, INTERVAL))
      const written = await write()
      if (written === null) continue
      const seen = `window.seen['${written.id}']`
      await page.until(seen)
      delays.push((await page.evaluate<number>(seen)) - written.at)
    }
    delays.sort((x, y) => x - y)
    const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN
    const figures = `${BLOCKS} blocks: p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`
    process.stderr.write(`${figures}\n`)
    t.ok(at(0.95) < MAX_MS, figures)
    t.same(page.complaints, [])
  })
}
