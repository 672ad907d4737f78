// A document for the page's wallet dialogs outside of a browser: each dialog is answered as soon as it is shown.
import type { Test } from 'tap'

class FakeNode {
  readonly name: string
  readonly children: FakeNode[] = []
  textContent = ''
  className = ''
  private readonly listeners = new Map<string, () => void>()
  private readonly onShow: (dialog: FakeNode) => void

  constructor(name: string, onShow: (dialog: FakeNode) => void) {
    this.name = name
    this.onShow = onShow
  }

  append(...children: FakeNode[]): void {
    this.children.push(...children)
  }

  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, listener)
  }

  click(): void {
    this.listeners.get('click')?.()
  }

  showModal(): void {
    queueMicrotask(() => this.onShow(this))
  }

  /** All elements of that name inside. */
  all(name: string): FakeNode[] {
    return this.children.flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)])
  }

  setAttribute(): void {}
  close(): void {}
  remove(): void {}
}

export interface Dialogs {
  /** Labels and values of the last dialog. */
  rows: Record<string, string>
  count: number
  /** Whether the next dialogs are confirmed. */
  agrees: boolean
}

/** Puts the document in place until the test ends. */
export function fakeDialogs(t: Test): Dialogs {
  const dialogs: Dialogs = { rows: {}, count: 0, agrees: true }
  const answer = (dialog: FakeNode) => {
    const labels = dialog.all('dt').map(({ textContent }) => textContent)
    dialogs.rows = Object.fromEntries(dialog.all('dd').map(({ textContent }, i) => [labels[i], textContent]))
    dialogs.count++
    const wanted = dialogs.agrees ? 'primary' : 'secondary'
    dialog
      .all('button')
      .find(({ className }) => className === wanted)
      ?.click()
  }
  const createElement = (name: string) => new FakeNode(name, answer)
  Object.assign(globalThis, { document: { createElement, body: createElement('body') } })
  t.teardown(() => {
    delete (globalThis as { document?: unknown }).document
  })
  return dialogs
}
