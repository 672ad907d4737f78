// The form: what to send, from where, to whom; with limits, result, duration and steps.
import { readTyped, unambiguous } from '../core/amounts.ts'
import { isReadable } from '../core/routes.ts'
import type { Draft, Problem, Wallet } from '../core/types.ts'
import { fill, h, say, set } from './dom.ts'
import { choose, field } from './fields.ts'
import { compare, grouped, shortened } from './format.ts'
import { chainName, fullAmount, holder, type Screen, type Surroundings } from './surroundings.ts'
import { timeline } from './timeline.ts'

export interface FormCallbacks {
  /** The user asked for a wallet before submitting the form. */
  wallet(kind: 'evm' | 'antelope', chain: string): void
  /** The draft is valid and the wallet is connected. */
  review(wallet: Wallet): void
  /** Shows an earlier transfer. */
  find(text: string): void
}

/** Milliseconds after the last key press before a chain is asked. */
const DEBOUNCE_MS = 400
/** Milliseconds between updates of the routes. */
const REFRESH_MS = 60_000

/** @param draft  changed as the user types */
export function formScreen(around: Surroundings, draft: Draft, does: FormCallbacks): Screen {
  const { bridge, connected, form, parameters } = around
  // The host of a widget has fixed destination and recipient.
  const fixed = {
    to: form === 'widget' && parameters.to === draft.to,
    recipient: form === 'widget' && draft.recipient !== '' && parameters.recipient === draft.recipient,
  }
  // Errors are shown only for fields that were filled.
  const asked = new Set((['amount', 'recipient'] as (keyof Draft)[]).filter((member) => draft[member] !== ''))
  let balance: string | null = null
  let unreachable: Problem | null = null
  let left = false

  const from = field('From', h('select', { name: 'from', onchange: () => change('from', from.input.value) }))
  const to = field('To', h('select', { name: 'to', disabled: fixed.to, onchange: () => change('to', to.input.value) }))
  const swap = h(
    'button',
    { type: 'button', class: 'swap', 'aria-label': 'Swap the chains', onclick: turn, hidden: fixed.to },
    '⇄',
  )
  const token = h('select', {
    name: 'token',
    id: 'token',
    'aria-label': 'Token',
    onchange: () => change('token', token.value),
  })
  const most = h('button', { type: 'button', class: 'small', hidden: true, onclick: takeAll }, 'Max')
  const amount = field(
    'Amount',
    h('input', {
      ...{ name: 'amount', inputmode: 'decimal', autocomplete: 'off', placeholder: '0.0', maxlength: 50 },
      value: draft.amount,
      oninput: () => change('amount', amountTyped(amount.input.value)),
      onblur: () => touch('amount'),
    }),
    [most, token],
  )
  const mine = h('button', { type: 'button', class: 'small', hidden: true, onclick: takeOwn }, 'Mine')
  const recipient = field(
    'Recipient',
    h('input', {
      ...{ name: 'recipient', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 64 },
      value: draft.recipient,
      readonly: fixed.recipient,
      oninput: () => change('recipient', recipient.input.value.trim()),
      onblur: () => touch('recipient'),
    }),
    [mine],
  )
  const general = h('p', { class: 'bad', role: 'alert' })
  const summary = h('dl', { class: 'summary' })
  const walletLine = h('div', { class: 'wallet-line' })
  const plan = h('details', { class: 'plan' })
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Continue')

  const kindOf = (chain: string) => around.config.chains.find(({ id }) => id === chain)?.kind ?? 'evm'
  const wallet = (): Wallet | null => connected.get(kindOf(draft.from), draft.from)

  function change(member: keyof Draft, value: string): void {
    draft[member] = value
    if (member === 'from' || member === 'to') settle(member)
    if (member !== 'amount') lookLater()
    show()
  }

  function touch(member: keyof Draft): void {
    if (draft[member] !== '') asked.add(member)
    show()
  }

  /** Changes the rest of the route to fit the chosen end. */
  function settle(kept: 'from' | 'to'): void {
    const destinations = bridge.destinations(draft.from).map(({ id }) => id)
    if (!destinations.includes(draft.to)) {
      if (kept === 'from' && !fixed.to) draft.to = destinations[0] ?? ''
      else draft.from = startTo(draft.to) ?? draft.from
    }
    const tokens = bridge.tokens(draft.from, draft.to)
    if (!tokens.some(({ symbol }) => symbol === draft.token)) draft.token = tokens[0]?.symbol ?? ''
    balance = null
    unreachable = null
  }

  function startTo(goal: string): string | undefined {
    return bridge.sources().find(({ id }) => bridge.destinations(id).some((one) => one.id === goal))?.id
  }

  function turn(): void {
    ;[draft.from, draft.to] = [draft.to, draft.from]
    if (!fixed.recipient) draft.recipient = recipient.input.value = ''
    asked.delete('recipient')
    settle('from')
    lookLater()
    show()
  }

  function takeAll(): void {
    if (balance === null) return
    amount.input.value = draft.amount = unambiguous(balance)
    touch('amount')
  }

  /** The user's account at the destination, from a connected wallet or the demo's configuration. */
  function own(): string | null {
    const kind = kindOf(draft.to)
    const there = connected.get(kind, draft.to)
    if (there !== null) return holder(there)
    const { demo } = around.config
    return demo ? (kind === 'evm' ? demo.address : demo.account) : null
  }

  function takeOwn(): void {
    recipient.input.value = own() ?? ''
    change('recipient', recipient.input.value)
    recipient.input.focus()
  }

  let timer = 0
  function lookLater(): void {
    clearTimeout(timer)
    timer = window.setTimeout(() => void look(), DEBOUNCE_MS)
  }

  /** Asks the chains for the balance and the recipient. */
  async function look(): Promise<void> {
    const at = { ...draft }
    const holds = wallet()
    const isSame = () => !left && (['from', 'to', 'token', 'recipient'] as const).every((one) => at[one] === draft[one])
    const shaped = bridge.check(at).every((problem) => problem.field !== 'recipient')
    const [has, refused] = await Promise.all([
      holds === null ? null : bridge.balance(holds, at.from, at.to, at.token).catch(() => null),
      shaped ? bridge.checkRecipient(at.to, at.recipient).catch(() => null) : null,
    ])
    if (!isSame()) return
    balance = has
    unreachable = refused
    show()
  }

  function problems(): readonly Problem[] {
    const found = [...bridge.check(draft)]
    if (unreachable !== null) found.push(unreachable)
    if (balance !== null && (compare(draft.amount, balance) ?? 0) > 0)
      found.push({
        field: 'amount',
        code: 'AMOUNT_ABOVE_BALANCE',
        text: `Your wallet has ${grouped(balance)} ${draft.token}.`,
      })
    return found
  }

  function show(): void {
    const found = problems()
    const problemOf = (member: keyof Draft) =>
      (asked.has(member) || member === 'from' || member === 'to' || member === 'token'
        ? found.find((problem) => problem.field === member)?.text
        : null) ?? null
    choose(from.input, named(starts()), draft.from)
    choose(to.input, named(bridge.destinations(draft.from)), draft.to)
    choose(
      token,
      bridge.tokens(draft.from, draft.to).map(({ symbol }) => ({ id: symbol, text: symbol })),
      draft.token,
    )
    from.problem(problemOf('from'))
    to.problem(problemOf('to'))
    amount.problem(problemOf('amount') ?? problemOf('token'))
    recipient.problem(problemOf('recipient'))
    mine.hidden = fixed.recipient || [null, draft.recipient].includes(own())
    const isEvm = kindOf(draft.to) === 'evm'
    set(recipient.input, 'placeholder', isEvm ? '0x…' : 'account name')
    recipient.hint(
      fixed.recipient
        ? 'Set by the page that you came from.'
        : isEvm
          ? `Address on ${chainName(around, draft.to)}.`
          : `Account on ${chainName(around, draft.to)}.`,
    )
    showLimits()
    showWallet()
    const whole = found.find((problem) => problem.field === null)
    say(general, whole?.text ?? '')
    submit.textContent = wallet() === null ? 'Connect a wallet' : 'Review the transfer'
  }

  function starts() {
    const all = bridge.sources()
    return fixed.to ? all.filter(({ id }) => bridge.destinations(id).some((one) => one.id === draft.to)) : all
  }

  function showLimits(): void {
    const estimate = bridge.estimate(draft)
    if (estimate === null) {
      fill(summary)
      return
    }
    const { min, max, receives, remainder, time, stages } = estimate
    amount.hint(
      `${grouped(min)} to ${grouped(max)} ${draft.token}${balance === null ? '' : ` · you have ${grouped(balance)}`}`,
    )
    most.hidden = balance === null
    const isAmount = isReadable(draft.amount)
    const rows: [string, string][] = [
      ...(isAmount ? [['You send', fullAmount(around, draft)] satisfies [string, string]] : []),
      ['Arrives', !isAmount || receives === '' ? '–' : `${grouped(receives)} ${draft.token}`],
      ['Takes', time],
    ]
    if (remainder !== null)
      rows.splice(-1, 0, ['Stays with you', `${remainder} ${draft.token}, too small to be counted`])
    fill(summary, ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]))
    const isOpen = plan.open
    fill(plan, h('summary', {}, `What will happen: ${stages.length} steps`), timeline(stages))
    plan.open = isOpen
  }

  function showWallet(): void {
    const one = wallet()
    const kind = kindOf(draft.from)
    const place = chainName(around, draft.from)
    if (one === null) {
      fill(walletLine, h('span', { class: 'quiet' }, `No wallet for ${place} yet`))
      return
    }
    const who = holder(one)
    const other = h('button', { type: 'button', class: 'link', onclick: () => does.wallet(kind, draft.from) }, 'Change')
    fill(walletLine, h('span', { title: who }, `${one.choice.name} · ${shortened(who)}`), other)
  }

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    for (const member of ['amount', 'recipient'] as const) asked.add(member)
    if (firstProblem()) return
    const one = wallet()
    if (one === null) {
      does.wallet(kindOf(draft.from), draft.from)
      return
    }
    submit.disabled = true
    clearTimeout(timer)
    await look()
    submit.disabled = false
    if (!left && !firstProblem()) does.review(one)
  }

  /** Shows the problems and focuses the first. */
  function firstProblem(): boolean {
    show()
    const [first] = problems()
    if (first === undefined) return false
    const inputs = { from: from.input, to: to.input, token, amount: amount.input, recipient: recipient.input }
    if (first.field !== null) inputs[first.field].focus()
    return true
  }

  const search = h('input', {
    ...{ name: 'transfer', id: 'transfer', autocomplete: 'off', spellcheck: 'false', maxlength: 80 },
    'aria-describedby': 'transfer-hint',
  })
  const follow = h(
    'form',
    {
      class: 'follow',
      onsubmit: (event: Event) => {
        event.preventDefault()
        if (search.value.trim() !== '') does.find(search.value.trim())
      },
    },
    h('label', { for: 'transfer' }, 'Follow a transfer'),
    h('div', { class: 'line' }, search, h('button', { type: 'submit' }, 'Find')),
    h('p', { class: 'hint', id: 'transfer-hint' }, 'By its key, a transaction, an account or an address.'),
  )
  const main = h(
    'form',
    { class: 'card', novalidate: true, onsubmit: (event: Event) => void send(event) },
    h('div', { class: 'way' }, from.node, swap, to.node),
    amount.node,
    recipient.node,
    summary,
    general,
    walletLine,
    submit,
    plan,
  )
  settle('from')
  show()
  lookLater()
  const stops = [
    connected.subscribe(() => {
      balance = null
      lookLater()
      show()
    }),
  ]
  const refresh = setInterval(() => {
    bridge.refresh().then(
      () => {
        if (!left) show()
      },
      // The previous routes remain in use until the bridge answers again.
      () => {},
    )
  }, REFRESH_MS)
  return {
    node: h('section', { 'aria-label': 'Transfer' }, h('h1', { tabindex: '-1' }, 'Bridge'), main, follow),
    leave() {
      left = true
      clearTimeout(timer)
      clearInterval(refresh)
      for (const stop of stops) stop()
    },
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
