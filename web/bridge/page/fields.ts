// Form fields: label, input, hint and error, connected for screen readers.
import { fill, h, say, set } from './dom.ts'

export interface Field<E extends HTMLElement> {
  node: HTMLElement
  input: E
  hint(...content: (Node | string)[]): void
  /** Sets the error; null clears it. */
  problem(text: string | null): void
}

/** @param inline  content in the same line as the input */
export function field<E extends HTMLInputElement | HTMLSelectElement>(
  label: string,
  input: E,
  inline: readonly HTMLElement[] = [],
): Field<E> {
  const { name } = input
  const [hint, problem] = [`${name}-hint`, `${name}-problem`]
  const hintNode = h('p', { id: hint, class: 'hint' })
  const problemNode = h('p', { id: problem, class: 'bad', 'aria-live': 'polite' })
  input.id = name
  set(input, 'aria-describedby', `${hint} ${problem}`)
  return {
    node: h(
      'div',
      { class: 'field', 'data-field': name },
      h('label', { for: name }, label),
      h('div', { class: 'line' }, input, ...inline),
      hintNode,
      problemNode,
    ),
    input,
    hint: (...content) => {
      if (content.length !== 1 || content[0] !== hintNode.textContent) fill(hintNode, ...content)
    },
    problem: (text) => {
      say(problemNode, text ?? '')
      set(input, 'aria-invalid', text === null ? null : 'true')
    },
  }
}

/** Sets the options of a select; keeps the selection if it is still an option. */
export function choose(
  select: HTMLSelectElement,
  choices: readonly { id: string; text: string }[],
  chosen: string,
): void {
  const known = [...select.options].map(({ value, text }) => `${value} ${text}`).join()
  if (known !== choices.map(({ id, text }) => `${id} ${text}`).join())
    fill(select, ...choices.map(({ id, text }) => h('option', { value: id }, text)))
  if (select.value !== chosen) select.value = chosen
}
