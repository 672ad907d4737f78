// The explorer's top bar and footer around the bridge's page: search, chains, colours and links, at every address.
import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserFor, PHONE, SCREEN } from './browser.ts'
import { FAULTS } from './faults.ts'
import { openStage } from './stage.ts'

const { site } = await openStage(t)
const browser = await browserFor(t)
const PAGE = '/v/wax/bridge'

/** Notes each shift without an action of the user. */
const SHIFTS = `window.shift = 0
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shift += value
}).observe({ type: 'layout-shift', buffered: true })`

if (browser !== null) {
  for (const at of [site, site.replace('localhost', '127.0.0.1')])
    t.test(`search, chains and links at ${new URL(at).hostname}`, async (t) => {
      const page = await browser.open(`${at}${PAGE}?to=wax`, SCREEN)
      await page.until(`document.querySelector('form.card') && document.querySelector('.top [role=combobox]')`)
      t.equal(await page.evaluate(`document.querySelector('.top [aria-current=page]').textContent`), 'Bridge')
      const links = `[...document.querySelectorAll('.top nav a, .bottom a')].map((one) => one.pathname)`
      t.same(await page.evaluate(links), [
        ...['/', '/tokens', '/trades', PAGE, '/chains'],
        ...['/docs', '/api/v3/meta', '/openapi.json', '/bridge/operator'],
      ])
      await page.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))`)
      t.equal(await page.evaluate('document.activeElement.role'), 'combobox')
      await page.type('bob')
      await page.until(`document.querySelector('.hits a')`)
      await page.press('ArrowDown')
      await page.press('Enter')
      await page.until(`location.pathname === '/account/bob' && document.querySelector('h1')?.textContent === 'bob'`)
      await page.visit(`${at}${PAGE}`)
      await page.until(`document.querySelector('form.card') && document.querySelector('.chain select')`)
      t.equal(await page.evaluate(`document.querySelector('.chain select').value`), 'telos', 'the chain of the host')
      await page.fill('.chain select', 'wax')
      await page.until(`location.pathname === '/wax' && document.querySelector('.top [aria-current=page]')`)
      t.same(
        page.complaints.filter((text) => !text.includes('503')),
        [],
      )
      await page.visit('about:blank#')
    })

  t.test('nothing moves when the bar comes, nothing is too wide, and axe has no complaint', async (t) => {
    for (const view of [
      SCREEN,
      { width: 820, height: 800 },
      { width: 700, height: 800 },
      { width: 400, height: 800 },
      PHONE,
    ]) {
      const page = await browser.blank(view)
      await page.runBefore(SHIFTS)
      await page.visit(`${site}${PAGE}?to=wax`)
      await page.until(`document.querySelector('form.card') && document.querySelector('.top [role=combobox]')`)
      t.same(await page.evaluate(FAULTS), [], `${view.width} px`)
      t.same(await violations(page), [], `${view.width} px`)
      t.same(page.complaints, [], 'nothing on the console')
      const [bar, reserved] = await page.evaluate<number[]>(
        `[document.querySelector('.top').offsetHeight, parseFloat(getComputedStyle(document.querySelector('#top')).minHeight)]`,
      )
      t.ok(Math.abs((bar ?? 0) - (reserved ?? 0)) <= 1, `${view.width} px: ${bar} px high, ${reserved} reserved`)
      const shift = await page.evaluate<number>('shift')
      t.ok(shift < 0.05, `${view.width} px: shift ${shift}`)
      await page.picture(`bridge-frame-${view.width}`)
      await page.close()
    }
  })

  t.test('the skip link leads to the content, and is no step of the history', async (t) => {
    const page = await browser.open(`${site}${PAGE}?to=wax`, SCREEN)
    await page.until(`document.querySelector('form.card') && document.querySelector('.skip')`)
    const steps = await page.evaluate('history.length')
    await page.press('Tab')
    await page.press('Enter')
    t.equal(await page.evaluate('document.activeElement.id'), 'main')
    t.equal(await page.evaluate('history.length'), steps)
    await page.visit('about:blank#')
  })

  t.test('the first press of the button changes colours that the address asked for', async (t) => {
    const page = await browser.open(`${site}${PAGE}?theme=dark`, SCREEN)
    await page.until(`document.querySelector('.top .icon')`)
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.activate('.top .icon')
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light')
    await page.evaluate('localStorage.clear()')
    await page.visit('about:blank#')
  })

  t.test('the widget has no bar', async (t) => {
    const page = await browser.open(`${site}/embed/bridge?to=wax`, SCREEN)
    await page.until(`document.querySelector('form.card')`)
    t.equal(await page.evaluate(`document.querySelectorAll('.top, .bottom, #top').length`), 0)
    t.notOk(page.addresses.some((address) => /assets\/frame-/.test(address)))
    await page.visit('about:blank#')
  })
}
