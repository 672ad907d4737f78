// The script on a host page under a policy that allows only the script and its frame: what it shows, which events it
// reports, and which messages it accepts.
import t, { type Test } from 'tap'
import type { Page } from '../../support/browser/browser.ts'
import { browserFor, SCREEN } from './browser.ts'
import { openStage, WALLET } from './stage.ts'

const stage = await openStage(t)
const { site, shop, stranger } = stage
const browser = await browserFor(t)
const EMBED = `${site}/embed/bridge`
const FRAMES = `document.querySelectorAll('iframe').length`
const RECORD = `
  window.told = []
  window.heard = []
  addEventListener('message', ({ data, origin }) => heard.push({ data, origin }))
  window.callbacks = (name) => Object.fromEntries(['onReady', 'onSent', 'onFailed', 'onFinished', 'onClose'].map((one) => [one, (data) => told.push([name, one, data])]))`

type Told = [name: string, callback: string, data: Record<string, unknown>]
const told = (page: Page) => page.evaluate<Told[]>('told')
const names = async (page: Page) => (await told(page)).map(([name, callback]) => `${name} ${callback}`)
const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

if (browser !== null) {
  const open = async (path = '/', wallet = '') => {
    const page = await browser.open(shop + path, SCREEN, `${RECORD};\n${wallet}`)
    await page.until(`window.SvcBridge || ${path === '/bare'}`)
    return page
  }
  const end = async (t: Test, page: Page) => {
    t.same(page.complaints, [], 'nothing on the console of the host')
    await page.visit('about:blank#')
  }
  const frame = () => browser.find(EMBED, SCREEN)
  const usable = (page: Page) => page.until(`document.querySelector('form.card')`)

  t.test('WG-01 WG-02 WG-10 the script sends no request and defines one global name', async (t) => {
    const page = await open()
    const elsewhere = page.addresses.filter((one) => one.startsWith(site))
    t.same(elsewhere, [`${site}/sdk/bridge/v1.js`])
    const bare = await open('/bare')
    const before = await bare.evaluate<string[]>('Object.getOwnPropertyNames(window)')
    const after = await page.evaluate<string[]>('Object.getOwnPropertyNames(window)')
    t.same(
      after.filter((one) => !before.includes(one)),
      ['SvcBridge'],
    )
    t.same((await page.evaluate<string[]>('Object.keys(SvcBridge)')).toSorted(), ['mount', 'open', 'popup', 'url'])
    t.equal(await page.evaluate(`SvcBridge.url({ to: 'wax' })`), `${EMBED}?to=wax`, 'from where it came')
    t.equal(await page.evaluate(FRAMES), 0)
    const late = await open('/async')
    t.equal(await late.evaluate(`SvcBridge.url({ to: 'wax' })`), `${EMBED}?to=wax`)
    t.same(late.complaints, [])
    const named = await open('/names')
    t.equal(await named.evaluate(`SvcBridge.url({ to: 'wax' })`), `${EMBED}?to=wax`, 'whatever elements are called')
    t.same(named.complaints, [])
    await end(t, page)
  })

  t.test('WG-29 if the script is included twice, the first one stays', async (t) => {
    const page = await open('/twice')
    await page.evaluate(`window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'wax', ...callbacks('a') })`)
    await page.until(`told.some(([name, one]) => name === 'a' && one === 'onReady')`)
    await end(t, page)
  })

  t.test(
    'WG-05 WG-14 WG-15 WG-16 WG-17 WG-19 a mounted widget grows and shrinks with its content, and can be removed',
    async (t) => {
      const page = await open()
      await page.evaluate(
        `window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'wax', recipient: 'bob', ...callbacks('a') })`,
      )
      const inner = await frame()
      await page.until('told.length > 0')
      t.same(await told(page), [['a', 'onReady', { to: 'wax', recipient: 'bob' }]])
      t.match(await page.evaluate(`document.querySelector('#a iframe').src`), /mode=inline/)
      t.ok(await page.evaluate(`document.querySelector('#a iframe').title`), 'the frame has a title')
      await usable(inner)
      t.notOk(await inner.evaluate(`document.querySelector('#close')`), 'no close button')
      const height = () => page.evaluate<number>(`parseInt(document.querySelector('#a iframe').style.height)`)
      const content = () =>
        inner.evaluate<number>(`Math.ceil(document.querySelector('#app').getBoundingClientRect().height)`)
      await page.until(`Math.abs(parseInt(document.querySelector('#a iframe').style.height) - ${await content()}) < 3`)
      const closed = await height()
      await inner.evaluate(`document.querySelector('.plan').open = true`)
      await page.until(`parseInt(document.querySelector('#a iframe').style.height) > ${closed + 100}`)
      await inner.evaluate(`document.querySelector('.plan').open = false`)
      await page.until(`parseInt(document.querySelector('#a iframe').style.height) === ${closed}`)
      const heard = await page.evaluate<{ data: Record<string, unknown>; origin: string }[]>('heard')
      for (const { data, origin } of heard) {
        t.equal(origin, site)
        t.match(data, { source: 'svc-bridge', version: 1, type: /^(ready|resize)$/ })
        if (data.type === 'resize') t.same(Object.keys(data.data as object), ['height'])
      }
      await page.evaluate('(a.destroy(), a.destroy())')
      t.equal(await page.evaluate(FRAMES), 0)
      await page.evaluate(
        `window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'telos', ...callbacks('second') })`,
      )
      await page.evaluate(
        `window.b = SvcBridge.mount(document.querySelector('#a'), { to: 'wax', ...callbacks('third') })`,
      )
      t.equal(await page.evaluate(FRAMES), 1, 'in the place of the one that is there')
      await page.until(`told.some(([name]) => name === 'third')`)
      await page.evaluate('a.destroy()')
      t.equal(await page.evaluate(FRAMES), 1, 'the one that was replaced takes nothing away')
      t.notOk((await names(page)).includes('second onReady'))
      await page.evaluate('b.destroy()')
      t.equal(await page.evaluate(FRAMES), 0)
      await end(t, page)
    },
  )

  t.test('WG-08 invalid options are reported before anything is shown', async (t) => {
    const page = await open()
    for (const call of [
      `open({})`,
      `popup({ to: 'moon' })`,
      `mount(document.body, {})`,
      `mount(null, { to: 'wax' })`,
      `open({ to: 'wax', onSent: 1 })`,
    ]) {
      const message = await page.evaluate<string>(
        `(() => { try { SvcBridge.${call}; return 'none' } catch (error) { return error.name + ' ' + error.message } })()`,
      )
      t.match(message, /^TypeError SvcBridge: /, call)
    }
    t.equal(await page.evaluate(FRAMES), 0)
    await end(t, page)
  })

  t.test('impossible options of the host page are reported to the user and to the host page', async (t) => {
    const page = await open()
    await page.evaluate(
      `SvcBridge.mount(document.querySelector('#a'), { to: 'polygon', partner: 'shop-1', ...callbacks('a') })`,
    )
    const inner = await frame()
    await page.until('told.length > 0')
    t.match(await told(page), [
      ['a', 'onFailed', { errorCode: 'TO_UNKNOWN', error: /polygon/, to_chain: 'polygon', partner: 'shop-1' }],
    ])
    await inner.until(`document.querySelector('[role=alert]')`)
    t.match(await inner.evaluate(`document.querySelector('main').innerText`), /polygon/)
    t.notOk(await inner.evaluate(`document.querySelector('form')`), 'no form that leads elsewhere')
    await page.evaluate(
      `SvcBridge.mount(document.querySelector('#a'), { to: 'wax', token: 'POL', amount: '5', ...callbacks('b') })`,
    )
    await page.until('told.length > 1')
    t.match((await told(page))[1], ['b', 'onFailed', { errorCode: 'TOKEN_UNKNOWN', token: 'POL', amount: '5' }])
    await end(t, page)
  })

  t.test(
    'WG-03 WG-14 WG-23 WG-30 over the page: a dialog that holds the focus and returns it on closing',
    async (t) => {
      const page = await open()
      await page.evaluate(
        `document.querySelector('#go').focus(), window.a = SvcBridge.open({ to: 'wax', ...callbacks('a') }), 0`,
      )
      const inner = await frame()
      await usable(inner)
      await page.until('told.length > 0')
      const dialog = `document.querySelector('[role=dialog]')`
      t.same(
        await page.evaluate(`[${dialog}.getAttribute('aria-modal'), Boolean(${dialog}.getAttribute('aria-label'))]`),
        ['true', true],
      )
      t.ok(await inner.evaluate(`document.querySelector('#close').checkVisibility()`), 'the widget has a close button')
      t.notOk(await page.evaluate(`document.querySelector('[role=dialog] button')`), 'which is the only one')
      for (let i = 0; i < 30; i++) {
        await page.press('Tab', i % 7 === 6)
        if (!(await page.evaluate<boolean>(`${dialog}.contains(document.activeElement)`)))
          t.fail('the keyboard has left the dialog')
      }
      t.equal(await page.evaluate(`document.activeElement.tagName`), 'IFRAME')
      await page.press('Escape')
      await page.until(`${FRAMES} === 0`)
      t.same(await names(page), ['a onReady', 'a onClose'])
      t.same((await told(page))[1]?.[2], {})
      t.equal(await page.evaluate(`document.activeElement.id`), 'go', 'the keyboard is back where it was')
      t.equal(await page.evaluate(`document.documentElement.style.overflow`), '')

      await page.evaluate(`window.a = SvcBridge.open({ to: 'wax', ...callbacks('b') }), 0`)
      const second = await frame()
      await second.activate('#close')
      await page.until(`${FRAMES} === 0`)
      t.ok((await names(page)).includes('b onClose'))

      await page.evaluate(`window.a = SvcBridge.open({ to: 'wax', ...callbacks('c') }), 0`)
      await page.until(`told.some(([name]) => name === 'c')`)
      await page.evaluate('(a.close(), a.close())')
      t.equal(await page.evaluate(FRAMES), 0)
      await settle()
      t.notOk((await names(page)).includes('c onClose'), 'nobody has closed it but its page')
      await end(t, page)
    },
  )

  t.test('a widget that does not load can be closed', async (t) => {
    const page = await open()
    await page.evaluate(
      `window.a = SvcBridge.open({ to: 'wax', origin: '${site.replace('localhost', 'nowhere.localhost')}', ...callbacks('a') }), 0`,
    )
    t.ok(await page.evaluate(`document.querySelector('[role=dialog] button[aria-label=Close]')`))
    await page.evaluate(`document.querySelector('[role=dialog] button').focus()`)
    await page.press('Escape')
    await page.until(`${FRAMES} === 0`)
    t.same(await names(page), ['a onClose'])
    await page.visit('about:blank#')
  })

  t.test('a widget that is opened before the page has a body is shown and removed like any other', async (t) => {
    const page = await open()
    await page.evaluate(`(document.body.remove(), window.a = SvcBridge.open({ to: 'wax' }), 0)`)
    t.equal(await page.evaluate(FRAMES), 1)
    await page.evaluate('a.close()')
    t.same(await page.evaluate(`[${FRAMES}, document.documentElement.style.overflow]`), [0, ''])
    await end(t, page)
  })

  t.test('WG-04 WG-26 in its own window', async (t) => {
    const page = await open()
    await page.evaluate(
      `document.querySelector('#go').onclick = () => { window.a = SvcBridge.popup({ to: 'telos', recipient: 'alice', ...callbacks('a') }) }, 0`,
    )
    await page.click('#go')
    const inner = await browser.find(EMBED, SCREEN)
    await usable(inner)
    await page.until('told.length > 0')
    t.same(await told(page), [['a', 'onReady', { to: 'telos', recipient: 'alice' }]])
    t.equal(await inner.evaluate(`document.documentElement.dataset.embed`), 'popup')
    await inner.activate('#close')
    await page.until(`told.some(([, one]) => one === 'onClose')`)
    t.same(await names(page), ['a onReady', 'a onClose'])
    // The widget reports it while it closes.
    for (let i = 0; i < 20 && (await browser.count(EMBED)) > 0; i++) await settle()
    t.equal(await browser.count(EMBED), 0, 'the window is closed')
    await page.click('#go')
    await page.until(`told.filter(([, one]) => one === 'onReady').length === 2`)
    await page.evaluate('(a.close(), a.close())')
    await settle()
    t.equal(await browser.count(EMBED), 0)
    t.equal((await names(page)).filter((one) => one === 'a onClose').length, 1, 'closed by the page itself')
    await page.evaluate(`window.open = () => null`)
    t.equal(await page.evaluate(`SvcBridge.popup({ to: 'wax' })`), null, 'a window that the browser blocks')
    await end(t, page)
  })

  t.test('WG-18 WG-28 each of two widgets reports its own events, and messages of others are ignored', async (t) => {
    const page = await open()
    await page.evaluate(
      `window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'wax', ...callbacks('a') }), window.b = SvcBridge.mount(document.querySelector('#b'), { to: 'telos', ...callbacks('b') }), 0`,
    )
    const inner = await browser.find(`${EMBED}?to=telos`, SCREEN)
    await page.until(`told.length === 2`)
    t.same((await names(page)).toSorted(), ['a onReady', 'b onReady'])
    const finished = `{ source: 'svc-bridge', version: 1, type: 'finished', data: { key: 'd:1:1', outcome: 'delivered' } }`
    // From b's window, with a correct message.
    await inner.evaluate(`parent.postMessage(${finished}, '*')`)
    await page.until(`told.length === 3`)
    t.equal((await names(page))[2], 'b onFinished', 'it is of b, not of a')
    // From the page itself.
    await page.evaluate(`postMessage(${finished}, '*')`)
    // From b, but malformed.
    for (const wrong of [
      `version: 2`,
      `version: '1'`,
      `source: 'other'`,
      `type: 'drop'`,
      `type: ['finished']`,
      `type: 'constructor'`,
    ])
      await inner.evaluate(`parent.postMessage({ ...${finished}, ${wrong} }, '*')`)
    for (const shape of ['null', '7', '"svc-bridge"', '[]', '{}'])
      await inner.evaluate(`parent.postMessage(${shape}, '*')`)
    // From a third site's window that this page has opened.
    await page.evaluate(`document.querySelector('#go').onclick = () => { window.other = open('${stranger}/bare') }, 0`)
    await page.click('#go')
    const forger = await browser.find(`${stranger}/bare`, SCREEN)
    await forger.evaluate(`opener.postMessage(${finished}, '*')`)
    // Heights that are too large or invalid.
    const height = await page.evaluate<number>(`parseInt(document.querySelector('#a iframe').style.height)`)
    for (const value of ['1e9', '-5', 'NaN', '"x"', 'null'])
      await inner.evaluate(`parent.postMessage({ ...${finished}, type: 'resize', data: { height: ${value} } }, '*')`)
    await settle()
    t.equal((await told(page)).length, 3, 'nothing more')
    t.equal(await page.evaluate(`parseInt(document.querySelector('#a iframe').style.height)`), height)
    t.ok((await page.evaluate<number>(`parseInt(document.querySelector('#b iframe').style.height)`)) <= 6000)
    await page.evaluate(`other.close()`)
    // After it is destroyed, messages are ignored.
    await page.evaluate(`b.destroy()`)
    await page.evaluate(
      `dispatchEvent(new MessageEvent('message', { data: ${finished}, origin: '${site}', source: null }))`,
    )
    await settle()
    t.equal((await told(page)).length, 3)
    await end(t, page)
  })

  t.test(
    'the widget accepts a port only from the page around it, and sends only listed requests to wallets',
    async (t) => {
      const page = await open('/bare')
      const wallets = `window.wallets = []; addEventListener('eip6963:announceProvider', ({ detail }) => { wallets.push(detail.info.name); window.provider = detail.provider })`
      const add = (id: string) =>
        `(() => { const frame = document.createElement('iframe'); frame.id = '${id}'; frame.src = '${EMBED}?to=${id}'; document.body.append(frame) })()`
      await page.evaluate(`${add('wax')}, ${add('telos')}`)
      const one = await browser.find(`${EMBED}?to=wax`, SCREEN)
      const other = await browser.find(`${EMBED}?to=telos`, SCREEN)
      await usable(one)
      await usable(other)
      await one.evaluate(`(() => { ${wallets} })()`)
      const hand = (more: string) => `{ source: 'svc-bridge-host', version: 1, type: 'wallets' ${more} }`
      const lend = (target: string, message: string, name: string) => `(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => { (window.asked ??= []).push(data); if (data.type === 'request') port1.postMessage({ type: 'answer', id: data.id, result: ['0x1'] }) }
      ${target}.postMessage(${message}, '*', [port2])
      port1.postMessage({ type: 'wallets', wallets: [{ uuid: '1', name: '${name}', icon: 'javascript:1', rdns: 'x' }] })
    })()`
      // From a sibling frame, with a correct message.
      await other.evaluate(lend('parent.frames[0]', hand(''), 'of a sibling'))
      // From the host page, with a wrong one.
      await page.evaluate(lend('frames[0]', hand(', version: 2'), 'of another version'))
      await settle()
      t.same(await one.evaluate('wallets'), [])
      await page.evaluate(lend('frames[0]', hand(''), 'of the host'))
      await one.until('wallets.length === 1')
      await page.evaluate(lend('frames[0]', hand(''), 'of a second port'))
      await settle()
      t.same(await one.evaluate('wallets'), ['of the host'], 'one port, once')
      t.same(await one.evaluate(`provider.request({ method: 'eth_accounts' })`), ['0x1'])
      for (const method of [
        'personal_sign',
        'eth_sign',
        'eth_signTypedData_v4',
        'eth_sendRawTransaction',
        'wallet_watchAsset',
      ])
        t.equal(await one.evaluate(`provider.request({ method: '${method}' }).catch(({ code }) => code)`), 4200, method)
      t.same(
        await page.evaluate('asked.map(({ method }) => method)'),
        ['eth_accounts'],
        'refused before they leave the frame',
      )
      await end(t, page)
    },
  )

  t.test('a widget does not sign while its page covers the frame or makes it transparent', async (t) => {
    const page = await open('/', WALLET)
    for (const mode of ['mount', 'open']) {
      const first = mode === 'mount' ? `document.querySelector('#a'), ` : ''
      await page.evaluate(
        `window.a = SvcBridge.${mode}(${first}{ to: 'telos', recipient: 'alice', token: 'USDC', amount: '5' }), 0`,
      )
      const inner = await frame()
      await inner.activate('form.card [type=submit]')
      await inner.activate('.wallet')
      const sign = `document.querySelector('section[aria-labelledby=review-title] .primary')`
      await inner.until(`${sign} && !${sign}.disabled`)
      t.notOk(await inner.evaluate(`document.body.innerText.includes('covers it')`), `${mode}: in view`)
      const hostile = {
        // It follows the frame, which may still move, and has the height of the frame's content.
        'a bar over its head': `(function cover() {
          const { x, y } = frame.getBoundingClientRect()
          bar.style.cssText = 'position:fixed;z-index:2147483647;pointer-events:none;background:#fff;width:40px;height:9px;left:' + (x + 40) + 'px;top:' + (y + 4) + 'px'
          if (bar.isConnected) requestAnimationFrame(cover)
        })()`,
        'a frame that can hardly be seen': `frame.style.opacity = '0.02'`,
        'out of the way': `frame.style.transform = 'translateX(-2000px)'`,
      }
      for (const [what, trick] of Object.entries(hostile)) {
        await page.evaluate(`(() => {
          window.bar = document.createElement('div')
          document.body.append(bar)
          const frame = document.querySelector('iframe');
          ${trick}
        })()`)
        await inner.until(`${sign}.disabled`)
        t.match(await inner.evaluate('document.body.innerText'), 'Open it in a window of its own', `${mode}: ${what}`)
        await inner.evaluate(`${sign}.click()`)
        await page.evaluate(
          `(bar.remove(), document.querySelector('iframe').style.opacity = '', document.querySelector('iframe').style.transform = '')`,
        )
        await inner.until(`!${sign}.disabled`)
      }
      t.notOk(await page.evaluate(`asked.some(([method]) => method === 'eth_sendTransaction')`))
      await page.evaluate('(a.destroy ? a.destroy() : a.close())')
    }
    await end(t, page)
  })

  t.test('WG-27 the widget can use the page’s wallets, with the listed methods only', async (t) => {
    const page = await open('/', WALLET)
    await page.evaluate(
      `window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'wax', recipient: 'bob', ...callbacks('a') }), 0`,
    )
    const inner = await frame()
    await usable(inner)
    await inner.evaluate(
      `(() => { window.found = []; addEventListener('eip6963:announceProvider', ({ detail }) => found.push(detail)); dispatchEvent(new Event('eip6963:requestProvider')) })()`,
    )
    await inner.until('found.length > 0')
    t.same(await inner.evaluate(`found.map(({ info }) => [info.uuid.slice(0, 5), info.name, info.rdns])`), [
      ['host:', 'Test Wallet', 'org.example.wallet'],
    ])
    t.match(await inner.evaluate(`found[0].provider.request({ method: 'eth_requestAccounts' })`), [/^0x/])
    t.equal(
      await inner.evaluate(
        `found[0].provider.request({ method: 'personal_sign', params: ['0x00'] }).catch(({ code }) => code)`,
      ),
      4200,
    )
    await page.evaluate('a.destroy()')
    await end(t, page)
  })
}
