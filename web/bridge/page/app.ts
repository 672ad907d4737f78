// Moves between screens: form, wallets, review, transfer. Reports events to the host.
import type { Action, Draft, Journey, JourneyView, Problem, Wallet } from '../core/types.ts'
import { fill, h } from './dom.ts'
import { findScreen } from './find-screen.ts'
import { firstDraft } from './first-draft.ts'
import { fixedProblem } from './fixed.ts'
import { formScreen } from './form-screen.ts'
import { journeyScreen, linkOf } from './journey-screen.ts'
import { type EntryState, withTyped } from './kept-draft.ts'
import { leavingScreen } from './leaving-screen.ts'
import { addressWith } from './parameters.ts'
import { refusedScreen } from './refused-screen.ts'
import { reviewScreen } from './review-screen.ts'
import { chainName, pageAddress, type Screen, type Surroundings } from './surroundings.ts'
import { walletScreen } from './wallet-screen.ts'

const OVER = ['delivered', 'returned', 'failed']
const TITLE = 'Bridge'
/** Milliseconds until a popup window closes itself. */
const CLOSE_DELAY_MS = 500

/** Whether the browser's history is at a screen that follows the form. */
const isStep = () => (history.state as EntryState | null)?.isStep === true

export class App {
  private readonly around: Surroundings
  private readonly place: HTMLElement
  private readonly draft: Draft
  private screen: Screen | null = null
  private journey: Journey | null = null
  /** Whether the journey was begun here: it was signed, or is being signed. */
  private isOwn = false
  private stops: (() => void)[] = []

  /** @param place  element for the screens */
  constructor(around: Surroundings, place: HTMLElement) {
    this.around = around
    this.place = place
    const draft = firstDraft(around.bridge, around.parameters)
    this.draft = around.form === 'page' ? withTyped(draft, history.state) : draft
    around.host.onClose(() => this.mayClose())
    if (around.form === 'page') addEventListener('popstate', () => this.goBack())
  }

  start(): void {
    const { transfer } = this.around.parameters
    const refused = this.around.form === 'widget' && transfer === null ? this.fixedProblem() : null
    if (refused !== null) {
      this.refuse(refused)
      return
    }
    if (transfer === null) this.showForm(false)
    else this.find(transfer, false)
    const { to, recipient } = this.draft
    this.around.host.send('ready', { to, recipient })
  }

  private fixedProblem(): Problem | null {
    const { bridge, parameters } = this.around
    return fixedProblem(bridge, location.search, parameters, this.draft)
  }

  /** Reports to the user and the host that a value given by the host is not possible. */
  private refuse(problem: Problem): void {
    const { host, parameters } = this.around
    this.show(refusedScreen(problem), false)
    const asked = new URLSearchParams(location.search)
    host.send('failed', {
      direction: 'hop',
      from_chain: asked.get('from') ?? '',
      to_chain: asked.get('to') ?? '',
      token: asked.get('token') ?? '',
      amount: asked.get('amount') ?? '',
      sender: '',
      recipient: asked.get('recipient') ?? '',
      transactions: [],
      errorCode: problem.code,
      error: problem.text,
      partner: parameters.partner ?? '',
      embed: host.embed,
    })
  }

  /** The widget's own close button. */
  close(): void {
    if (this.mayClose()) this.leave()
  }

  private leave(): void {
    const { host } = this.around
    host.send('close', {})
    // The opener closes the window, if it listens.
    if (host.embed === 'popup') setTimeout(() => window.close(), CLOSE_DELAY_MS)
  }

  /** Asks the user first when a transfer is in progress. @returns whether it may be closed immediately */
  private mayClose(): boolean {
    const { journey } = this
    if (journey === null || OVER.includes(journey.view.phase) || journey.view.phase === 'checking') return true
    this.show(leavingScreen(journey.view, { close: () => this.leave(), stay: () => this.showJourney(journey) }))
    return false
  }

  private show(screen: Screen, moves = true): void {
    this.screen?.leave?.()
    this.screen = screen
    document.title = TITLE
    fill(this.place, screen.node)
    this.place.removeAttribute('aria-busy')
    if (!moves) return
    // Screen readers start at the new heading.
    const target = screen.focus ?? screen.node.querySelector<HTMLElement>('h1')
    target?.focus({ preventScroll: true })
    if (this.around.form === 'page') window.scrollTo({ top: 0 })
  }

  private showForm(moves = true): void {
    this.end()
    this.remember(null)
    const does = {
      wallet: (kind: 'evm' | 'antelope', chain: string) =>
        this.askWallet(kind, chain, (wallet) => (this.isComplete() ? this.review(wallet) : this.toForm())),
      review: (wallet: Wallet) => this.review(wallet),
      changed: () => this.keepDraft(),
      find: (text: string) => this.find(text),
    }
    this.show(formScreen(this.around, this.draft, does), moves)
  }

  /** Makes a screen that follows the form one step of the browser's history. */
  private enter(): void {
    if (this.around.form !== 'page' || isStep()) return
    const state: EntryState = { isStep: true, draft: this.draft }
    history.pushState(state, '')
  }

  /** Shows the form at its own entry of the history, so that Back leads out of the page from there. */
  private toForm(): void {
    this.end()
    if (this.around.form === 'page' && isStep()) history.back()
    else this.showForm()
  }

  /** The browser's Back leads to the form. A transfer that was signed here stays until it is over. */
  private goBack(): void {
    const { journey } = this
    if (journey !== null && this.isOwn && !OVER.includes(journey.view.phase)) {
      this.remember(linkOf(journey.view))
      return
    }
    this.showForm()
    this.keepDraft()
  }

  private isComplete(): boolean {
    return this.around.bridge.check(this.draft).length === 0
  }

  private askWallet(
    kind: 'evm' | 'antelope',
    chain: string,
    chosen: (wallet: Wallet) => void,
    back?: () => void,
  ): void {
    const why = `It signs for you on ${chainName(this.around, chain)}.`
    const need = { kind, chain, why, chosen, back: back ?? (() => this.toForm()), alone: this.standaloneUrl() }
    if (this.journey === null) this.enter()
    this.show(walletScreen(this.around, need))
  }

  /** URL of this draft on the stand-alone page. */
  private standaloneUrl(): string {
    const { from, to, token, amount, recipient } = this.draft
    const { partner } = this.around.parameters
    const known = Object.entries({ from, to, token, amount, recipient, partner: partner ?? '' })
    return pageAddress(Object.fromEntries(known.filter(([, value]) => value !== '')))
  }

  /** Checks balance and recipient again, then shows the review screen. */
  private async review(wallet: Wallet): Promise<void> {
    const { bridge } = this.around
    const refused = await bridge.checkRecipient(this.draft.to, this.draft.recipient).catch(() => null)
    if (refused !== null) {
      this.toForm()
      return
    }
    this.enter()
    this.show(
      reviewScreen(this.around, this.draft, wallet, {
        sign: () => this.begin(wallet),
        back: () => this.toForm(),
        alone: this.standaloneUrl(),
      }),
    )
  }

  private begin(wallet: Wallet): void {
    this.take(this.around.bridge.start({ ...this.draft }, wallet), true)
  }

  private follow(key: string): void {
    this.take(this.around.bridge.follow(key), false)
  }

  private find(text: string, moves = true): void {
    this.end()
    const does = { follow: (key: string) => this.follow(key), back: () => this.toForm() }
    if (moves) this.enter()
    this.show(findScreen(this.around, text, does), moves)
  }

  private take(journey: Journey, isOwn: boolean): void {
    this.end()
    this.journey = journey
    this.isOwn = isOwn
    const { host, parameters } = this.around
    const unlisten = journey.listen(({ type, data }) => {
      const more = type === 'finished' ? {} : { partner: parameters.partner ?? '', embed: host.embed }
      host.send(type, { ...data, ...more })
    })
    const remember = (view: JourneyView) => {
      const link = linkOf(view)
      if (link !== null) this.remember(link)
    }
    // The title shows the progress while the tab is in the background.
    const title = ({ percent, draft }: JourneyView) => {
      document.title = `${Math.round(percent)} % · ${draft.amount} ${draft.token} – ${TITLE}`
    }
    this.stops = [unlisten, journey.subscribe(remember), journey.subscribe(title)]
    remember(journey.view)
    this.showJourney(journey)
    title(journey.view)
  }

  private showJourney(journey: Journey): void {
    const does = { act: (action: Action) => this.act(journey, action), again: () => this.toForm() }
    this.show(journeyScreen(this.around, journey, does))
  }

  private act(journey: Journey, { name, wallet }: Action): void {
    if (wallet === null) {
      void journey.act(name, null)
      return
    }
    const go = (one: Wallet) => {
      void journey.act(name, one)
      this.showJourney(journey)
    }
    const known = this.around.connected.get(wallet.kind, wallet.chain)
    if (known === null) this.askWallet(wallet.kind, wallet.chain, go, () => this.showJourney(journey))
    else void journey.act(name, known)
  }

  /** Puts the link to the transfer or the form into the page's own address; a frame shows no address. */
  private remember(link: string | null): void {
    if (this.around.form !== 'page') return
    const at = new URL(location.href)
    for (const name of ['key', 'tx']) at.searchParams.delete(name)
    if (link !== null) for (const [name, value] of new URL(link).searchParams) at.searchParams.set(name, value)
    if (at.href !== location.href) history.replaceState(history.state, '', at.href)
  }

  /** A reload of the page keeps the form. */
  private keepDraft(): void {
    if (this.around.form !== 'page') return
    const state: EntryState = { ...history.state, draft: this.draft }
    history.replaceState(state, '', addressWith(location.href, this.draft))
  }

  private end(): void {
    for (const stop of this.stops.splice(0)) stop()
    this.journey?.close()
    this.journey = null
  }
}

/** The page around the screens. */
export function frame(around: Pick<Surroundings, 'form' | 'host' | 'parameters'>, close: () => void): HTMLElement {
  const main = h('main', { id: 'main', tabindex: '-1', 'aria-busy': 'true' })
  const app = document.getElementById('app') as HTMLElement
  const { returnUrl, inline } = around.parameters
  const text = returnUrl === null ? '' : `← Back to ${new URL(returnUrl).host}`
  const links =
    around.form === 'page' &&
    returnUrl !== null &&
    h('nav', { 'aria-label': 'Way back' }, h('a', { href: returnUrl, id: 'return', rel: 'noopener' }, text))
  const hasClose = around.form === 'widget' && !inline && around.host.embed !== 'page'
  const button = hasClose
    ? h('button', { type: 'button', id: 'close', 'aria-label': 'Close', onclick: close }, '×')
    : null
  fill(app, links, button, main)
  return main
}
