// Names, logos and memos of strangers in a real browser: nothing of them runs, nothing is requested elsewhere, the policy
// of the page stops nothing because nothing tries, and on the smallest phone no text leaves its place.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { NOW, WAX_SCENE } from '../../api/exchange/scene.ts'
import { testApi, testChain } from '../../support/api.ts'
import { Browser, ONE_RENDERER } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { checkLaws } from '../../support/browser/laws.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

const VIEWS = [
  { width: 320, height: 740 },
  { width: 1280, height: 900 },
]
/** As long as the chain allows: seven letters, twelve in the contract's name. */
const WIDE = { symbol: 'WWWWWWW', contract: 'wwwwwwwwwwww', id: 'wwwwwww-wwwwwwwwwwww' }
/** Looks like another token. */
const SAME = { symbol: 'USDT', contract: 'usdt.svc.111', id: 'usdt-usdt.svc.111' }
const ATTACKS = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`
const MEMOS = [
  ATTACKS,
  `"><svg onload=window.hit=1></svg><iframe src="javascript:parent.hit=1"></iframe>`,
  'javascript:window.hit=1 https://evil.example/x data:text/html,<script>window.hit=1</script>',
  // The second half is written from right to left over what follows, where nothing stops it.
  'pay \u202e 01 ot dnes',
  'pay \u202e\u2066 01 ot dnes \u202d reversed',
  'a\u200bb\u200c\u200d\u2060\ufeff'.repeat(40),
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(20),
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f'.repeat(25),
  'W'.repeat(256),
  'https://example.example/'.padEnd(256, 'x'),
  `line\nanother\ttab ${'{{config}}'} \${window.hit=1}`,
]

const chromium = await chromiumFor(t, 'texts of strangers')
if (chromium !== null) {
  t.test('texts of strangers', async (t) => {
    const database = await testDatabase(t, { scene: WAX_SCENE })
    await addStrangers(database)
    const logoDir = hostileLogos(t)
    const api = await testApi(t, database, {
      chains: [testChain('wax')],
      maxLagSeconds: Number.MAX_SAFE_INTEGER,
      version: '1.2.3',
      logoDir,
    })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const site = `http://wax.localhost:${(api.app.server.address() as AddressInfo).port}`
    const browser = await Browser.start(t, chromium, [ONE_RENDERER])
    t.afterEach(() => browser.closePages())

    const visit = async (t: Test, path: string, isComplete: string) => {
      for (const view of VIEWS) {
        const name = `${path} at ${view.width}`
        const page = await browser.open(`${site}${path}`, view, WATCH)
        await page.until(isComplete)
        await page.until(`!document.querySelector('.loading')`, 4000).catch(() => {})
        await page.until(
          `[...document.images].every((one) => one.complete || one.getClientRects().length === 0 || one.getBoundingClientRect().top > innerHeight)`,
        )
        t.same(await page.evaluate('window.seen'), [], `${name}: no dialog, no violation of the policy`)
        t.notOk(await page.evaluate('"hit" in window'), `${name}: nothing ran`)
        t.same(await page.evaluate(`document.querySelectorAll('main :is(script, iframe, object, embed)').length`), 0)
        await checkLaws(t, page, site, name)
        t.same(await page.evaluate(OUTSIDE), [], `${name}: every text is in its place`)
      }
    }

    t.test('memos', async (t) => {
      const isComplete = `document.querySelectorAll('.memo').length >= ${MEMOS.length}`
      await visit(t, '/account/stranger', isComplete)
      await visit(t, '/block/99000001', isComplete)
      await visit(t, `/tx/${'7f'.repeat(32)}`, isComplete)
      const page = await browser.open(`${site}/tx/${'7f'.repeat(32)}`, VIEWS[1] as (typeof VIEWS)[1])
      await page.until(isComplete)
      const shown = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.memo')].map((one) => one.textContent)`,
      )
      t.same(shown, MEMOS, 'each as it was written')
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`)
      t.same(await page.evaluate(TURNED), [], 'what follows a text keeps its direction')
      t.same(await page.evaluate(OUTSIDE), [], 'every column is in its place')
    })
    t.test('names of tokens', async (t) => {
      await visit(t, '/', `document.querySelectorAll('[data-key]').length > 5`)
      await visit(t, '/tokens', `document.querySelector('main').innerText.includes('${WIDE.symbol}')`)
      await visit(t, '/pool/90', `document.querySelectorAll('tr[data-id]').length > 0`)
      await visit(t, `/token/${WIDE.id}`, `document.querySelector('.score')`)
      await visit(t, `/token/${SAME.id}`, `document.querySelector('main').innerText.includes('${SAME.contract}')`)
    })
    t.test('logos: files are images only, and what is no image gives way to a made picture', async (t) => {
      const page = await browser.open(`${site}/pool/90`, VIEWS[1] as (typeof VIEWS)[1], WATCH)
      await page.until(`document.querySelectorAll('tr[data-id]').length > 0`)
      await page.until(
        `[...document.images].every((one) => one.complete || one.getClientRects().length === 0 || one.getBoundingClientRect().top > innerHeight)`,
      )
      const marks = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.market-head .mark')].map((one) => one.localName + ' ' + (one.getAttribute('src') ?? ''))`,
      )
      t.same(
        marks,
        ['svg ', `img /explorer/logos/wax/${SAME.id}`],
        'the broken one is replaced, the one with a script is an image',
      )
      t.notOk(await page.evaluate('"hit" in window'), 'its script did not run')
      const large = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.market-head .mark')].map((one) => one.getBoundingClientRect().width)`,
      )
      t.ok(
        large.every((width) => width > 0 && width < 40),
        `widths of ${large}`,
      )
      const own = await browser.open(`${site}/explorer/logos/wax/${SAME.id}`, VIEWS[1] as (typeof VIEWS)[1])
      t.notOk(await own.evaluate('"hit" in window'), 'nor when it is opened as a page')
      const { status, headers } = await api.get(`/explorer/logos/wax/${SAME.id}`)
      t.match([status, headers['content-type'], headers['x-content-type-options']], [200, 'image/svg+xml', 'nosniff'])
      for (const path of ['wax/none-none', 'telos/usdt-usdt.svc', 'wax/..%2f..%2fpackage', 'wax/%2e%2e'])
        t.equal((await api.get(`/explorer/logos/${path}`)).status, 404, path)
    })
  })
}

/** Counts dialogs and violations of the content security policy. */
const WATCH = `window.seen = []
  for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => void window.seen.push(name)
  addEventListener('securitypolicyviolation', (event) => window.seen.push(event.violatedDirective + ' ' + event.blockedURI))`

/** Visible texts outside of their cell or panel, by more than a pixel. A scrolling region may be wider than the view. */
const OUTSIDE = `(() => {
  const found = []
  for (const text of document.querySelectorAll('main :is(.memo, .pair, h1, dd, .words > span, .tile strong, td > a, td > span)')) {
    const place = text.closest('td, th, dd, .tile, .fact, .heading, main')
    if (place === null || text.getClientRects().length === 0) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const [inner, outer] = [range.getBoundingClientRect(), (place === text ? text.parentElement : place).getBoundingClientRect()]
    const isCut = ['hidden', 'clip'].includes(getComputedStyle(text).overflowX) || ['hidden', 'clip'].includes(getComputedStyle(place).overflowX)
    const isScrolled = text.closest('.scroll') !== null && place.closest('.facts-list') === null
    if (!isCut && !isScrolled && (inner.right > outer.right + 1 || inner.left < outer.left - 1))
      found.push(text.textContent.slice(0, 60) + ': ' + [inner.left, inner.right, outer.left, outer.right].map(Math.round))
  }
  return found
})()`

/** Copy buttons that are before the text that they follow: a control character of the text has turned the line. */
const TURNED = `[...document.querySelectorAll('.columns dd')].flatMap((one) => {
  const button = one.querySelector('.copy')
  const range = document.createRange()
  range.setStartBefore(one.firstChild)
  range.setEndBefore(button)
  const rects = [...range.getClientRects()]
  const last = rects.at(-1)
  const at = button.getBoundingClientRect()
  return last !== undefined && at.top < last.bottom && at.bottom > last.top && at.left < last.right - 1 ? [one.textContent.slice(0, 60)] : []
})`

/** A pool of two tokens with such names, and a transaction with such memos. */
async function addStrangers({ pool }: TestDatabase): Promise<void> {
  const change = {
    pool_id: 90,
    contract_a: WIDE.contract,
    symbol_a: WIDE.symbol,
    contract_b: SAME.contract,
    symbol_b: SAME.symbol,
    reserve_a: '9000000000000000000',
    reserve_b: '9000000000000000000',
  }
  for (const table of ['state.pools', 'ledger.pool_creations'])
    await pool.query(`insert into ${table} select (jsonb_populate_record(p, $1)).* from ${table} p where pool_id = 3`, [
      table === 'state.pools' ? change : { ...change, global_seq: 90 },
    ])
  await pool.query(
    `insert into ledger.swaps select (jsonb_populate_record(s, $1 || jsonb_build_object('global_seq', s.global_seq + 1))).* from ledger.swaps s
     where pool_id = 3 order by global_seq desc limit 5`,
    [
      {
        pool_id: 90,
        sender: 'wwwwwwwwwwww',
        recipient: 'wwwwwwwwwwww',
        amount_a: '-9000000000000000000',
        amount_b: '9000000000000000000',
      },
    ],
  )
  const at = new Date(NOW)
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     values ('wax', 99000001, sha256('strange'), sha256('before'), $1, 'eosio')`,
    [at],
  )
  for (const [i, memo] of MEMOS.entries())
    await pool.query(
      `insert into ledger.transfers (chain, block_num, block_time, global_seq, trx_id, contract, symbol, decimals, from_account, to_account, amount, memo)
       values ('wax', 99000001, $1, $2, decode($3, 'hex'), $4, $5, 8, 'stranger', 'bob', 9000000000000000000, $6)`,
      [at, 900_000 + i, '7f'.repeat(32), WIDE.contract, WIDE.symbol, memo],
    )
  await pool.query('update meta.position set block_num = 99000001, head_num = 99000001')
}

/** A folder of logos: a script in an SVG, and a text that is no image. */
function hostileLogos(t: Test): string {
  const folder = t.testdir({})
  mkdirSync(join(folder, 'wax'))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000" onload="window.hit=1;top.hit=1">
    <script>window.hit = 1; top.hit = 1; fetch('https://evil.example/')</script>
    <image href="https://evil.example/pixel.png"/><rect width="100000" height="100000" fill="red"/>
    <!-- ${'x'.repeat(2_000_000)} --></svg>`
  writeFileSync(join(folder, 'wax', `${SAME.id}.svg`), svg)
  writeFileSync(join(folder, 'wax', `${WIDE.id}.png`), ATTACKS)
  writeFileSync(join(folder, 'wax', 'not a token.png'), ATTACKS)
  return folder
}
