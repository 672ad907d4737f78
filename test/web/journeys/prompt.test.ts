// The prompt dialog of Antelope wallets: with a code to scan, a link and a text, under the page's own policy; and the
// effect of closing it.
import Fastify from 'fastify'
import t from 'tap'
import { siteRoutes } from '../../../api/site/routes.ts'
import { networks } from '../../../devnet/networks.ts'
import { Browser } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { Person } from './person.ts'
import { CHAINS, ROUTES } from './scene.ts'

const chromium = await chromiumFor(t, 'prompts in a browser')
if (chromium !== null) {
  t.test('a wallet asks in a dialog of the page, which can be closed', async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    const chain = (name: 'wax' | 'telos') => ({
      chain: name,
      chainId: networks[name].chainId,
      public: { node: 'http://127.0.0.1:9' },
    })
    const evm = [{ chain: 'mainnet', name: 'Ethereum', chainId: 1, public: {} }]
    const frame = { chains: ['wax'], home: 'wax', hasBridge: true, places: [], logos: {}, version: '' }
    const options = { frameAncestors: ['*'], pollSeconds: 10, evm, chains: [chain('wax'), chain('telos')] }
    siteRoutes(app, options, () => frame)
    app.get('/api/bridge/v1/routes', async () => ({ routes: ROUTES }))
    app.get('/api/bridge/v1/chains', async () => CHAINS)
    const site = await app.listen({ host: '127.0.0.1', port: 0 })
    const browser = await Browser.start(t, chromium)
    const wish = {
      from: 'wax',
      to: 'mainnet',
      token: 'USDC',
      amount: '12',
      recipient: '0xdf37f81daad2b0327a0a50003740e1c935c70913',
    }
    const person = await Person.at(browser, site, wish)
    const { page } = person
    const names = `[...document.querySelectorAll('[data-wallet]')].map((one) => one.dataset.wallet)`
    await person.press('form.card button[type=submit]')
    await page.until(`document.querySelector('[data-wallet]')`)
    t.same(await page.evaluate(names), ['antelope:wax:anchor', 'antelope:wax:cloud'])
    t.notOk(
      page.addresses.some((address) => /wharf/.test(address)),
      'the wallet’s code is not there yet',
    )
    await person.press('[data-wallet="antelope:wax:anchor"]')
    await page.until(`document.querySelector('dialog.wallet-prompt[open]')`)
    t.ok(
      page.addresses.some((address) => /wharf/.test(address)),
      'it came when it was chosen',
    )
    const shown = await page.evaluate<{
      title: string
      link: string
      text: string
      dots: number
      cut: boolean
    }>(`(() => {
      const dialog = document.querySelector('dialog.wallet-prompt')
      return {
        title: dialog.querySelector('h2').textContent,
        link: dialog.querySelector('a').href,
        text: dialog.querySelector('textarea').value,
        dots: dialog.querySelector('svg path').getAttribute('d').length,
        cut: dialog.scrollWidth > dialog.clientWidth + 1,
      }
    })()`)
    t.match(shown, { title: 'Connect with Anchor', link: /^esr:/, text: /^esr:/, cut: false })
    t.ok(shown.dots > 5000)
    await page.picture('wallet-prompt')
    await page.evaluate(`[...document.querySelectorAll('dialog.wallet-prompt button')].at(-1).click()`)
    await page.until(`!document.querySelector('dialog.wallet-prompt')`)
    await page.until(`document.body.innerText.includes('You have closed the wallet’s request. Nothing was sent.')`)
    t.equal(
      await page.evaluate(`document.querySelectorAll('[data-wallet]:not([disabled])').length`),
      2,
      'to be chosen again',
    )
  })
}
