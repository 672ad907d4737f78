// Simulates a user of the bridge's page in a browser, with the demo's wallets: clicks visible elements, confirms
// wallet prompts, and waits for states of the page.
import type { Browser, Page } from '../../support/browser/browser.ts'

export interface Wish {
  from: string
  to: string
  token: string
  amount: string
  recipient: string
}

const EVM_WALLET = '[data-wallet^="evm:"]'
/** Dialog of a wallet that asks for a signature. */
const PROMPT = 'dialog.wallet-prompt'
/** Timeout of a stage, milliseconds. */
const PATIENCE = 120_000

export class Person {
  readonly page: Page
  /** Selectors of the calls that the EVM wallet was asked to send. */
  readonly asked: string[] = []

  /** CSS selector of the chosen EVM wallet. */
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
   * Console errors of the page, except for journeys that the bridge does not know yet and for answers of a busy bridge:
   * the page retries both.
   */
  get complaints(): string[] {
    const passing = /404 \(Not Found\).*\/hops\/|503 \(Service Unavailable\).*\/api\/bridge\//
    return this.page.complaints.filter((text) => !passing.test(text))
  }

  /** Clicks an element by script, because pages may be in the background. */
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

  /** Goes from the form, filled by the address, to the review with a wallet. */
  async prepare(from: string): Promise<void> {
    // Retries when the bridge is busy.
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

  /** Goes from the review to the end, and does the user's own steps. @returns the actions that the user took */
  async walk(wish: Pick<Wish, 'to'>): Promise<string[]> {
    const done: string[] = []
    await this.sign()
    for (;;) {
      await this.confirmUntil('waiting', 'delivered', 'returned', 'failed')
      if (await this.page.evaluate(`!document.querySelector('[data-phase=waiting]')`)) return done
      const action = await this.page.evaluate<string>(`document.querySelector('[data-action]').dataset.action`)
      done.push(action)
      await this.press(`[data-action=${action}]`)
      // The wallet of the source chain may fit this step too.
      if (await this.page.evaluate(`Boolean(document.querySelector('#wallet-title'))`)) await this.choose(wish.to)
      await this.confirmUntil('moving', 'delivered', 'returned', 'failed')
    }
  }

  /** In a frame the button is disabled for a moment after a movement: clicks until the review is over. */
  sign(): Promise<void> {
    const button = 'section[aria-labelledby=review-title] button.primary'
    const press = `document.querySelector('${button}:not([disabled])')?.click()`
    return this.page.until(`(${press}, !document.querySelector('#review-title'))`, PATIENCE)
  }

  /** Confirms or rejects the prompt of one of the demo's wallets. */
  async answer(agrees: boolean): Promise<void> {
    await this.page.until(`document.querySelector('${PROMPT}')`, PATIENCE)
    const rows = await this.page.evaluate<string>(`document.querySelector('${PROMPT} dl').innerText`)
    const call = /0x[0-9a-f]{8}(?=,)/.exec(rows)
    if (call) this.asked.push(call[0])
    await this.press(agrees ? `${PROMPT} .primary` : `${PROMPT} button:not(.primary)`)
  }

  /** Confirms the prompts of the demo's wallets until the page is in one of the given phases. */
  async confirmUntil(...phases: string[]): Promise<void> {
    const there = phases.map((phase) => `[data-phase=${phase}]`).join(', ')
    for (const end = Date.now() + PATIENCE; ; ) {
      const state = `document.querySelector('${there}') ? 'there' : document.querySelector('${PROMPT}') ? 'asked' : ''`
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

  /** State of a step in the timeline. */
  step(id: string): Promise<string> {
    return this.page.evaluate(`document.querySelector('[data-stage=${id}]')?.dataset.state ?? 'missing'`)
  }

  fact(name: string): Promise<string> {
    return this.text(`[data-is="${name}"]`)
  }
}
