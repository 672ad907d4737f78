// A customer of a host page with the bridge's widget, in each of its three modes: the customer's wallet is on the host
// page, or in the widget's own window.
import type { EvmRpc } from '../../../devnet/evm/rpc.ts'
import type { Browser, Page, View } from '../../support/browser/browser.ts'
import { Person, type Wish } from './person.ts'
import { UUID, WalletOfPage } from './wallet-of-page.ts'

export const MODES = ['open', 'popup', 'mount'] as const
export type Mode = (typeof MODES)[number]

export type Told = [callback: string, data: Record<string, unknown>]

const VIEW: View = { width: 900, height: 900 }
const CALLBACKS = ['onReady', 'onSent', 'onFailed', 'onFinished', 'onClose']

export interface Visit {
  /** Origin of the bridge's pages. */
  site: string
  /** Origin of the host page. */
  shop: string
  mode: Mode
  wish: Wish
  /** Account of the node that signs for the customer. */
  address: string
}

export class Customer extends Person {
  readonly host: Page
  readonly wallet: WalletOfPage

  private constructor(host: Page, inner: Page, wallet: WalletOfPage, evmWallet: string) {
    super(inner, evmWallet)
    this.host = host
    this.wallet = wallet
  }

  static async come(browser: Browser, node: EvmRpc, { site, shop, mode, wish, address }: Visit): Promise<Customer> {
    const host = await browser.blank(VIEW)
    const wallet = new WalletOfPage(node, address)
    if (mode !== 'popup') await wallet.install(host)
    await host.runBefore(`window.told = []`)
    await host.visit(`${shop}/`)
    await host.until('window.SvcBridge')
    const options = JSON.stringify({ ...wish, partner: 'shop-1' })
    const callbacks = `Object.fromEntries(${JSON.stringify(CALLBACKS)}.map((one) => [one, (data) => told.push([one, data])]))`
    const first = mode === 'mount' ? `document.querySelector('#a'), ` : ''
    const show = `window.widget = SvcBridge.${mode}(${first}{ ...${options}, ...${callbacks} })`
    await host.evaluate(`document.querySelector('#go').onclick = () => { ${show} }, 0`)
    await host.click('#go')
    const query = new URLSearchParams({ to: wish.to, recipient: wish.recipient, token: wish.token })
    const inner = await browser.find(`${site}/embed/bridge?${query}`, VIEW)
    if (mode === 'popup') await wallet.join(inner)
    const selector = `[data-wallet="evm:${mode === 'popup' ? '' : 'host:'}${UUID}"]`
    await inner.until(`document.querySelector('form.card')`)
    return new Customer(host, inner, wallet, selector)
  }

  told(): Promise<Told[]> {
    return this.host.evaluate<Told[]>('told')
  }

  /** Waits for a callback. @returns its argument */
  async hears(callback: string): Promise<Record<string, unknown>> {
    await this.host.until(`told.some(([one]) => one === '${callback}')`, 60_000)
    return (await this.told()).find(([one]) => one === callback)![1]
  }

  async leave(): Promise<void> {
    await this.host.evaluate('widget.close ? widget.close() : widget.destroy()')
    await this.host.visit('about:blank#')
  }
}
