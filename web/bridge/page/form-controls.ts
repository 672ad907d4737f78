// The inputs and texts of the transfer form, without their behaviour.
import type { Draft } from '../core/types.ts'
import { h } from './dom.ts'
import { field } from './fields.ts'

/** Ends of the route that the host of a widget has fixed. */
export interface FixedEnds {
  to: boolean
  recipient: boolean
}

export interface ControlEvents {
  /** The user changed a field. */
  change(member: keyof Draft, text: string): void
  /** The user left a field. */
  touch(member: keyof Draft): void
  swapChains(): void
  takeAll(): void
  takeOwn(): void
  submit(event: Event): void
}

export type Controls = ReturnType<typeof formControls>

export function formControls(draft: Draft, fixed: FixedEnds, on: ControlEvents) {
  const from = field('From', h('select', { name: 'from', onchange: () => on.change('from', from.input.value) }))
  const to = field(
    'To',
    h('select', { name: 'to', disabled: fixed.to, onchange: () => on.change('to', to.input.value) }),
  )
  const swap = h(
    'button',
    { type: 'button', class: 'swap', 'aria-label': 'Swap the chains', onclick: on.swapChains, hidden: fixed.to },
    '⇄',
  )
  const token = h('select', {
    ...{ name: 'token', id: 'token', 'aria-label': 'Token' },
    onchange: () => on.change('token', token.value),
  })
  const most = smallButton('Max', on.takeAll)
  const mine = smallButton('Mine', on.takeOwn)
  const amount = field(
    'Amount',
    h('input', {
      ...{ name: 'amount', inputmode: 'decimal', autocomplete: 'off', placeholder: '0.0', maxlength: 50 },
      value: draft.amount,
      oninput: () => on.change('amount', amount.input.value),
      onblur: () => on.touch('amount'),
    }),
    [most, token],
  )
  const recipient = field(
    'Recipient',
    h('input', {
      ...{ name: 'recipient', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 64 },
      value: draft.recipient,
      readonly: fixed.recipient,
      oninput: () => on.change('recipient', recipient.input.value),
      onblur: () => on.touch('recipient'),
    }),
    [mine],
  )
  const general = h('p', { class: 'bad', role: 'alert' })
  const closed = h('p', { class: 'note', role: 'status', hidden: true })
  const summary = h('dl', { class: 'summary' })
  const walletLine = h('div', { class: 'wallet-line' })
  const plan = h('details', { class: 'plan' })
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Continue')
  const node = h(
    'form',
    { class: 'card', novalidate: true, onsubmit: on.submit },
    h('div', { class: 'way' }, from.node, swap, to.node),
    ...[amount.node, closed, recipient.node, summary, general, walletLine, submit, plan],
  )
  return { node, from, to, token, most, mine, amount, recipient, general, closed, summary, walletLine, plan, submit }
}

function smallButton(text: string, onclick: () => void) {
  return h('button', { type: 'button', class: 'small', hidden: true, onclick }, text)
}
