// Dialog for prompts of Antelope wallets: a link to open the wallet, a code to scan or copy, rows of facts, buttons.
// All content is inserted as text.
import { qrCode } from './qr-code.ts'

export interface PromptContent {
  title: string
  body: string
  elements: readonly { type: string; label?: string; data?: unknown }[]
}

export interface Prompt {
  say(text: string): void
  close(): void
}

interface Answers {
  accept(): void
  cancel(): void
}

const SCHEMES: readonly string[] = ['esr:', 'esr-anchor:', 'https:', 'anchor:', 'wc:']
const QUIET_ZONE = 4

function make<K extends keyof HTMLElementTagNameMap>(name: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  element.textContent = text
  if (className !== '') element.className = className
  return element
}

export function showPrompt({ title, body, elements }: PromptContent, answers: Answers): Prompt {
  const dialog = make('dialog', '', 'wallet-prompt')
  const heading = make('h2', title)
  heading.id = `wallet-prompt-${Math.random().toString(36).slice(2)}`
  dialog.setAttribute('aria-labelledby', heading.id)
  const status = make('p', body)
  status.setAttribute('aria-live', 'polite')
  dialog.append(heading, status)
  let isOpen = true
  const close = (): void => {
    isOpen = false
    dialog.close()
    dialog.remove()
  }
  const cancel = (): void => {
    if (!isOpen) return
    close()
    answers.cancel()
  }
  for (const element of elements) {
    const made = partOf(element, answers, close, cancel)
    if (made !== null) dialog.append(made)
  }
  const button = make('button', 'Cancel', 'secondary')
  button.type = 'button'
  button.addEventListener('click', cancel)
  dialog.append(button)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    cancel()
  })
  document.body.append(dialog)
  dialog.showModal()
  return {
    say: (text) => {
      status.textContent = text
    },
    close: () => {
      if (isOpen) close()
    },
  }
}

function partOf(
  { type, label = '', data }: PromptContent['elements'][number],
  answers: Answers,
  close: () => void,
  cancel: () => void,
): HTMLElement | null {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  if (type === 'link') return link(String(value.href ?? ''), label || String(value.label ?? 'Open the wallet'))
  if (type === 'qr') return code(String(data))
  if (type === 'rows') return rowsOf(data as readonly (readonly [string, string])[])
  if (type === 'textarea') return make('p', String(value.content ?? label))
  if (type === 'countdown') return label === '' ? null : make('p', label)
  if (type === 'accept' || type === 'close' || type === 'button') {
    const isAccept = type === 'accept'
    const button = make('button', label || (isAccept ? 'Continue' : 'Close'), isAccept ? 'primary' : '')
    button.type = 'button'
    button.addEventListener('click', () => {
      if (typeof value.onClick === 'function') (value.onClick as () => void)()
      if (isAccept) {
        close()
        answers.accept()
      }
      if (type === 'close') cancel()
    })
    return button
  }
  return null
}

/** @param rows  label and value of each */
function rowsOf(rows: readonly (readonly [string, string])[]): HTMLElement {
  const list = make('dl', '', 'summary wide')
  for (const [label, value] of rows) list.append(make('dt', label), make('dd', value))
  return list
}

function link(address: string, label: string): HTMLElement | null {
  if (!URL.canParse(address) || !SCHEMES.includes(new URL(address).protocol)) return null
  const element = make('a', label, 'button')
  element.href = address
  return element
}

/** A code to scan, and its text to copy. */
function code(text: string): HTMLElement {
  const box = make('div', '', 'wallet-code')
  const rows = qrCode(text)
  if (rows !== null) box.append(picture(rows))
  const details = make('details')
  const area = make('textarea', text)
  area.readOnly = true
  area.setAttribute('aria-label', 'Request of the wallet, to copy')
  details.append(make('summary', 'Copy the request instead'), area)
  box.append(details)
  return box
}

function picture(rows: readonly (readonly boolean[])[]): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const size = rows.length + QUIET_ZONE * 2
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`)
  svg.setAttribute('width', '240')
  svg.setAttribute('height', '240')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', 'Code to scan with the wallet on your phone')
  const back = document.createElementNS(namespace, 'rect')
  back.setAttribute('width', String(size))
  back.setAttribute('height', String(size))
  back.setAttribute('fill', '#fff')
  const dots = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  )
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', dots.join(''))
  path.setAttribute('fill', '#000')
  svg.append(back, path)
  return svg
}
