// Shown before a widget closes during a transfer: nothing is lost, and a link finds it again.
import type { JourneyView } from '../core/types.ts'
import { h } from './dom.ts'
import { keepLink, linkOf } from './journey-screen.ts'
import { leavingText } from './leaving-text.ts'
import type { Screen } from './surroundings.ts'

export function leavingScreen(view: JourneyView, does: { close(): void; stay(): void }): Screen {
  const link = linkOf(view)
  const leaving = leavingText(view)
  const stay = h('button', { type: 'button', onclick: does.stay }, 'Stay')
  return {
    node: h(
      'section',
      { class: 'card', role: 'alertdialog', 'aria-labelledby': 'leaving-title' },
      h('h1', { id: 'leaving-title', tabindex: '-1' }, 'Close it now?'),
      link === null ? h('p', {}, leaving) : keepLink(link, leaving),
      h(
        'div',
        { class: 'buttons' },
        stay,
        h('button', { type: 'button', class: 'primary', onclick: does.close }, 'Close'),
      ),
    ),
  }
}
