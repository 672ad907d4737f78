// Host pages that use the script carelessly: callbacks that throw, widgets removed while they load or from their own
// callbacks, invalid options. The rest of the page keeps working, and nothing is left over.
import t from 'tap'
import { browserFor, SCREEN } from './browser.ts'
import { openStage, WALLET } from './stage.ts'

const { site, shop } = await openStage(t)
const browser = await browserFor(t)
const EMBED = `${site}/embed/bridge`
const LEFT = `document.querySelectorAll('iframe, [role=dialog]').length + ' ' + document.documentElement.style.overflow`

if (browser !== null) {
  const open = async (before = '') => {
    const page = await browser.open(`${shop}/`, SCREEN, `window.told = []; ${before}`)
    await page.until('window.SvcBridge')
    return page
  }

  t.test('a callback that throws affects neither its own widget nor another one', async (t) => {
    const page = await open(WALLET)
    await page.evaluate(`(SvcBridge.mount(document.querySelector('#a'), { to: 'wax', recipient: 'bob', onReady() { told.push('a'); throw new Error('of the page') } }),
      SvcBridge.mount(document.querySelector('#b'), { to: 'telos', recipient: 'alice', onReady() { told.push('b') } }), 0)`)
    await page.until('told.length === 2')
    const inner = await browser.find(`${EMBED}?to=wax`, SCREEN)
    await inner.until(`document.querySelector('form.card')`)
    await inner.fill('[name=amount]', '5')
    await inner.activate('form.card [type=submit]')
    await inner.until(`document.querySelector('.wallet')?.innerText.includes('Test Wallet')`)
    await page.until(`document.querySelector('#a iframe').style.height !== '560px'`)
    t.match(page.complaints.join(), 'of the page', 'the mistake is the page’s own, and is reported there')
    await page.visit('about:blank#')
  })

  t.test('a widget that is removed while it loads leaves nothing and reports nothing', async (t) => {
    const page = await open()
    const callbacks = `Object.fromEntries(['onReady', 'onClose'].map((one) => [one, () => told.push(one)]))`
    await page.evaluate(`(() => {
      const options = { to: 'wax', ...${callbacks} }
      for (let i = 0; i < 3; i++) {
        const mounted = SvcBridge.mount(document.querySelector('#a'), options)
        const dialog = SvcBridge.open(options)
        mounted.destroy()
        mounted.destroy()
        dialog.close()
        dialog.close()
      }
      // An element that is gone when its widget is taken away.
      const lost = SvcBridge.mount(document.querySelector('#b'), options)
      document.querySelector('#b').remove()
      lost.destroy()
    })()`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    t.equal(await page.evaluate(LEFT), '0 ')
    t.same(await page.evaluate('told'), [])
    t.same(page.complaints, [])
    await page.visit('about:blank#')
  })

  t.test('a widget can be closed and opened again from its own callbacks', async (t) => {
    const page = await open()
    await page.evaluate(`(window.dialog = SvcBridge.open({ to: 'wax', onReady() {
      told.push('first')
      dialog.close()
      window.dialog = SvcBridge.open({ to: 'telos', onReady() { told.push('second') } })
    } }), 0)`)
    await page.until('told.length === 2')
    t.equal(await page.evaluate(LEFT), '2 hidden', 'one dialog with its frame')
    await page.evaluate('dialog.close()')
    t.equal(await page.evaluate(LEFT), '0 ')
    t.same(page.complaints, [])
    await page.visit('about:blank#')
  })

  t.test('options from foreign JSON are read as plain text, and only known ones', async (t) => {
    const page = await open()
    const url = (json: string) => page.evaluate<string>(`SvcBridge.url(JSON.parse(${JSON.stringify(json)}))`)
    t.equal(await url('{"to":"wax","partner":"a&b=c#d\\"<"}'), `${EMBED}?to=wax&partner=a%26b%3Dc%23d%22%3C`)
    for (const json of [
      '{"to":"wax","__proto__":{"recipient":"evil"}}',
      '{"to":"wax","constructor":{"prototype":{"x":1}}}',
      '{"to":"wax","hasOwnProperty":1}',
      '{"to":"wax","recipient":"a&b=c#d\\"<"}',
      '{"to":{"toString":1}}',
      '{"to":["wax"]}',
      '{"to":"__proto__"}',
      '{"to":"wax","onReady":{}}',
      '{"to":"wax","token":{"toString":1}}',
      '{"to":"wax","amount":["1"]}',
    ])
      await t.rejects(url(json), /TypeError: SvcBridge: /, json)
    t.equal(await page.evaluate('({}).x'), undefined)
    t.same(page.complaints, [])
    await page.visit('about:blank#')
  })
}
