// Whole journeys from a host page whose policy allows only the bridge's script and frame.
import type { Test } from 'tap'
import { VISITOR } from '../../../devnet/contracts/exchange.ts'
import { VISITOR_ADDRESS } from '../../../devnet/evm/accounts.ts'
import type { LiveBridge } from '../../devnet/bridge/live-bridge.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { host } from '../bridge/stage.ts'
import { APPROVE, DEPOSIT, LESSON, NATIVE, RELEASES } from './calls.ts'
import type { Wish } from './person.ts'
import { Customer, MODES, type Mode } from './shop.ts'

interface Around {
  bridge: LiveBridge
  browser: Browser
  /** Every journey in every mode; otherwise one journey in each mode. */
  isLong: boolean
}

interface Trip {
  wish: Wish
  direction: string
  /** Calls that the EVM wallet signs, each one of a list; before a release may come updates of the light client. */
  signed: readonly (readonly string[])[]
  /** Actions that the customer takes on the way. */
  actions: readonly string[]
}

const to = (from: string, to: string, token: string, amount: string): Wish => ({
  ...{ from, to, token, amount },
  recipient: to === 'mainnet' ? VISITOR_ADDRESS : VISITOR,
})

/** The short run uses the first three, one in each mode. */
const TRIPS: readonly Trip[] = [
  { wish: to('mainnet', 'wax', 'ETH', '0.02'), direction: 'hop', signed: [[NATIVE]], actions: [] },
  {
    ...{ wish: to('mainnet', 'telos', 'USDT', '12.5'), direction: 'deposit', signed: [[APPROVE], [DEPOSIT]] },
    actions: ['collect'],
  },
  { wish: to('telos', 'mainnet', 'USDC', '20'), direction: 'withdrawal', signed: [RELEASES], actions: ['release'] },
  { wish: to('telos', 'wax', 'USDC', '6'), direction: 'withdrawal', signed: [], actions: [] },
  { wish: to('wax', 'telos', 'ETH', '0.02'), direction: 'deposit', signed: [], actions: ['collect'] },
  { wish: to('wax', 'mainnet', 'USDC', '9'), direction: 'hop', signed: [RELEASES], actions: ['release'] },
  { wish: to('mainnet', 'wax', 'USDC', '30'), direction: 'hop', signed: [[APPROVE], [DEPOSIT]], actions: [] },
]

export async function widgetJourneys(t: Test, { bridge, browser, isLong }: Around): Promise<void> {
  const { places } = bridge
  // On another site than the host page, not only another origin.
  const site = bridge.site.replace('127.0.0.1', 'localhost')
  const shop = await host(t, site)
  const all = isLong
    ? MODES.flatMap((mode) => TRIPS.map((trip) => ({ mode, trip })))
    : MODES.map((mode, i) => ({ mode, trip: TRIPS[i]! }))
  // Collecting takes the whole balance of a token, so the same journey must not run twice in parallel.
  t.jobs = isLong ? 1 : 3
  for (const { mode, trip } of all) {
    const { from, token } = trip.wish
    t.test(`${mode}: ${token} from ${from} to ${trip.wish.to}`, (t) => journey(t, mode, trip))
  }

  async function journey(t: Test, mode: Mode, { wish, direction, signed, actions }: Trip): Promise<void> {
    const customer = await Customer.come(browser, places.evm, { site, shop, mode, wish, address: VISITOR_ADDRESS })
    t.same(await customer.hears('onReady'), { to: wish.to, recipient: wish.recipient })
    await customer.prepare(wish.from)
    t.equal(await customer.fact('To'), wish.recipient)
    t.same(await customer.walk(wish), actions)
    const { from, to, token, amount, recipient } = wish
    const isEvm = from === 'mainnet'
    t.match(await customer.hears('onSent'), {
      ...{ direction, from_chain: from, to_chain: to, token, amount, recipient, partner: 'shop-1' },
      embed: mode === 'popup' ? 'popup' : 'iframe',
      sender: isEvm ? new RegExp(VISITOR_ADDRESS, 'i') : VISITOR,
    })
    const finished = await customer.hears('onFinished')
    t.match(finished, { key: /^[dw]:/, outcome: 'delivered', token, amount })
    t.match(await places.api.hop(finished.key as string), { status: 'delivered', from: { chain: from } })
    t.same(
      (await customer.told()).map(([callback]) => callback),
      ['onReady', 'onSent', 'onFinished'],
    )
    const lessons = signed.includes(RELEASES) ? [LESSON] : []
    const calls = customer.wallet.signed.filter((call) => !lessons.includes(call))
    t.equal(calls.length, signed.length, 'nothing else was signed')
    for (const [i, call] of calls.entries()) t.ok(signed[i]?.includes(call), `call ${i}`)
    t.same([...customer.host.complaints, ...customer.complaints], [], 'nothing on the consoles')
    await customer.leave()
  }
}
