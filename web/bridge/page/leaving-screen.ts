// Before a widget is closed while a transfer is under way: nothing is lost, and this is where it is found again.
import type { JourneyView } from '../core/types.ts'
import { h } from './dom.ts'
import { keepLink, linkOf } from './journey-screen.ts'
import type { Screen } from './surroundings.ts'

export function leavingScreen(view: JourneyView, does: { close(): void; stay(): void }): Screen {
  const link = linkOf(view)
  const isYours = view.stages.some(({ actor, state }) => actor === 'you' && (state === 'waiting' || state === 'active'))
  const stay = h('button', { type: 'button', onclick: does.stay }, 'Stay')
  return {
    node: h(
      'section',
      { class: 'card', role: 'alertdialog', 'aria-labelledby': 'leaving-title' },
      h('h1', { id: 'leaving-title', tabindex: '-1' }, 'Close it now?'),
      view.safeToLeave
        ? h('p', {}, 'The transfer goes on without this window.')
        : h('p', {}, 'A wallet may still be asking. What you sign there is sent all the same.'),
      isYours && view.safeToLeave && h('p', {}, 'A step of yours is still to come: come back for it through the link.'),
      link !== null && keepLink(link),
      h(
        'div',
        { class: 'buttons' },
        stay,
        h('button', { type: 'button', class: 'primary', onclick: does.close }, 'Close'),
      ),
    ),
  }
}
