// The steps of a transfer: title, actor and deadline of each.
import type { Stage, TransactionRef } from '../core/types.ts'
import { h, outside, timeNode } from './dom.ts'
import { shortened } from './format.ts'

const ACTORS: Record<Stage['actor'], string> = {
  you: 'you',
  automatic: 'automatic',
  relayer: 'relayer',
  anyone: 'anyone',
}
const STATES: Record<Stage['state'], string> = {
  waiting: 'to come',
  active: 'now',
  done: 'done',
  failed: 'failed',
  skipped: 'not needed',
}

export function timeline(stages: readonly Stage[]): HTMLOListElement {
  return h('ol', { class: 'timeline' }, ...stages.map(step))
}

function step({ id, title, detail, state, actor, deadline, transactions }: Stage): HTMLElement {
  return h(
    'li',
    { 'data-stage': id, 'data-state': state, 'aria-current': state === 'active' ? 'step' : null },
    h('span', { class: 'mark', 'aria-hidden': 'true' }),
    h(
      'div',
      {},
      h(
        'p',
        { class: 'step' },
        h('span', { class: 'title' }, title),
        h('span', { class: 'unseen' }, ` (${STATES[state]})`),
        h('span', { class: 'actor', 'data-actor': actor }, ACTORS[actor]),
      ),
      detail !== '' && h('p', { class: 'quiet' }, detail),
      deadline !== null && h('p', { class: 'deadline' }, 'before ', timeNode(deadline)),
      ...transactions.map((one) => h('p', { class: 'quiet' }, transaction(one))),
    ),
  )
}

/** A transaction with its label; a link when an explorer is configured. */
function transaction({ label, ref, url }: TransactionRef): HTMLElement {
  const text = `${label} ${shortened(ref)}`
  return url === '' ? h('span', { title: ref }, text) : outside(url, text)
}
