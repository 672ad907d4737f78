// Review before signing: all values in full length, as they will be signed.
import type { Draft, Wallet } from '../core/types.ts'
import { h, outside, say } from './dom.ts'
import { grouped } from './format.ts'
import { chainName, fullAmount, holder, type Screen, type Surroundings } from './surroundings.ts'
import { timeline } from './timeline.ts'
import { watchVisibility } from './visibility.ts'

export interface ReviewCallbacks {
  sign(): void
  back(): void
  /** URL of the same draft on the stand-alone page. */
  alone: string
}

export function reviewScreen(around: Surroundings, draft: Draft, wallet: Wallet, does: ReviewCallbacks): Screen {
  const estimate = around.bridge.estimate(draft)
  const rows: [string, string][] = [
    ['You send', `${fullAmount(around, draft)} from ${chainName(around, draft.from)}`],
    ['From', holder(wallet)],
    ['Arrives', `${grouped(estimate?.receives ?? draft.amount)} ${draft.token} on ${chainName(around, draft.to)}`],
    ['To', draft.recipient],
    ['Takes', estimate?.time ?? ''],
  ]
  const isFramed = around.host.embed === 'iframe'
  // In a frame the button is disabled until the browser reports that it is visible.
  const attributes = { type: 'button', class: 'primary', disabled: isFramed, onclick: does.sign }
  const sign = h('button', attributes, `Sign in ${wallet.choice.name}`)
  // Watches the line of the button: a disabled button is drawn faintly, which counts as not visible.
  const buttons = h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: does.back }, 'Back'), sign)
  const covered = h('p', { class: 'bad', role: 'status' })
  const alone = h('p', { hidden: true }, outside(does.alone, 'Open it in a window of its own'))
  const stop = isFramed
    ? watchVisibility(buttons, (seen) => {
        sign.disabled = seen === false
        alone.hidden = seen !== false
        say(
          covered,
          seen === false
            ? 'The page around this one covers it, or part of it is out of view. To sign, bring all of it into view, or:'
            : '',
        )
      })
    : () => {}
  return {
    node: h(
      'section',
      { class: 'card', 'aria-labelledby': 'review-title' },
      h('h1', { id: 'review-title', tabindex: '-1' }, 'Is this right?'),
      h(
        'dl',
        { class: 'summary wide' },
        ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', { 'data-is': name }, text)]),
      ),
      h(
        'p',
        { class: 'note' },
        'Transfers cannot be called back once they are signed. Check the recipient letter by letter.',
      ),
      buttons,
      covered,
      alone,
      estimate && h('details', { class: 'plan' }, h('summary', {}, 'What will happen'), timeline(estimate.stages)),
    ),
    leave: stop,
  }
}
