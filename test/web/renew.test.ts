// Updates parts of a page in place while they are in use.
import t from 'tap'
import { browserFor, SCREEN } from './bridge/browser.ts'
import { openStage } from './bridge/stage.ts'

t.test('unchanged elements stay in place', async (t) => {
  const { site } = await openStage(t)
  const browser = await browserFor(t)
  if (browser === null) return
  const page = await browser.open(`${site}/bridge/operator`, SCREEN)
  await page.evaluate(`import('/web/shared/renew.js').then(({ renew }) => {
    window.box = document.createElement('ul')
    document.body.append(box)
    const line = (key) => Object.assign(document.createElement('li'), { innerHTML: '<details><summary></summary></details>' })
    window.show = (...keys) => renew(box, ...keys.map((key) => {
      const one = line()
      one.dataset.key = key
      one.querySelector('summary').textContent = 'about ' + key
      return one
    }))
    window.text = (...words) => renew(box, ...words.map((word) => new Text(word)))
  })`)
  const shown = () => page.evaluate<string[]>(`[...box.childNodes].map((one) => one.textContent)`)
  await page.evaluate(
    `(show('a', 'b', 'c'), window.b = box.children[1], b.firstChild.open = true, b.querySelector('summary').focus())`,
  )
  const stays = () =>
    page.evaluate(`b.isConnected && b.firstChild.open && document.activeElement === b.querySelector('summary')`)
  for (const keys of [['b', 'c'], ['x', 'b', 'c'], ['x', 'y', 'b'], ['b'], ['b', 'a', 'z']]) {
    await page.evaluate(`show(...${JSON.stringify(keys)})`)
    t.same(
      await shown(),
      keys.map((key) => `about ${key}`),
    )
    t.ok(await stays(), keys.join())
  }
  await page.evaluate(`show('z', 'a', 'b')`)
  t.same(await shown(), ['about z', 'about a', 'about b'], 'in another order')
  t.equal(await page.evaluate(`b === box.lastChild`), true)
  await page.evaluate(`(show(), b.remove())`)
  t.same(await shown(), [])
  const same = await page.evaluate(
    `(text('one', 'two'), window.first = box.firstChild, text('1', 'two', 'three'), first === box.firstChild)`,
  )
  t.equal(same, true)
  t.same(await shown(), ['1', 'two', 'three'])
})
