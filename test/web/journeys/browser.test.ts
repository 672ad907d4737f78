// Whole journeys in a real browser: the page as served, the demo's wallets, contracts on an EVM node, both simulated
// chains, the indexer, the API, and a relayer that leaves the visitor's own steps to the visitor.
import t from 'tap'
import { call } from '../../../devnet/contracts/actions.ts'
import { VISITOR } from '../../../devnet/contracts/exchange.ts'
import { VISITOR_ADDRESS } from '../../../devnet/evm/accounts.ts'
import { VAULT_ADDRESS } from '../../../devnet/evm/addresses.ts'
import { eventOf, type Receipt } from '../../../devnet/evm/call-evm.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import type { Journey } from '../../../devnet/relayer/bridge-api.ts'
import { startLiveBridge } from '../../devnet/bridge/live-bridge.ts'
import { Browser } from '../../support/browser/browser.ts'
import { chromiumFor } from '../../support/browser/chromium-for.ts'
import { APPROVE, DEPOSIT, NATIVE, RELEASES } from './calls.ts'
import { Person, type Wish } from './person.ts'
import { waysBack } from './ways-back.ts'
import { widgetJourneys } from './widget-journeys.ts'

const isLong = Boolean(process.env.HEADWATER_TEST_LONG)
if (isLong) t.setTimeout(1_800_000)

const chromium = await chromiumFor(t, 'journeys in a browser')
if (chromium !== null) {
  // The relayer omits the visitor's own steps. The history exceeds a week, so that some journeys have returned.
  const bridge = await startLiveBridge(t, 7, { visitor: true, days: 8, omit: ['expire', 'bounce', 'recover'] })
  const { places, site, until } = bridge
  await until(
    'the bridge',
    () => fetch(`${site}/health/ready`),
    ({ ok }) => ok,
  )
  const browser = await Browser.start(t, chromium)
  const open = (wish: Partial<Wish>) => Person.at(browser, site, wish)

  /** The vault's payment for the last leg of a journey. */
  const paidFor = async ({ legs }: Journey): Promise<[to: unknown, amount: unknown]> => {
    const { dst_tx } = (await places.api.transfer(legs.at(-1)!.key))!
    const receipt = await places.evm.call<Receipt>('eth_getTransactionReceipt', dst_tx)
    const { args } = eventOf(receipt, VAULT_ADDRESS, interfaceOf('SvcVault'), 'Released')!.event
    return [(args.getValue('to') as string).toLowerCase(), args.getValue('amount')]
  }
  const journeyOf = async (person: Person) => (await places.api.hop(await person.fact('Key')))!

  // Most time is spent waiting. The long run makes the same journeys in each mode, and these must not run in parallel.
  t.jobs = isLong ? 1 : 2

  t.test('journeys', async (t) => {
    t.jobs = 3

    t.test('from the EVM chain to telos: allowance, deposit, and Collect', async (t) => {
      const person = await open({ from: 'mainnet', to: 'telos', token: 'USDC', amount: '12.5', recipient: VISITOR })
      await person.prepare('mainnet')
      t.equal(await person.fact('To'), VISITOR)
      await person.sign()
      await person.confirmUntil('moving')
      await person.confirmUntil('waiting')
      t.same(person.asked, [APPROVE, DEPOSIT])
      t.same(
        [await person.step('approve'), await person.step('send'), await person.step('collect')],
        ['done', 'done', 'active'],
      )
      t.not(await person.page.evaluate('document.querySelector("progress").value'), 100)
      await person.press('[data-action=collect]')
      await person.choose('telos')
      await person.confirmUntil('delivered')
      t.match(await journeyOf(person), { status: 'delivered', legs: [{ status: 'credited' }] })
      t.same(person.complaints, [])
    })

    t.test(
      'the native coin through telos to wax; the user leaves and finds the transfer by its transaction',
      async (t) => {
        const person = await open({ from: 'mainnet', to: 'wax', token: 'ETH', recipient: VISITOR })
        await person.type('amount', '0.0123456789')
        await person.prepare('mainnet')
        await person.sign()
        await person.confirmUntil('moving')
        t.same(person.asked, [NATIVE])
        await person.page.until(`document.querySelector('[data-is="Key"]')`, 30_000)
        // The page reads the key from its own receipt, sometimes before the bridge knows it.
        const key = await person.fact('Key')
        const leg = await until(
          'the leg',
          () => places.api.transfer(key),
          (known) => known !== null,
        )
        const again = await open({ tx: leg!.src_tx! } as Partial<Wish>)
        await again.phase('delivered')
        t.equal(await again.fact('Key'), key)
        await person.phase('delivered')
        t.match(await journeyOf(person), {
          status: 'delivered',
          legs: [{ status: 'forwarded' }, { status: 'released' }],
        })
        t.match((await places.api.transfer(key))!, { symbol: 'ETH', amount: '1234567' })
      },
    )

    // Not the amount of the widget tests: the same transfer at the same time would be the same transaction.
    t.test('from telos to the EVM chain, with Release', async (t) => {
      const person = await open({
        from: 'telos',
        to: 'mainnet',
        token: 'USDC',
        amount: '21',
        recipient: VISITOR_ADDRESS,
      })
      await person.prepare('telos')
      await person.sign()
      await person.confirmUntil('waiting')
      t.match(await person.text('[data-stage=release]'), /before|until|by/i)
      await person.press('[data-action=release]')
      await person.choose('mainnet')
      await person.confirmUntil('delivered')
      t.ok(RELEASES.includes(person.asked.at(-1)!))
      t.match(await journeyOf(person), { status: 'delivered' })
      t.same(await paidFor(await journeyOf(person)), [VISITOR_ADDRESS, 21_000_000n])
    })

    t.test('from telos to wax', async (t) => {
      const person = await open({ from: 'telos', to: 'wax', token: 'USDC', amount: '6', recipient: VISITOR })
      await person.prepare('telos')
      await person.sign()
      await person.page.until(`document.querySelector('dialog.wallet-prompt dl')`)
      t.match(
        await person.text('dialog.wallet-prompt dl'),
        /Signsvisitor@activeWhat it doesSend tokens.*Amount6\.000000 USDC/,
        'the user sees what is signed',
      )
      await person.answer(false)
      await person.phase('failed')
      t.equal(await person.text('.failure .code'), 'WALLET_REJECTED')
      await person.press('[data-action=retry]')
      await person.confirmUntil('delivered')
      t.match(await journeyOf(person), { status: 'delivered', legs: [{ status: 'released' }] })
    })

    t.test('from wax through telos to the EVM chain, with Release', async (t) => {
      const person = await open({ from: 'wax', to: 'mainnet', token: 'USDC', amount: '9', recipient: VISITOR_ADDRESS })
      await person.prepare('wax')
      await person.sign()
      await person.confirmUntil('waiting')
      t.equal(await person.step('release'), 'active')
      await person.press('[data-action=release]')
      await person.choose('mainnet')
      await person.confirmUntil('delivered')
      t.match(await journeyOf(person), { status: 'delivered', legs: [{ status: 'forwarded' }, { status: 'released' }] })
    })

    t.test('a transaction that the user rejects in the wallet is not sent, and can be tried again', async (t) => {
      const person = await open({ from: 'mainnet', to: 'wax', token: 'ETH', amount: '0.01', recipient: VISITOR })
      await person.prepare('mainnet')
      await person.sign()
      await person.answer(false)
      await person.phase('failed')
      t.equal(await person.text('.failure .code'), 'WALLET_REJECTED')
      await person.press('[data-action=retry]')
      await person.confirmUntil('delivered')
      t.same(person.asked, [NATIVE, NATIVE])
    })

    t.test('an amount above the wallet’s balance is not signed', async (t) => {
      const person = await open({ from: 'mainnet', to: 'wax', token: 'USDT', amount: '99000', recipient: VISITOR })
      await person.prepare('mainnet')
      await person.sign()
      await person.phase('failed')
      t.match(await person.text('.failure'), /has [\d.]+ USDT, which is less than that.*NOT_ENOUGH/)
      t.same(person.asked, [])
    })

    t.test('no transfer is sent to an account that does not exist', async (t) => {
      const person = await open({ from: 'mainnet', to: 'wax', token: 'USDC', amount: '7', recipient: 'nobody.here' })
      await person.page.until(`document.querySelector('[name=recipient]')`)
      await person.page.evaluate(`document.querySelector('[name=recipient]').dispatchEvent(new Event('blur'))`)
      await person.page.until(`document.body.innerText.includes('There is no account nobody.here on WAX')`)
      t.same(person.asked, [])
    })
  })

  t.test('widgets on a page of another site', (t) => widgetJourneys(t, { bridge, browser, isLong }))
  t.test('ways back', (t) => waysBack(t, { bridge, open, journeyOf }))

  t.test('returned and returning journeys are shown with their status', async (t) => {
    const { hops } = (await (await fetch(`${bridge.url}/hops?limit=500&direct=true`)).json()) as { hops: Journey[] }
    let seen = 0
    for (const status of ['bounced', 'returning', 'returned']) {
      const one = hops.find((journey) => journey.status === status)
      if (one === undefined) continue
      seen++
      const person = await open({ key: one.key } as Partial<Wish>)
      await person.phase(...(status === 'returned' ? ['returned'] : ['moving', 'waiting', 'returned']))
      await person.page.until(`/ on /.test(document.querySelector('[data-is="Comes back to"]')?.textContent)`)
      const percent = await person.page.evaluate<number>('document.querySelector("progress").value')
      if (status === 'returned') t.equal(percent, 100)
    }
    t.ok(seen > 0, 'history has some')
  })

  // Collects the same token as another journey here.
  t.test('from wax to telos, collected in another window', { buffered: false }, async (t) => {
    const person = await open({ from: 'wax', to: 'telos', token: 'USDC', amount: '8', recipient: VISITOR })
    await person.prepare('wax')
    await person.sign()
    await person.confirmUntil('waiting')
    // From another window.
    await places.telos.push([call('bridge.svc', 'claim', VISITOR, { owner: VISITOR, sym_code: 'USDC' })])
    await person.phase('delivered')
    t.equal(await person.step('collect'), 'done')
  })
}
