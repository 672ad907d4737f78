// A transfer in progress: its steps, what happens next, who must act and until when.
import type { Action, Journey, JourneyView } from '../core/types.ts'
import { fill, h, say, set } from './dom.ts'
import { grouped } from './format.ts'
import { leavingText } from './leaving-text.ts'
import { chainName, pageAddress, type Screen, type Surroundings } from './surroundings.ts'
import { timeline } from './timeline.ts'

export interface JourneyCallbacks {
  act(action: Action): void
  /** Back to the form, for another transfer. */
  again(): void
}

const OVER = ['delivered', 'returned', 'failed']

export function journeyScreen(around: Surroundings, journey: Journey, does: JourneyCallbacks): Screen {
  const title = h('h1', { tabindex: '-1' })
  const way = h('p', { class: 'quiet' })
  const bar = h('progress', { max: 100, 'aria-label': 'Progress' })
  const percent = h('span', { class: 'percent' })
  const left = h('span', { class: 'quiet' })
  const headline = h('p', { class: 'headline', role: 'status', 'aria-live': 'polite' })
  const failure = h('div', { class: 'failure', role: 'alert' })
  const warnings = h('ul', { class: 'warnings' })
  const actions = h('div', { class: 'buttons' })
  const steps = h('div')
  const facts = h('dl', { class: 'summary wide' })
  const keep = h('div', { class: 'keep' })
  const again = h('button', { type: 'button', class: 'link', onclick: does.again }, 'Another transfer')
  const drawn = new Map<Element, string>()

  /** Redraws a part only when its content has changed, so that the keyboard focus stays. */
  const draw = (part: Element, of: unknown, make: () => (Node | string)[]) => {
    const text = JSON.stringify(of)
    if (drawn.get(part) === text) return
    drawn.set(part, text)
    fill(part, ...make())
  }

  function show(view: JourneyView): void {
    const { draft, phase, error, safeToLeave } = view
    set(node, 'data-phase', phase)
    say(title, `${grouped(draft.amount)} ${draft.token}`.trim() || 'Transfer')
    const ends = [draft.from, draft.to].filter((one) => one !== '')
    say(way, ends.map((one) => chainName(around, one)).join(' → '))
    bar.value = view.percent
    say(percent, `${Math.round(view.percent)} %`)
    say(left, view.left ?? '')
    say(headline, view.headline)
    draw(failure, error, () => (error === null ? [] : [h('p', {}, error.text), h('p', { class: 'code' }, error.code)]))
    draw(warnings, view.warnings, () => view.warnings.map((text) => h('li', {}, text)))
    const isFailed = phase === 'failed'
    draw(actions, [view.actions, isFailed], () => [...view.actions.map(button), ...(isFailed ? [change()] : [])])
    draw(steps, view.stages, () => [timeline(view.stages)])
    const known = knownFacts(view)
    draw(facts, known, () => known.flatMap(([name, text]) => [h('dt', {}, name), h('dd', { 'data-is': name }, text)]))
    const link = linkOf(view)
    const leaving = leavingText(view)
    draw(keep, [link, phase, leaving], () => (link === null || OVER.includes(phase) ? [] : [keepLink(link, leaving)]))
    again.hidden = isFailed || (!safeToLeave && !OVER.includes(phase))
  }

  /** Back to the form with its content. */
  function change(): HTMLElement {
    return h('button', { type: 'button', onclick: does.again }, 'Change it')
  }

  function button(action: Action): HTMLElement {
    const { name, label, primary, blocked } = action
    const attributes = { type: 'button', class: primary ? 'primary' : null, 'data-action': name }
    const why = blocked === null ? null : h('p', { class: 'hint' }, blocked)
    const one = h('button', { ...attributes, disabled: blocked !== null, onclick: () => does.act(action) }, label)
    return why === null ? one : h('div', {}, one, why)
  }

  const node = h(
    'section',
    { class: 'card journey' },
    h('header', {}, title, way),
    h('div', { class: 'progress' }, bar, h('div', {}, percent, left)),
    headline,
    failure,
    actions,
    warnings,
    steps,
    facts,
    keep,
    again,
  )
  show(journey.view)
  return { node, leave: journey.subscribe(show) }
}

/** Facts of a transfer with their labels, without empty ones. */
function knownFacts({ draft, sender, back, key }: JourneyView): [string, string][] {
  const rows: [string, string | null][] = [
    ['From', sender],
    ['To', draft.recipient],
    ['Comes back to', back],
    ['Key', key],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
}

/** URL that shows the transfer again; null while there is nothing to find. */
export function linkOf({ key, transactions, safeToLeave }: JourneyView): string | null {
  if (key !== null) return pageAddress({ key })
  const last = transactions.at(-1)
  return safeToLeave && last !== undefined ? pageAddress({ tx: last.ref }) : null
}

/** The link with a copy button. @param leaving  text on what happens after the user has left */
export function keepLink(link: string, leaving: string): HTMLElement {
  const copy = h('button', { type: 'button', class: 'small' }, 'Copy link')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(link).then(
      () => say(copy, 'Copied'),
      () => window.getSelection()?.selectAllChildren(text),
    )
  })
  const text = h('a', { href: link, target: '_blank', rel: 'noopener' }, link.replace(/^https?:\/\//, ''))
  return h('p', { class: 'note' }, `${leaving} The transfer is found again at `, text, ' ', copy)
}
