// Somebody who uses the bridge's page in a browser, with the wallets that a demo offers: presses what is there, confirms
// what the wallets ask, and waits for what the page says.
import type { Browser, Page } from '../../support/browser/browser.ts'

export interface Wish {
  from: string
  to: string
  token: string
  amount: string
  recipient: string
}

const EVM_WALLET = '[data-wallet^="evm:"]'
/** Milliseconds that a stage may take. */
const PATIENCE = 120_000

export class Person {
  readonly page: Page
  /** What the EVM wallet has asked for, by the first digits of the call. */
  readonly asked: string[] = []

  /** Selector of the wallet of EVM chains that they use. */
  private readonly evmWallet: string

  constructor(page: Page, evmWallet = EVM_WALLET) {
    this.page = page
    this.evmWallet = evmWallet
  }

  static async at(browser: Browser, site: string, query: Record<string, string>): Promise<Person> {
    const page = await browser.open(`${site}/v/wax/bridge?${new URLSearchParams(query)}`, { width: 400, height: 900 })
    return new Person(page)
  }

  /**
   * What the page complained of, but for journeys that the bridge does not know yet, and a bridge that is too busy for the
   * moment: the page asks again.
   */
  get complaints(): string[] {
    const passing = /404 \(Not Found\).*\/hops\/|503 \(Service Unavailable\).*\/api\/bridge\//
    return this.page.complaints.filter((text) => !passing.test(text))
  }

  /** Presses an element by its script: pages lie behind each other. */
  async press(selector: string): Promise<void> {
    await this.page.until(`document.querySelector('${selector}:not([disabled])')`, PATIENCE)
    await this.page.evaluate(`document.querySelector('${selector}').click()`)
  }

  text(selector: string): Promise<string> {
    return this.page.evaluate(`document.querySelector('${selector}')?.textContent ?? ''`)
  }

  /** Types into a field of the form. */
  async type(name: string, text: string): Promise<void> {
    const typed = JSON.stringify(text)
    await this.page.until(`document.querySelector('[name=${name}]')`)
    await this.page.evaluate(
      `(() => { const one = document.querySelector('[name=${name}]'); one.value = ${typed}; one.dispatchEvent(new Event('input')) })()`,
    )
  }

  /** From the form, which the address has filled, to the last look, with a wallet. */
  async prepare(from: string): Promise<void> {
    // A bridge that is busy is asked again.
    const again = `(document.querySelector('main .primary')?.click(), false)`
    await this.page.until(`document.querySelector('form.card') || ${again}`, PATIENCE)
    await this.press('form.card button[type=submit]')
    await this.choose(from)
    await this.page.until(`document.querySelector('#review-title')`, PATIENCE)
  }

  /** Chooses the demo's wallet of a chain. */
  async choose(chain: string): Promise<void> {
    const isEvm = chain === 'mainnet'
    await this.press(isEvm ? this.evmWallet : `[data-wallet="antelope:${chain}:demo"]`)
    if (isEvm && this.evmWallet === EVM_WALLET) await this.answer(true)
  }

  /** From the last look to the end, with what is theirs to do in between. @returns the actions that they were asked for */
  async walk(wish: Pick<Wish, 'to'>): Promise<string[]> {
    const done: string[] = []
    await this.sign()
    for (;;) {
      await this.confirmUntil('waiting', 'delivered', 'returned', 'failed')
      if (await this.page.evaluate(`!document.querySelector('[data-phase=waiting]')`)) return done
      const action = await this.page.evaluate<string>(`document.querySelector('[data-action]').dataset.action`)
      done.push(action)
      await this.press(`[data-action=${action}]`)
      // The wallet of the chain that it began on may serve this one too.
      if (await this.page.evaluate(`Boolean(document.querySelector('#wallet-title'))`)) await this.choose(wish.to)
      await this.confirmUntil('moving', 'delivered', 'returned', 'failed')
    }
  }

  /** A frame's button cannot be pressed for a moment after something has moved: it is pressed until the last look is over. */
  sign(): Promise<void> {
    const button = 'section[aria-labelledby=review-title] button.primary'
    const press = `document.querySelector('${button}:not([disabled])')?.click()`
    return this.page.until(`(${press}, !document.querySelector('#review-title'))`, PATIENCE)
  }

  /** Confirms or rejects what the EVM wallet asks. */
  async answer(agrees: boolean): Promise<void> {
    await this.page.until(`document.querySelector('dialog.demo-wallet')`, PATIENCE)
    const rows = await this.page.evaluate<string>(`document.querySelector('dialog.demo-wallet dl').innerText`)
    const call = /0x[0-9a-f]{8}(?=,)/.exec(rows)
    if (call) this.asked.push(call[0])
    await this.press(`dialog.demo-wallet .demo-${agrees ? 'confirm' : 'reject'}`)
  }

  /** Confirms what the EVM wallet asks until the page is in one of some phases. */
  async confirmUntil(...phases: string[]): Promise<void> {
    const there = phases.map((phase) => `[data-phase=${phase}]`).join(', ')
    for (const end = Date.now() + PATIENCE; ; ) {
      const state = `document.querySelector('${there}') ? 'there' : document.querySelector('dialog.demo-wallet') ? 'asked' : ''`
      const at = await this.page.evaluate<string>(state)
      if (at === 'there') return
      if (at === 'asked') await this.answer(true)
      if (Date.now() > end) throw new Error(`not ${phases}: ${await this.page.evaluate('document.body.innerText')}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  phase(...phases: string[]): Promise<void> {
    return this.page.until(
      phases.map((phase) => `document.querySelector('[data-phase=${phase}]')`).join(' || '),
      PATIENCE,
    )
  }

  /** Of a step in the timeline. */
  step(id: string): Promise<string> {
    return this.page.evaluate(`document.querySelector('[data-stage=${id}]')?.dataset.state ?? 'missing'`)
  }

  fact(name: string): Promise<string> {
    return this.text(`[data-is="${name}"]`)
  }
}
