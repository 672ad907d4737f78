// Chooses a wallet: the available ones, and advice when there is none.
import type { Wallet, WalletChoice } from '../core/types.ts'
import { RELAYED } from '../frame/relay.ts'
import { fill, h, outside, say } from './dom.ts'
import { chainName, type Screen, type Surroundings } from './surroundings.ts'

export interface WalletNeed {
  kind: 'evm' | 'antelope'
  chain: string
  /** Purpose: "to send from Ethereum". */
  why: string
  chosen(wallet: Wallet): void
  back(): void
  /** URL of the stand-alone page, which may have wallets that a frame lacks. */
  alone: string
}

export function walletScreen(around: Surroundings, need: WalletNeed): Screen {
  const { wallets, connected, host } = around
  const { kind, chain, why } = need
  const list = h('ul', { class: 'wallets' })
  const status = h('p', { class: 'quiet', role: 'status' })
  const failure = h('p', { class: 'bad', role: 'alert' })
  let left = false

  async function connect(choice: WalletChoice): Promise<void> {
    say(failure, '')
    say(status, `Confirm in ${choice.name}…`)
    for (const one of list.querySelectorAll('button')) one.disabled = true
    try {
      const wallet = await connected.connect(choice, chain)
      if (!left) need.chosen(wallet)
    } catch (error) {
      if (left) return
      say(status, '')
      say(failure, (error as Error).message)
      show()
    }
  }

  function show(): void {
    const choices = wallets.list(kind, chain)
    const items = choices.map((choice) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'wallet', 'data-wallet': choice.id, onclick: () => void connect(choice) },
          icon(choice),
          h(
            'span',
            {},
            choice.name,
            choice.id.startsWith(`evm:${RELAYED}`) && h('small', {}, 'of the page around this one'),
          ),
        ),
      ),
    )
    fill(list, ...items)
    nothing.hidden = choices.length > 0
  }

  const nothing = h(
    'div',
    { class: 'note', hidden: true },
    h('p', {}, `No wallet for ${chainName(around, chain)} was found here.`),
    h('p', {}, 'Install or unlock one, then come back: it appears in this list by itself.'),
    kind === 'evm' && h('p', {}, 'On a phone, open this page in the browser of your wallet.'),
    host.embed === 'iframe' && h('p', {}, outside(need.alone, 'Open the bridge in a window of its own')),
  )
  const stop = wallets.subscribe(show)
  show()
  const node = h(
    'section',
    { class: 'card', 'aria-labelledby': 'wallet-title' },
    h('h1', { id: 'wallet-title', tabindex: '-1' }, 'Choose a wallet'),
    h('p', { class: 'quiet' }, why),
    list,
    nothing,
    status,
    failure,
    h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: need.back }, 'Back')),
  )
  return {
    node,
    leave() {
      left = true
      stop()
    },
  }
}

/** Wallets supply their own icons: only data URLs are shown. */
function icon({ icon, name }: WalletChoice): HTMLElement {
  if (icon?.startsWith('data:image/')) return h('img', { src: icon, alt: '', width: 32, height: 32 })
  return h('span', { class: 'initial', 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase())
}
