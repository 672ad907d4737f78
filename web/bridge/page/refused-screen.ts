// Shown instead of the form when the bridge cannot serve a value that the host page has fixed.
import type { Problem } from '../core/types.ts'
import { h } from './dom.ts'
import type { Screen } from './surroundings.ts'

export function refusedScreen({ code, text }: Problem): Screen {
  return {
    node: h(
      'section',
      { class: 'card' },
      h('h1', { tabindex: '-1' }, 'This transfer is not possible'),
      h('div', { class: 'failure', role: 'alert' }, h('p', {}, text), h('p', { class: 'code' }, code)),
      h('p', {}, 'Nothing was sent. Please inform the operator of the page that you came from.'),
    ),
  }
}
