// A transfer by keyboard alone, and what a screen reader announces: roles and names, headings that get the focus, live
// changes. Also at 200 % zoom, and with reduced motion.
import t from 'tap'
import type { Page } from '../../support/browser/browser.ts'
import { browserFor } from './browser.ts'
import { FAULTS } from './faults.ts'
import { DEPOSITED, openStage, WALLET } from './stage.ts'

/** A screen of 1280 pixels at 200 % zoom. */
const ENLARGED = { width: 640, height: 400 }
const FOCUSED = `(() => {
  const one = document.activeElement
  return one.name || one.id || one.ariaLabel || one.labels?.[0]?.innerText.trim().split('\\n')[0] || one.textContent.trim()
})()`

const { site } = await openStage(t)
const browser = await browserFor(t)

/** Presses Tab until a wanted element has the focus. @throws Error after thirty elements */
async function tabTo(page: Page, wanted: string): Promise<string[]> {
  const passed: string[] = []
  for (let i = 0; i < 30; i++) {
    await page.press('Tab')
    const at = await page.evaluate<string>(FOCUSED)
    if (at === wanted) return passed
    passed.push(at)
  }
  throw new Error(`${wanted} is not among ${passed.join(', ')}`)
}

if (browser !== null) {
  t.test('from the form to the signature without a mouse', async (t) => {
    const empty = await browser.open(`${site}/v/wax/bridge?to=wax&token=USDC`, ENLARGED, WALLET)
    await empty.until(`document.querySelector('form.card')`)
    await tabTo(empty, 'Connect a wallet')
    await empty.press('Enter')
    await empty.until(`document.querySelector('#wallet-title')`)
    t.equal(
      await empty.evaluate(FOCUSED),
      'wallet-title',
      'a wallet is connected before amount and recipient are known',
    )

    const page = await browser.open(`${site}/v/wax/bridge?to=wax&token=USDC`, ENLARGED, WALLET)
    await page.until(`document.querySelector('form.card')`)
    t.same(
      await tabTo(page, 'amount'),
      [
        ...['Skip to content', 'Headwater', 'Markets', 'Tokens', 'Trades', 'Bridge', 'Status'],
        ...[
          'Search markets, tokens, accounts, transactions and blocks',
          'Chain',
          'Dark colours',
          'from',
          'Swap the chains',
          'to',
        ],
      ],
      'in the order in which they stand',
    )
    await page.type('0.5')
    await tabTo(page, 'recipient')
    await page.type('bob')
    await tabTo(page, 'Connect a wallet')
    await page.press('Enter')
    t.equal(await page.evaluate(FOCUSED), 'amount', 'at the first mistake')
    const wrong = await page.spoken()
    t.ok(
      wrong.some((one) => /^textbox "Amount" 0\.5 .*least.* invalid=true$/.test(one)),
      'what is wrong is said with the field',
    )
    t.same(await page.evaluate(FAULTS), [])
    await page.evaluate('document.activeElement.select()')
    await page.type('5')
    await page.press('Enter')
    await page.until(`document.querySelector('#wallet-title')`)
    t.equal(await page.evaluate(FOCUSED), 'wallet-title', 'screen readers begin at the new heading')
    await tabTo(page, 'Test Wallet')
    await page.press('Enter')
    await page.until(`document.querySelector('#review-title')`)
    t.equal(await page.evaluate(FOCUSED), 'review-title')
    const review = await page.spoken()
    t.ok(review.includes('heading "Is this right?" level=1'))
    t.ok(review.includes('button "Sign in Test Wallet"'))
    await tabTo(page, 'Sign in Test Wallet')
    await page.press('Enter')
    await page.until(`document.querySelector('[data-phase=moving]')`)
    t.same((await page.evaluate<[string][]>('asked')).filter(([method]) => method === 'eth_sendTransaction').length, 1)
    const spoken = await page.spoken()
    for (const form of [/^heading "5 USDC" level=1$/, /^progressbar "Progress" \d+/, /^status .*live=polite$/, /^list/])
      t.ok(
        spoken.some((one) => form.test(one)),
        String(form),
      )
    t.equal(await page.evaluate(`document.activeElement.tagName`), 'H1')
    t.match(await page.evaluate(`document.querySelector('[role=status]').textContent`), /Signed|knows/)
    t.same(await page.evaluate(FAULTS), [])
    t.ok(await page.evaluate(`document.querySelector('.timeline').innerText.includes('${DEPOSITED.slice(0, 8)}')`))
    await page.picture('bridge-enlarged')
    await page.visit('about:blank#')
  })

  t.test('nothing moves if the user prefers reduced motion', async (t) => {
    const page = await browser.open(`${site}/v/wax/bridge`, ENLARGED)
    await page.until(`document.querySelector('form.card')`)
    await page.preferStill()
    const moving = `[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one)
      return animationName !== 'none' || transitionDuration.split(', ').some((time) => parseFloat(time) > 0)
    }).length`
    t.equal(await page.evaluate(moving), 0)
    t.same(page.complaints, [])
  })
}
