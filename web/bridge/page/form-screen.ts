// The form: what to send, from where, to whom; with limits, result, duration and steps.
import { readTyped, unambiguous } from '../../shared/amounts.ts'
import { type Costs, mostOf } from '../core/costs.ts'
import type { Draft, Problem, Wallet } from '../core/types.ts'
import { fill, h, say, set } from './dom.ts'
import { choose } from './fields.ts'
import { followForm } from './follow-form.ts'
import { type Controls, type FixedEnds, formControls } from './form-controls.ts'
import { compare, grouped, shortened } from './format.ts'
import { summaryRows } from './summary-rows.ts'
import { chainName, fullAmount, holder, type Screen, type Surroundings } from './surroundings.ts'
import { timeline } from './timeline.ts'

export interface FormCallbacks {
  /** The user asked for a wallet before submitting the form. */
  wallet(kind: 'evm' | 'antelope', chain: string): void
  /** The draft is valid and the wallet is connected. */
  review(wallet: Wallet): void
  /** The user changed the draft. */
  changed(): void
  /** Shows an earlier transfer. */
  find(text: string): void
}

/** Milliseconds after the last key press before a chain is asked. */
const DEBOUNCE_MS = 400
/** Milliseconds between updates of the routes. */
const REFRESH_MS = 60_000

/** @param draft  changed as the user types */
export function formScreen(around: Surroundings, draft: Draft, callbacks: FormCallbacks): Screen {
  const form = new TransferForm(around, draft, callbacks)
  const follow = followForm(callbacks.find)
  return {
    node: h('section', { 'aria-label': 'Transfer' }, h('h1', { tabindex: '-1' }, 'Bridge'), form.node, follow),
    leave: form.open(),
  }
}

class TransferForm {
  private readonly around: Surroundings
  private readonly draft: Draft
  private readonly callbacks: FormCallbacks
  private readonly fixed: FixedEnds
  private readonly controls: Controls
  /** Filled fields: only their errors are shown. */
  private readonly asked: Set<keyof Draft>
  private balance: string | null = null
  private unreachable: Problem | null = null
  private costs: Costs | null = null
  private isLeft = false
  private timer = 0

  constructor(around: Surroundings, draft: Draft, callbacks: FormCallbacks) {
    this.around = around
    this.draft = draft
    this.callbacks = callbacks
    const { form, parameters } = around
    this.fixed = {
      to: form === 'widget' && parameters.to === draft.to,
      recipient: form === 'widget' && draft.recipient !== '' && parameters.recipient === draft.recipient,
    }
    this.asked = new Set((['amount', 'recipient'] as const).filter((member) => draft[member] !== ''))
    this.controls = formControls(draft, this.fixed, {
      change: (member, text) => this.change(member, text),
      touch: (member) => this.touch(member),
      swapChains: () => this.swapChains(),
      takeAll: () => this.takeAll(),
      takeOwn: () => this.takeOwn(),
      submit: (event) => void this.submit(event),
    })
  }

  get node(): HTMLElement {
    return this.controls.node
  }

  /** Shows the draft and follows wallets and routes. @returns a function that stops this */
  open(): () => void {
    const { bridge, connected } = this.around
    this.fitRoute('from')
    this.show()
    this.lookLater()
    const unsubscribe = connected.subscribe(() => {
      this.balance = null
      this.lookLater()
      this.show()
    })
    const refresh = setInterval(() => {
      bridge.refresh().then(
        () => {
          if (!this.isLeft) this.show()
        },
        // The previous routes remain in use until the bridge answers again.
        () => {},
      )
    }, REFRESH_MS)
    return () => {
      this.isLeft = true
      clearTimeout(this.timer)
      clearInterval(refresh)
      unsubscribe()
    }
  }

  private kindOf(chain: string): 'evm' | 'antelope' {
    return this.around.config.chains.find(({ id }) => id === chain)?.kind ?? 'evm'
  }

  /** The connected wallet that sends. */
  private wallet(): Wallet | null {
    return this.around.connected.get(this.kindOf(this.draft.from), this.draft.from)
  }

  private change(member: keyof Draft, text: string): void {
    this.draft[member] = member === 'amount' ? amountTyped(text) : text.trim()
    if (member === 'from' || member === 'to') this.fitRoute(member)
    if (member !== 'amount') this.lookLater()
    this.callbacks.changed()
    this.show()
  }

  private touch(member: keyof Draft): void {
    if (this.draft[member] !== '') this.asked.add(member)
    this.show()
  }

  /** Changes the rest of the route to fit the chosen end. */
  private fitRoute(chosen: 'from' | 'to'): void {
    const { bridge } = this.around
    const { draft } = this
    const destinations = bridge.destinations(draft.from).map(({ id }) => id)
    if (!destinations.includes(draft.to)) {
      if (chosen === 'from' && !this.fixed.to) draft.to = destinations[0] ?? ''
      else draft.from = this.sourcesOf(draft.to)[0]?.id ?? draft.from
    }
    const tokens = bridge.tokens(draft.from, draft.to)
    if (!tokens.some(({ symbol }) => symbol === draft.token)) draft.token = tokens[0]?.symbol ?? ''
    this.balance = null
    this.unreachable = null
    this.costs = null
  }

  /** Chains with a route to `destination`. */
  private sourcesOf(destination: string) {
    const { bridge } = this.around
    return bridge.sources().filter(({ id }) => bridge.destinations(id).some((one) => one.id === destination))
  }

  private swapChains(): void {
    const { draft } = this
    ;[draft.from, draft.to] = [draft.to, draft.from]
    if (!this.fixed.recipient) draft.recipient = this.controls.recipient.input.value = ''
    this.asked.delete('recipient')
    this.fitRoute('from')
    this.lookLater()
    this.callbacks.changed()
    this.show()
  }

  private takeAll(): void {
    if (this.balance === null) return
    const most = mostOf(this.balance, this.costs?.coinGas ?? null)
    this.controls.amount.input.value = this.draft.amount = unambiguous(most)
    this.callbacks.changed()
    this.touch('amount')
  }

  /** The user's account at the destination, from a connected wallet or the demo's configuration. */
  private ownAccount(): string | null {
    const { connected, config } = this.around
    const kind = this.kindOf(this.draft.to)
    const there = connected.get(kind, this.draft.to)
    if (there !== null) return holder(there)
    return config.demo ? (kind === 'evm' ? config.demo.address : config.demo.account) : null
  }

  private takeOwn(): void {
    const { input } = this.controls.recipient
    input.value = this.ownAccount() ?? ''
    this.change('recipient', input.value)
    input.focus()
  }

  private lookLater(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => void this.look(), DEBOUNCE_MS)
  }

  /** Asks the chains for the balance and the recipient. */
  private async look(): Promise<void> {
    const { bridge } = this.around
    const at = { ...this.draft }
    const holds = this.wallet()
    const isSame = () =>
      !this.isLeft && (['from', 'to', 'token', 'recipient'] as const).every((one) => at[one] === this.draft[one])
    const isWellFormed = bridge.check(at).every((problem) => problem.field !== 'recipient')
    const [balance, refused, costs] = await Promise.all([
      holds === null ? null : bridge.balance(holds, at.from, at.to, at.token).catch(() => null),
      isWellFormed ? bridge.checkRecipient(at.to, at.recipient).catch(() => null) : null,
      bridge.costs(holds, at).catch(() => null),
    ])
    if (!isSame()) return
    this.balance = balance
    this.unreachable = refused
    this.costs = costs
    this.show()
  }

  private problems(): readonly Problem[] {
    const { draft, balance, unreachable } = this
    const found = [...this.around.bridge.check(draft)]
    if (unreachable !== null) found.push(unreachable)
    if (balance !== null && (compare(draft.amount, balance) ?? 0) > 0)
      found.push({
        field: 'amount',
        code: 'AMOUNT_ABOVE_BALANCE',
        text: `Your wallet has ${grouped(balance)} ${draft.token}.`,
      })
    return found
  }

  private show(): void {
    const found = this.problems()
    this.showChoices()
    this.showProblems(found)
    this.showRecipient()
    this.showEstimate()
    this.showWallet()
    say(this.controls.general, found.find((problem) => problem.field === null)?.text ?? '')
    this.controls.submit.textContent = this.wallet() === null ? 'Connect a wallet' : 'Review the transfer'
  }

  private showChoices(): void {
    const { bridge } = this.around
    const { draft, controls } = this
    choose(controls.from.input, named(this.fixed.to ? this.sourcesOf(draft.to) : bridge.sources()), draft.from)
    choose(controls.to.input, named(bridge.destinations(draft.from)), draft.to)
    const tokens = bridge.tokens(draft.from, draft.to)
    choose(
      controls.token,
      tokens.map(({ symbol }) => ({ id: symbol, text: symbol })),
      draft.token,
    )
  }

  private showProblems(found: readonly Problem[]): void {
    const { from, to, amount, recipient } = this.controls
    const textOf = (member: keyof Draft) => found.find((problem) => problem.field === member)?.text ?? null
    const textIfAsked = (member: keyof Draft) => (this.asked.has(member) ? textOf(member) : null)
    from.problem(textOf('from'))
    to.problem(textOf('to'))
    amount.problem(textIfAsked('amount'))
    const closed = textOf('token')
    this.controls.closed.hidden = closed === null
    say(this.controls.closed, closed ?? '')
    recipient.problem(textIfAsked('recipient'))
  }

  private showRecipient(): void {
    const { mine, recipient } = this.controls
    const isEvm = this.kindOf(this.draft.to) === 'evm'
    mine.hidden = this.fixed.recipient || [null, this.draft.recipient].includes(this.ownAccount())
    set(recipient.input, 'placeholder', isEvm ? '0x…' : 'account name')
    const where = `${isEvm ? 'Address' : 'Account'} on ${chainName(this.around, this.draft.to)}.`
    recipient.hint(this.fixed.recipient ? 'Set by the page that you came from.' : where)
  }

  private showEstimate(): void {
    const { around, draft, balance } = this
    const { summary, amount, most, plan } = this.controls
    const estimate = around.bridge.estimate(draft)
    if (estimate === null) {
      fill(summary)
      return
    }
    const { min, max, stages } = estimate
    amount.hint(
      `${grouped(min)} to ${grouped(max)} ${draft.token}${balance === null ? '' : ` · you have ${grouped(balance)}`}`,
    )
    most.hidden = balance === null
    const rows = summaryRows(draft, { estimate, costs: this.costs, sent: fullAmount(around, draft) })
    fill(summary, ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', { 'data-is': name }, text)]))
    const isOpen = plan.open
    fill(plan, h('summary', {}, `What will happen: ${stages.length} steps`), timeline(stages))
    plan.open = isOpen
  }

  private showWallet(): void {
    const { walletLine } = this.controls
    const wallet = this.wallet()
    const chain = this.draft.from
    if (wallet === null) {
      fill(walletLine, h('span', { class: 'quiet' }, `No wallet for ${chainName(this.around, chain)} yet`))
      return
    }
    const who = holder(wallet)
    const onclick = () => this.callbacks.wallet(this.kindOf(chain), chain)
    const other = h('button', { type: 'button', class: 'link', onclick }, 'Change')
    fill(walletLine, h('span', { title: who }, `${wallet.choice.name} · ${shortened(who)}`), other)
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault()
    const wallet = this.wallet()
    for (const member of ['amount', 'recipient'] as const)
      if (wallet !== null || this.draft[member] !== '') this.asked.add(member)
    if (this.focusProblem(wallet === null)) return
    if (wallet === null) {
      this.callbacks.wallet(this.kindOf(this.draft.from), this.draft.from)
      return
    }
    this.controls.submit.disabled = true
    clearTimeout(this.timer)
    await this.look()
    this.controls.submit.disabled = false
    if (!this.isLeft && !this.focusProblem()) this.callbacks.review(wallet)
  }

  /**
   * Shows the problems and focuses the field of the first.
   *
   * @param isUnconnected  a wallet is chosen next: fields may be empty and the route closed, but what is typed must be right
   * @returns whether there is a problem
   */
  private focusProblem(isUnconnected = false): boolean {
    this.show()
    const { draft } = this
    const [first] = this.problems().filter(
      ({ field }) => !isUnconnected || (field !== null && field !== 'token' && draft[field] !== ''),
    )
    if (first === undefined) return false
    const { from, to, token, amount, recipient } = this.controls
    const inputs = { from: from.input, to: to.input, token, amount: amount.input, recipient: recipient.input }
    if (first.field !== null) inputs[first.field].focus()
    return true
  }
}

/** The amount as the bridge parses it; the typed text while it cannot be parsed. */
function amountTyped(text: string): string {
  const typed = readTyped(text)
  return typed !== null && 'amount' in typed ? typed.amount : text.trim()
}

function named(choices: readonly { id: string; name: string }[]): { id: string; text: string }[] {
  return choices.map(({ id, name }) => ({ id, text: name }))
}
