// The live page for operators: its counts, and that it follows the bridge; the explorer's page of a transfer.
import t from 'tap'
import { byStatus, type Pending, span, waiting } from '../../../web/explorer/core/bridge-figures.ts'
import { arrival, burn, HOUR, MINUTE, provenBurn, vaultDeposit } from '../../api/bridge/scene.ts'
import { violations } from '../../support/browser/axe.ts'
import type { Page, View } from '../../support/browser/browser.ts'
import { browserFor, PHONE, SCREEN } from './browser.ts'
import { nextBlock, openStage, upcoming } from './stage.ts'

t.test('figures', async (t) => {
  t.same([0, 59.6, 3599, 7500, 90_000].map(span), ['0 s', '1 min 0 s', '59 min 59 s', '2 h 5 min', '1 d 1 h'])
  const legs = [
    { direction: 'deposit', status: 'seen', src_time: 90 },
    { direction: 'deposit', status: 'seen', src_time: 40 },
    { direction: 'withdrawal', status: 'provable', src_time: 70 },
  ] as const
  const counted = byStatus(legs, 100)
  const of = (direction: string, status: string) =>
    counted.find((one) => one.direction === direction && one.status === status)
  t.match(of('deposit', 'seen'), { count: 2, oldest: 60 })
  t.match(of('deposit', 'provable'), { count: 0, oldest: null }, 'of its own direction')
  t.match(of('withdrawal', 'provable'), { count: 1, oldest: 30 })
  const release = {
    key: 'w:1',
    action: 'release',
    chain: 'mainnet',
    amount: '5000000',
    precision: 6,
    symbol: 'USDC',
    fee: '20000',
  }
  const more = {
    track: 'hard',
    estimatedGas: { light: null, hard: 400_000 },
    obstacle: 'allowance',
    deadline: 160,
    src_time: 50,
  }
  const hop = { key: 'd:1:2', action: 'recover', id: '9', back: { chain: 'mainnet', recipient: '0xaa' } }
  // The members that the page reads.
  const answer = { pending: [{ ...release, ...more }], deposits: [], hops: [hop] } as unknown as Pending
  const [first, last] = waiting(answer, 100)
  t.match(first, {
    what: '5 USDC',
    until: '1 min 0 s left',
    remarks: ['above what the vault may pay now', 'fee 0.02', 'hard track, 400,000 gas'],
  })
  t.match(last, { action: 'recover', what: 'hop 9 to 0xaa' })
})

t.test('the page for operators', async (t) => {
  const stage = await openStage(t)
  const browser = await browserFor(t)
  if (browser === null) return
  const { scene, site, api } = stage
  await scene.add({ ago: HOUR }, ...provenBurn(5, '1', { fee: 10_000 }))
  await scene.add({ ago: 2 * MINUTE }, vaultDeposit(6))
  await scene.add({ ago: HOUR }, vaultDeposit(7, { log_index: 1 }))
  await scene.add({ ago: 30 * MINUTE }, arrival('credited', '1', 7))
  await nextBlock(stage)
  const page = await browser.open(`${site}/bridge/operator`, SCREEN)
  const isLoaded = `document.querySelector('#state')?.dataset.state === 'ready' && document.querySelector('[data-pending]') &&
    document.querySelectorAll('[data-leg]').length === 11 && document.querySelector('[data-leg]').cells[3].textContent !== '–'`
  await page.until(isLoaded)
  const cells = (state: string) =>
    page.evaluate<string[]>(`[...document.querySelector('[data-leg="${state}"]').cells].map((one) => one.textContent)`)
  const { body } = await api.get('/api/bridge/v1/transfers?limit=500')
  const statuses = (body.transfers as { direction: string; status: string }[]).map(
    ({ direction, status }) => `${direction} ${status}`,
  )
  t.equal(statuses.length, 3)
  for (const state of statuses)
    t.equal((await cells(state))[3], String(statuses.filter((one) => one === state).length), state)
  t.match(
    await page.evaluate(`document.querySelector('[data-pending="w:5"]').innerText`),
    /release\s+Ethereum\s+4 USDC/,
  )
  t.match(await page.evaluate(`document.querySelector('[data-chain=mainnet]').innerText`), /USDC\s+holds 50,000/)
  t.match(await page.evaluate(`document.querySelector('[data-time="mainnet deposit"]').innerText`), /Ethereum to Telos/)
  t.same(page.complaints, [])
  t.same(await violations(page), [], 'no violation of accessibility')
  t.equal(
    await page.evaluate(`document.querySelector('.top [aria-current=page]').textContent`),
    'Bridge',
    'in the frame',
  )
  await page.picture('bridge-operator-light')
  // The keyboard focus is on the link of a transfer, and a screen reader observes the page.
  await page.evaluate(`(window.said = 0, window.link = document.querySelector('[data-pending="w:5"] a'), link.focus(),
    new MutationObserver((all) => said += all.length).observe(document.querySelector('#state'), { childList: true, characterData: true, subtree: true }), 0)`)
  // Above the last irreversible block, like all new rows.
  await scene.add({ ago: 0, block: await upcoming(stage) }, burn(8, '1'))
  await nextBlock(stage)
  await page.until(`document.querySelector('[data-leg="withdrawal burned"]').cells[1].textContent === '1'`, 40_000)
  t.equal(await page.evaluate('document.activeElement === link && link.isConnected'), true, 'the keyboard stays')
  t.equal(await page.evaluate('said'), 0, 'that all is well is not said again and again')
  const phone = await browser.open(`${site}/bridge/operator`, PHONE)
  await phone.until(isLoaded)
  t.ok(
    await phone.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    'no horizontal scroll',
  )
  const cut = `[...document.querySelectorAll('main .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`
  t.equal(await phone.evaluate(cut), 0, 'no column of a table is out of view')
  t.same(await violations(phone), [], 'no violation of accessibility on a phone')
  await phone.picture('bridge-operator-phone-dark')

  t.test('a transfer on a page of the explorer', async (t) => {
    const open = async (path: string, view: View) => {
      const page = await browser.open(`${site}${path}`, view)
      await page.until(`document.querySelectorAll('.timeline > li > .step').length >= 2`)
      return page
    }
    const steps = (page: Page) =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.timeline .step strong')].map((one) => one.textContent)`)
    const page = await open('/transfer/d:1:7', { width: 1440, height: 900 })
    t.same(await steps(page), ['Sent from Ethereum to Telos', 'Credited on Telos'])
    const { src_tx, dst_tx } = (await api.get('/api/bridge/v1/transfers/d:1:7')).body
    t.equal(await page.evaluate(`document.querySelector('.timeline > li span.mono').title`), src_tx)
    t.equal(
      await page.evaluate(`document.querySelector('.timeline a.mono').pathname`),
      `/tx/${dst_tx}`,
      'the chain of the host',
    )
    t.equal(await page.evaluate(`document.querySelector('.heading .badge').textContent`), 'Delivered')
    t.same(page.complaints, [])
    t.same(await violations(page), [], 'no violation of accessibility')
    await page.prefer('dark')
    t.same(await violations(page, 'color-contrast'), [], 'contrast, dark')
    await page.prefer('light')
    await page.picture('transfer-light')
    const burned = await open('/transfer/w:5', PHONE)
    t.same(await steps(burned), ['Sent from Telos to Ethereum', 'Next'])
    const words = await burned.evaluate<string>(`document.querySelector('main').innerText`)
    for (const part of [/4 USDC/, /0\.01 USDC/, /can release the payout/, /Before/]) t.match(words, part)
    t.equal(await burned.evaluate(`document.querySelector('.transfer-links a').search`), '?key=w%3A5')
    t.ok(
      await burned.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
      'no horizontal scroll',
    )
    await burned.picture('transfer-phone-dark')
    await burned.fill('.top [role=combobox]', 'w:999')
    await burned.press('Enter')
    await burned.until(`document.querySelector('main').innerText.includes('Nothing found')`)
    t.equal(await burned.evaluate('location.pathname'), '/search')
  })
})
