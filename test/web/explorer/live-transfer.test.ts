// The page of a bridge transfer follows the facts of the ledger's chain by the stream: timers of polls never fire here.
import t from 'tap'
import { arrival, burn, HEAD, HOUR, outcome, vaultDeposit } from '../../api/bridge/scene.ts'
import { Browser, ONE_RENDERER } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { openStage } from '../bridge/stage.ts'

/** Drops timers of polls, which are 2.5 s and longer, and keeps the streams of facts. */
const NO_POLLS = `(() => {
  const real = window.setTimeout
  window.streams = []
  window.WebSocket = class extends window.WebSocket {
    constructor(url) {
      super(url)
      if (String(url).includes('/stream/facts')) window.streams.push(this)
    }
  }
  window.setTimeout = (work, pause, ...more) => (pause >= 2500 ? 0 : real(work, pause, ...more))
})()`

/** Number of open streams of facts. */
const STREAMS = 'window.streams.filter(({ readyState }) => readyState === 1).length'

const chromium = await chromiumFor(t, 'a transfer live')
if (chromium !== null)
  t.test('a transfer live', async (t) => {
    const { scene, api, site } = await openStage(t)
    const idOf = (block: number) => block.toString(16).padStart(64, '0')
    /** Makes the rows that were added those of a new block of telos. */
    const commit = async (block: number) => {
      await scene.run(
        `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
         select 'telos', $1, decode($2, 'hex'), decode($3, 'hex'), block_time, 'p' from meta.position where chain = 'telos'`,
        ...[block, idOf(block), idOf(block - 1)],
      )
      await scene.run(
        `update meta.position set block_num = $1, head_num = $1, block_id = $2 where chain = 'telos'`,
        ...[block, idOf(block)],
      )
      await scene.run(`select pg_notify('headwater', 'telos')`)
      await api.catchUp()
    }
    await scene.add({ ago: HOUR }, vaultDeposit(7, { log_index: 1 }))
    await commit(HEAD + 1)
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    const page = await browser.open(`${site}/transfer/d:1:7`, { width: 1280, height: 900 }, NO_POLLS)
    await page.until(`document.querySelector('.timeline [data-state=done]') && !document.querySelector('.loading')`)
    t.notMatch(await page.evaluate<string>('document.body.innerText'), /Credited/)
    // The subscriptions of the streams are sent after the page is drawn.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    // The facts of a block are of its time, and the stream reads them by it.
    await scene.add({ ago: 0, block: HEAD + 2 }, arrival('credited', '1', 7))
    await commit(HEAD + 2)
    await page.until(`document.querySelector('.timeline').innerText.includes('Credited')`)
    await page.until(`document.querySelector('.heading .badge').innerText === 'Delivered'`)
    t.same(page.complaints, [])
    await page.until(`${STREAMS} === 1`)
    t.pass('the stream of wax is closed at the end')
    await browser.closePages()

    // An open transfer is asked for once, when the block of its burn becomes final.
    const block = HEAD + 3
    await scene.add({ ago: 0, block }, burn(90, '1'))
    await commit(block)
    const open = await browser.open(`${site}/transfer/w:90`, { width: 1280, height: 900 }, NO_POLLS)
    await open.until(`document.querySelector('.timeline [aria-current=step]') && !document.querySelector('.loading')`)
    await open.until(`${STREAMS} === 2`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const asked = () => open.addresses.filter((url) => url.includes('/hops/')).length
    const became = async (lib: number) => {
      await scene.run(`update meta.position set lib_num = $1 where chain = 'telos'`, lib)
      await commit(lib + 4)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return asked()
    }
    const before = asked()
    for (const lib of [block - 3, block - 2, block - 1]) t.equal(await became(lib), before, `final up to ${lib}`)
    t.equal(await became(block), before + 1, 'final')
    t.equal(await became(block + 1), before + 1, 'it stays final')

    // A block of an EVM chain, which has no stream of its own.
    await scene.add({ ago: 0, block: HEAD + 1 }, outcome('released', 90))
    await scene.run(
      `update meta.position set block_num = $1, head_num = $1, block_id = $2 where chain = 'mainnet'`,
      ...[HEAD + 1, idOf(HEAD + 1)],
    )
    await scene.run(`select pg_notify('headwater', 'mainnet ${HEAD + 1}')`)
    await open.until(`document.querySelector('.heading .badge').innerText === 'Delivered'`)
    await open.until(`document.querySelector('.timeline').innerText.includes('Paid out on Ethereum')`)
    t.same(open.complaints, [])
  })
