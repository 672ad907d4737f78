// Transfers found by a key, a transaction, an account or an address.
import type { FoundTransfer } from '../core/types.ts'
import { fill, h, say, timeNode } from './dom.ts'
import { grouped } from './format.ts'
import { chainName, type Screen, type Surroundings } from './surroundings.ts'

export interface FindCallbacks {
  follow(key: string): void
  back(): void
}

/** Milliseconds between searches for an unknown transaction: the newest blocks may not be indexed yet. */
const INTERVAL_MS = 5000
const MAX_SEARCHES = 24
const TRANSACTION = /^(0x)?[0-9a-f]{64}$/i

export function findScreen(around: Surroundings, text: string, does: FindCallbacks): Screen {
  const list = h('ul', { class: 'found' })
  const status = h('p', { class: 'quiet', role: 'status' }, 'Looking…')
  const failure = h('p', { class: 'bad', role: 'alert' })
  let timer = 0
  let left = false

  async function look(count: number): Promise<void> {
    let found: readonly FoundTransfer[]
    try {
      found = await around.bridge.find(text)
    } catch (error) {
      if (left) return
      say(status, '')
      say(failure, (error as Error).message)
      return
    }
    if (left) return
    const [only] = found
    if (only !== undefined && found.length === 1) {
      does.follow(only.key)
      return
    }
    fill(list, ...found.map(line))
    if (found.length > 0) say(status, `${found.length} transfers, newest first`)
    else if (TRANSACTION.test(text) && count < MAX_SEARCHES) {
      say(status, 'Not known yet. A transaction appears here once its block is read: looking again…')
      timer = window.setTimeout(() => void look(count + 1), INTERVAL_MS)
    } else say(status, 'Nothing was found. Check what you have pasted.')
  }

  function line({ key, from, to, token, amount, status, time }: FoundTransfer): HTMLElement {
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', 'data-key': key, onclick: () => does.follow(key) },
        h('span', { class: 'title' }, `${grouped(amount)} ${token ?? ''}`),
        h('span', {}, `${chainName(around, from)} → ${chainName(around, to)}`),
        h('span', { class: 'quiet' }, `${status} · `, timeNode(time)),
      ),
    )
  }

  void look(0)
  return {
    node: h(
      'section',
      { class: 'card' },
      h('h1', { tabindex: '-1' }, 'Transfers'),
      h('p', { class: 'quiet long' }, text),
      status,
      failure,
      list,
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: does.back }, 'Back')),
    ),
    leave() {
      left = true
      clearTimeout(timer)
    },
  }
}
