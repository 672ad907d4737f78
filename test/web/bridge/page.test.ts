// The bridge's page and widget as a user sees them: form, wallets, review, a transfer to its end, by mouse and
// keyboard, on a large screen and on a phone, light and dark.
import t, { type Test } from 'tap'
import {
  arrival,
  burn,
  HOUR,
  hoplog,
  MINUTE,
  outcome,
  provenBurn,
  raw,
  TO_WAX,
  vaultDeposit,
  WAX,
  withdrawalEvent,
} from '../../api/bridge/scene.ts'
import type { Page, View } from '../../support/browser/browser.ts'
import { browserFor, PHONE, SCREEN } from './browser.ts'
import { FAULTS } from './faults.ts'
import { BUYER, DEPOSITED, nextBlock, openStage, upcoming, WALLET } from './stage.ts'

const stage = await openStage(t)
const { site, shop, scene } = stage
const browser = await browserFor(t)
const value = (name: string) => `document.querySelector('[name=${name}]').value`
const shown = (text: string) => `document.querySelector('main').innerText.includes(${JSON.stringify(text)})`

if (browser !== null) {
  const open = async (query = '', view: View = SCREEN, wallet = WALLET) => {
    const page = await browser.open(`${site}/v/wax/bridge${query}`, view, wallet)
    await page.until(`!document.querySelector('main').ariaBusy || document.querySelector('main section')`)
    return page
  }
  const check = async (t: Test, page: Page, name: string) => {
    t.same(await page.evaluate(FAULTS), [], `${name}: what a machine can see`)
    t.same(page.complaints, [], 'nothing on the console')
    const elsewhere = page.addresses.filter(
      (one) => !one.startsWith(site) && !one.startsWith('data:') && !one.includes('/v1/chain/'),
    )
    t.same(elsewhere, [], 'nobody else was asked')
    t.ok((await page.picture(name)).length > 5000)
  }
  const choose = (page: Page, name: string, id: string) => page.fill(`[name=${name}]`, id)
  const connect = async (page: Page) => {
    await page.activate('form.card [type=submit]')
    await page.activate('.wallet')
  }

  t.test('DL-02 DL-04 the address fills the form, and every field may be changed', async (t) => {
    const page = await open(
      '?from=mainnet&to=wax&recipient=bob&token=USDC&amount=12.5&partner=shop&return_url=https://shop.example/done',
    )
    t.same(await page.evaluate(`[${['from', 'to', 'token', 'amount', 'recipient'].map(value)}]`), [
      'mainnet',
      'wax',
      'USDC',
      '12.5',
      'bob',
    ])
    t.equal(await page.evaluate(`document.querySelector('#return').href`), 'https://shop.example/done')
    t.notOk(
      await page.evaluate(
        `document.querySelector('[name=recipient]').readOnly || document.querySelector('[name=from]').disabled || document.querySelector('[name=to]').disabled`,
      ),
    )
    await page.until(shown('12.5 USDC'))
    await page.activate('.plan summary')
    await check(t, page, 'bridge-form-light')
    await choose(page, 'to', 'telos')
    t.equal(await page.evaluate(value('recipient')), 'bob')
    await page.activate('.swap')
    t.same(await page.evaluate(`[${['from', 'to', 'recipient'].map(value)}]`), ['telos', 'mainnet', ''])
    await page.visit('about:blank#')
  })

  t.test('fee, gas and dollars have their rows in the empty form', async (t) => {
    const page = await open()
    await page.until(`document.querySelector('[data-is="Gas on Ethereum"]')`)
    const labels = await page.evaluate<string>(
      `[...document.querySelectorAll('.summary dt')].map((one) => one.innerText).join()`,
    )
    t.equal(labels, 'Arrives,In dollars,Bridge fee,Gas on Ethereum,Takes')
    await check(t, page, 'bridge-form-empty')
    await page.visit('about:blank#')
  })

  t.test('the page has the colours that the visitor chose, here or in the explorer', async (t) => {
    const page = await open()
    const theme = `document.documentElement.dataset.theme`
    t.notOk(await page.evaluate(theme))
    await page.activate('.top .icon')
    t.equal(await page.evaluate(theme), 'dark')
    await page.visit(`${site}/v/wax/bridge?to=telos`)
    await page.until(`document.querySelector('form.card')`)
    t.equal(await page.evaluate(theme), 'dark', 'after a reload')
    await check(t, page, 'bridge-form-dark')
    await page.visit(`${site}/`)
    await page.until(theme)
    t.equal(await page.evaluate(theme), 'dark', 'in the explorer')
    await page.evaluate('localStorage.clear()')
    await page.visit('about:blank#')
  })

  t.test('DL-03 DL-05 DL-06 malformed values change nothing and run nothing', async (t) => {
    const bad = '<img src=x onerror=window.hacked=1>'
    const page = await open(
      `?${new URLSearchParams({ from: 'sun', to: bad, recipient: bad, token: bad, amount: '1e9', partner: bad, return_url: 'javascript:window.hacked=1', key: bad })}`,
    )
    t.same(await page.evaluate(`[${['from', 'to', 'amount', 'recipient'].map(value)}]`), ['mainnet', 'wax', '', ''])
    t.notOk(await page.evaluate(`document.querySelector('#return')`))
    t.notOk(await page.evaluate('window.hacked'))
    t.same(page.complaints, [])
    await page.visit('about:blank#')
  })

  t.test('the form on a phone in dark mode, with error messages', async (t) => {
    const page = await open('?to=telos&amount=0.1', PHONE)
    await page.fill('[name=recipient]', 'NoAccount')
    await page.activate('form.card [type=submit]')
    await page.until(
      `document.querySelector('[name=amount]').ariaInvalid === 'true' && document.querySelector('[name=recipient]').ariaInvalid === 'true'`,
    )
    t.match(await page.evaluate(`document.querySelector('#amount-problem').textContent`), /1/)
    t.equal(await page.evaluate('document.activeElement.name'), 'amount', 'the keyboard is where the first mistake is')
    await check(t, page, 'bridge-form-phone-dark')
    await page.visit('about:blank#')
  })

  t.test('WG-13 an account that does not exist cannot receive a transfer', async (t) => {
    const page = await open('?to=wax&recipient=nobody&amount=5')
    const typed = async (text: string) => {
      await page.evaluate(`(() => {
        const input = document.querySelector('[name=amount]')
        input.value = ${JSON.stringify(text)}
        for (const type of ['input', 'blur']) input.dispatchEvent(new Event(type))
      })()`)
      const [problem, summary] = await page.evaluate<string[]>(
        `['#amount-problem', '.summary'].map((one) => document.querySelector(one).textContent)`,
      )
      return { problem, summary }
    }
    for (const twofold of ['10,000', '10.000'])
      t.match(await typed(twofold), { problem: /10000 or 10[^.]/, summary: /^(?!.*You send).*Arrives–/ })
    t.match(await typed('10000'), { summary: /You send10,000\.000000 USDC/ })
    t.match(await typed('12,5'), { problem: '', summary: /You send12\.500000 USDC/ })
    await typed('5')
    await page.activate('form.card [type=submit]')
    // The lookup of the account may come before the choice of a wallet or after it.
    const refused = shown('There is no account nobody on WAX')
    await page.until(`document.querySelector('.wallet') || ${refused}`)
    await page.evaluate(`document.querySelector('.wallet')?.click()`)
    await page.until(refused)
    t.notOk(await page.evaluate(`document.querySelector('#review-title')`))
    t.notOk(await page.evaluate(`asked.some(([method]) => method === 'eth_sendTransaction')`))
    await page.visit('about:blank#')
  })

  t.test('without a wallet the page says what to do', async (t) => {
    const page = await open('?to=wax&recipient=bob&amount=5', PHONE, '')
    await page.activate('form.card [type=submit]')
    await page.until(shown('No wallet for Ethereum was found here'))
    await check(t, page, 'bridge-no-wallet-phone-dark')
    const amountIs = (text: string) => page.until(`document.querySelector('[name=amount]')?.value === '${text}'`)
    await page.evaluate('history.back()')
    await amountIs('5')
    t.pass('Back leads to the form')
    await page.fill('[name=amount]', '7')
    await page.evaluate('location.reload()')
    await amountIs('7')
    t.match(
      await page.evaluate('location.search'),
      /to=wax.*recipient=bob.*amount=7|amount=7.*recipient=bob/,
      'a reload keeps the form',
    )
    await page.visit('about:blank#')
  })

  t.test('WG-20 WG-22 WG-24 WG-31 a deposit from a widget on another site, until it is delivered', async (t) => {
    const record = `window.told = []; ${WALLET}`
    const page = await browser.open(`${shop}/`, SCREEN, record)
    await page.until('window.SvcBridge')
    const callbacks = `Object.fromEntries(['onReady', 'onSent', 'onFailed', 'onFinished'].map((one) => [one, (data) => told.push([one, data])]))`
    await page.evaluate(
      `window.a = SvcBridge.open({ to: 'wax', recipient: 'bob', token: 'USDC', amount: '5', partner: 'shop-1', ...${callbacks} }), 0`,
    )
    const inner = await browser.find(`${site}/embed/bridge`, SCREEN)
    await inner.until(`document.querySelector('form.card')`)
    t.ok(
      await inner.evaluate(
        `document.querySelector('[name=recipient]').readOnly && document.querySelector('[name=to]').disabled`,
      ),
      'WG-12 the page has said to whom',
    )
    await connect(inner)
    await inner.until(`document.querySelector('#review-title')`)
    t.same(
      await inner.evaluate(
        `['From', 'To', 'You send'].map((name) => document.querySelector('[data-is="' + name + '"]').textContent)`,
      ),
      [BUYER, 'bob', '5.000000 USDC from Ethereum'],
    )
    await settleVisible(inner)
    await page.picture('bridge-widget-review')
    await inner.activate('main .primary')
    await page.until(`told.some(([one]) => one === 'onSent') || told.some(([one]) => one === 'onFailed')`)
    const sent = (await page.evaluate<[string, Record<string, unknown>][]>('told')).at(-1)
    t.equal(sent?.[0], 'onSent')
    t.match(sent?.[1], {
      ...{ direction: 'hop', from_chain: 'mainnet', to_chain: 'wax', token: 'USDC', amount: String },
      ...{ sender: BUYER, recipient: 'bob', partner: 'shop-1', embed: 'iframe' },
      transactions: [{ chain: 'mainnet', label: String, ref: DEPOSITED, url: String }],
    })
    const [call] = await page.evaluate<[string, { to: string; data: string; value: string }[]][]>(
      `asked.filter(([method]) => method === 'eth_sendTransaction')`,
    )
    t.equal(call?.[1][0]?.value, '0x0')
    t.ok(
      call?.[1][0]?.data.includes(Buffer.from(`${WAX}:bob|1:${BUYER.toLowerCase()}`).toString('hex')),
      'destination and way back',
    )

    const deposit = {
      trx_id: raw(DEPOSITED),
      from_address: raw(BUYER),
      refund_to: raw(BUYER),
      telos_to: 'hop.svc',
      memo: TO_WAX,
    }
    await scene.add({ ago: 20 * MINUTE, block: await upcoming(stage) }, vaultDeposit(71, deposit))
    await nextBlock(stage)
    await inner.until(`document.querySelector('[data-is=Key]')?.textContent === 'd:1:71'`, 40_000)
    await page.picture('bridge-widget-journey')
    // Closing asks first: the transfer continues without the window.
    await inner.activate('#close')
    await inner.until(`document.querySelector('[role=alertdialog]')`)
    t.match(await inner.evaluate(`document.querySelector('main').innerText`), '/v/wax/bridge?key=d:1:71')
    await inner.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Stay').click()`,
    )
    await scene.add(
      { ago: 5 * MINUTE, block: await upcoming(stage) },
      arrival('forwarded', '1', 71, { account: 'hop.svc' }),
      hoplog(71, ['1', 71], WAX, 710),
      burn(710, WAX, { amount: 5_000_000, sender: 'hop.svc' }),
    )
    await scene.add(
      { ago: 2 * MINUTE, block: await upcoming(stage) },
      withdrawalEvent('settled', 710, { released: true }),
    )
    await nextBlock(stage)
    await page.until(`told.some(([one]) => one === 'onFinished')`, 40_000)
    const finished = (await page.evaluate<[string, Record<string, unknown>][]>('told')).at(-1)
    t.match(finished?.[1], { key: 'd:1:71', outcome: 'delivered', token: 'USDC', amount: String, transactions: Array })
    const transactions = (finished?.[1]?.transactions ?? []) as { label: string; ref: string }[]
    t.match(transactions[0], { label: 'Deposit', ref: DEPOSITED })
    t.ok(
      transactions.some(({ label }) => label === 'Release'),
      'the payout too',
    )
    await inner.until(`document.querySelector('[data-phase=delivered]')`)
    t.equal(await inner.evaluate(`document.querySelector('progress').value`), 100)
    t.same(await inner.evaluate(FAULTS), [])
    await page.picture('bridge-widget-delivered')
    t.same(await page.evaluate(`told.map(([one]) => one)`), ['onReady', 'onSent', 'onFinished'])
    t.same([...page.complaints, ...inner.complaints], [])
    await page.visit('about:blank#')
  })

  t.test('WG-21 refused in the wallet: reported as failed, and can be started again', async (t) => {
    const page = await browser.open(`${shop}/`, SCREEN, `window.told = []; window.refuses = true; ${WALLET}`)
    await page.until('window.SvcBridge')
    const callbacks = `Object.fromEntries(['onSent', 'onFailed'].map((one) => [one, (data) => told.push([one, data])]))`
    await page.evaluate(
      `window.a = SvcBridge.mount(document.querySelector('#a'), { to: 'telos', recipient: 'alice', token: 'USDC', amount: '5', ...${callbacks} }), 0`,
    )
    const inner = await browser.find(`${site}/embed/bridge`, SCREEN)
    await inner.until(`document.querySelector('form.card')`)
    await connect(inner)
    await inner.until(`document.querySelector('#review-title')`)
    await settleVisible(inner)
    await inner.activate('main .primary')
    await page.until('told.length > 0')
    const [name, data] = (await page.evaluate<[string, Record<string, unknown>][]>('told'))[0] ?? []
    t.equal(name, 'onFailed')
    t.match(data, {
      errorCode: /^[A-Z_]+$/,
      error: String,
      to_chain: 'telos',
      recipient: 'alice',
      token: 'USDC',
      embed: 'iframe',
      partner: '',
    })
    await inner.until(`document.querySelector('[data-phase=failed] [data-action=retry]')`)
    await page.evaluate('window.refuses = false')
    await inner.activate('[data-action=retry]')
    await page.until(`told.at(-1)[0] === 'onSent'`)
    await page.visit('about:blank#')
  })

  t.test('a transaction is not signed by another account than the review shows', async (t) => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const page = await open('?to=wax&recipient=bob&token=USDC&amount=5')
    const from = `document.querySelector('[data-is=From]').textContent`
    await connect(page)
    await page.until(`document.querySelector('#review-title')`)
    t.equal(await page.evaluate(from), BUYER)
    await page.evaluate(`goOver('${other}')`)
    await page.activate('main .primary')
    await page.until(`document.querySelector('[data-phase=failed]')`)
    t.match(await page.evaluate(`document.querySelector('.failure').innerText`), 'WALLET_ACCOUNT')
    const sent = `asked.filter(([method]) => method === 'eth_sendTransaction')`
    t.same(await page.evaluate(sent), [])
    await page.activate('[data-action=retry]')
    await page.until(`${sent}.length === 1`)
    t.match(await page.evaluate(sent), [['eth_sendTransaction', [{ from: other }]]], 'once the person has tried again')
    await page.until(`${from} === '${other}'`)
    t.equal(
      await page.evaluate(`document.querySelector('[data-is="Comes back to"]').textContent`),
      `${other} on Ethereum`,
    )
    await page.visit('about:blank#')
  })

  t.test(
    'WG-24 a transfer is found again by its key and by its transaction, with the next actor and the deadline',
    async (t) => {
      const trx = await scene.add({ ago: 4 * HOUR }, ...provenBurn(88, '1', { block_num: 9000 }))
      await nextBlock(stage)
      const page = await open('?key=w:88')
      await page.until(`document.querySelector('[data-action=release]')`)
      t.match(await page.evaluate(`document.querySelector('.timeline').innerText`), /before/)
      t.ok((await page.evaluate<number>(`document.querySelector('progress').value`)) < 100)
      await check(t, page, 'bridge-release-light')
      const phone = await open(`?tx=${trx}`, PHONE)
      await phone.until(`document.querySelector('[data-action=release]')`)
      await check(t, phone, 'bridge-release-phone-dark')
      await scene.add({ ago: MINUTE, block: await upcoming(stage) }, outcome('released', 88))
      await nextBlock(stage)
      await page.until(`document.querySelector('[data-phase=delivered]')`, 40_000)
      t.equal(await page.evaluate(`document.querySelector('progress').value`), 100)
      t.equal(
        await page.evaluate('document.title'),
        '100 % · 4 USDC – Bridge',
        'shown in the title for users on other tabs',
      )

      const lost = await open('?key=w:999999')
      await lost.until(shown('Nothing was found'))
      t.notOk(await lost.evaluate(`document.querySelector('[data-phase=delivered]')`))
      const search = await open()
      await search.fill('#transfer', `0x${'aa'.repeat(20)}`)
      await search.activate('.follow button')
      await search.until(
        `document.querySelector('.found button, main h1')?.innerText === 'Transfers' || document.querySelector('.journey')`,
      )
      await search.visit('about:blank#')
    },
  )

  t.test('Back leads to the form, which keeps what was typed', async (t) => {
    const page = await open('?to=wax')
    const fields = `[${['amount', 'recipient'].map(value)}]`
    const areFields = (amount: string, recipient: string) =>
      page.until(`document.querySelector('form.card') && String(${fields}) === '${amount},${recipient}'`)
    const reload = async () => {
      await page.evaluate('window.isOld = true, location.reload()')
      await page.until('!window.isOld')
    }
    const length = await page.evaluate<number>('history.length')
    await connect(page)
    await page.until(shown('Review the transfer'))
    t.equal(await page.evaluate('history.state?.isStep ?? false'), false, 'with a wallet, the form is where it was')
    await page.fill('[name=amount]', '7')
    await page.fill('[name=recipient]', 'bob')
    await page.activate('form.card [type=submit]')
    await page.until(`document.querySelector('#review-title')`)
    t.equal(await page.evaluate('history.length'), length + 1, 'all that follows the form is one step')
    await page.evaluate('history.back()')
    await areFields('7', 'bob')
    await reload()
    await areFields('7', 'bob')
    t.pass('a reload after Back keeps the form')
    await page.fill('[name=amount]', '10.')
    await page.fill('[name=recipient]', 'BOB')
    await reload()
    await areFields('10.', 'BOB')
    t.pass('a reload keeps what no address can name')
    await page.fill('[name=transfer]', 'w:88')
    await page.activate('.follow [type=submit]')
    await page.until(`document.querySelector('.journey')`)
    await page.evaluate('history.back()')
    await areFields('10.', 'BOB')
    t.notMatch(await page.evaluate('location.search'), 'key=', 'Back leaves a transfer that was only looked at')
    await page.visit('about:blank#')
  })

  t.test('DL-01 a bridge that does not answer is shown as an error, with a retry', async (t) => {
    const page = await open(
      '',
      SCREEN,
      `window.asked = fetch; window.fetch = (...all) => window.works ? asked(...all) : Promise.reject(new TypeError('Failed to fetch'))`,
    )
    await page.until(`document.querySelector('[role=alert]')`)
    await page.evaluate('window.works = true')
    await page.activate('main .primary')
    await page.until(`document.querySelector('form.card')`)
    t.same(page.complaints, [])
    await page.visit(`${site}/v/wax/bridge?to=telos`)
    await page.until(`document.querySelector('[role=alert]')`)
    await page.evaluate('window.works = true')
    await page.until(`document.querySelector('form.card')`)
    t.equal(await page.evaluate(value('to')), 'telos', 'by itself')
    await page.visit('about:blank#')
  })
}

/** In a frame, a button must be visible for a moment before it is enabled. */
async function settleVisible(inner: Page): Promise<void> {
  await inner.until(`!document.querySelector('main .primary').disabled`)
}
