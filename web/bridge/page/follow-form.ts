// The form that finds an earlier transfer.
import { h } from './dom.ts'

/** @param find  called with the trimmed text, which is not empty */
export function followForm(find: (text: string) => void): HTMLElement {
  const search = h('input', {
    ...{ name: 'transfer', id: 'transfer', autocomplete: 'off', spellcheck: 'false', maxlength: 80 },
    'aria-describedby': 'transfer-hint',
  })
  const submit = (event: Event) => {
    event.preventDefault()
    if (search.value.trim() !== '') find(search.value.trim())
  }
  return h(
    'form',
    { class: 'follow', onsubmit: submit },
    h('label', { for: 'transfer' }, 'Follow a transfer'),
    h('div', { class: 'line' }, search, h('button', { type: 'submit' }, 'Find')),
    h('p', { class: 'hint', id: 'transfer-hint' }, 'By its key, a transaction, an account or an address.'),
  )
}
