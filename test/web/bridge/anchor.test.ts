// The Anchor wallet, as far as it can be tested without one: its signing code is loaded when it is chosen, its request
// is for the right chain and returns to this page, and the page's own policy lets it wait for the answer.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { SigningRequest } from '@wharfkit/session'
import t from 'tap'
import { networks } from '../../../devnet/networks.ts'
import { browserFor, SCREEN } from './browser.ts'
import { openStage } from './stage.ts'

const WALLET = '[data-wallet="antelope:telos:anchor"]'
const zlib = {
  inflateRaw: (data: Uint8Array) => new Uint8Array(inflateRawSync(data)),
  deflateRaw: (data: Uint8Array) => new Uint8Array(deflateRawSync(data)),
}

t.test('Anchor is asked for the user’s account', async (t) => {
  const { site } = await openStage(t)
  const browser = await browserFor(t)
  if (browser === null) return
  for (const path of ['/v/wax/bridge', '/embed/bridge']) {
    const page = await browser.open(`${site}${path}?from=telos&to=wax&recipient=bob&amount=5`, SCREEN)
    const loaded = () => page.addresses.filter((one) => one.startsWith(`${site}/bridge/assets/wharf-`)).length
    await page.activate('form.card [type=submit]')
    await page.until(`document.querySelector('${WALLET}')`)
    t.equal(loaded(), 0, 'nothing of it before')
    await page.activate(WALLET)
    await page.until(`document.querySelector('dialog textarea')`)
    t.equal(loaded(), 1)
    const text = await page.evaluate<string>(`document.querySelector('dialog textarea').value`)
    const request = SigningRequest.from(text, { zlib })
    t.ok(request.isIdentity())
    t.equal(String(request.getChainId()), networks.telos.chainId)
    t.equal(String(request.getIdentityScope()), 'bridge')
    t.match(request.data.callback, /^https:\/\/cb\.anchor\.link\/[0-9a-f-]{36}$/)
    t.match(await page.evaluate(`document.querySelector('dialog a').href`), /^esr:/, 'and a link for this device')
    t.ok(await page.evaluate(`document.querySelector('dialog svg[role=img]') !== null`), 'and a code to scan')
    t.same(
      page.complaints.filter((one) => /Content Security Policy|Refused/.test(one)),
      [],
    )
    await page.activate('dialog button.secondary')
    await page.until(`document.querySelector('[role=alert]').textContent.includes('closed')`)
    t.equal(await page.evaluate(`document.querySelector('dialog')`), null)
    await page.visit('about:blank#')
  }
})
