// Wallets of the host page as if they were in this one: each is announced as in EIP-6963, and its requests go through
// the port. The host page is not trusted: its data about a wallet is only a label, and only listed methods are sent to
// it.
import { type ToHost, type ToWidget, WALLET_EVENTS, WALLET_METHODS, type WalletInfo } from './protocol.ts'

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

type Listener = (value: unknown) => void

/** Prefix of the ids of the host's wallets. */
export const RELAYED = 'host:'
const MAX_NAME = 60
const MAX_ICON = 200_000
const MAX_WALLETS = 40
const UNSUPPORTED = 4200

export class Relay {
  private readonly wallets = new Map<string, { info: WalletInfo; provider: RelayedProvider }>()
  private readonly waiting = new Map<number, Waiting>()
  private readonly send: (message: ToHost) => void
  private next = 1

  constructor(send: (message: ToHost) => void) {
    this.send = send
    window.addEventListener('eip6963:requestProvider', () => {
      for (const id of this.wallets.keys()) this.announce(id)
    })
  }

  /** @param message  from the port, of any shape */
  take(message: Exclude<ToWidget, { type: 'close' } | { type: 'focus' }>): void {
    if (message?.type === 'wallets' && Array.isArray(message.wallets))
      for (const info of message.wallets.slice(0, MAX_WALLETS)) this.add(info)
    else if (message?.type === 'answer') this.settle(message)
    else if (message?.type === 'event' && WALLET_EVENTS.includes(message.event))
      this.wallets.get(message.wallet)?.provider.emit(message.event, message.value)
  }

  private add({ uuid, name, icon, rdns }: WalletInfo): void {
    const id = String(uuid)
    if (this.wallets.has(id)) return
    const provider = new RelayedProvider((method, params) => this.request(id, method, params))
    const shown = String(icon)
    const info = {
      uuid: RELAYED + id,
      name: String(name).slice(0, MAX_NAME),
      icon: shown.startsWith('data:image/') && shown.length <= MAX_ICON ? shown : '',
      rdns: String(rdns).slice(0, MAX_NAME),
    }
    this.wallets.set(id, { info, provider })
    this.announce(id)
  }

  private announce(id: string): void {
    const detail = Object.freeze(this.wallets.get(id))
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }

  private request(wallet: string, method: string, params: unknown): Promise<unknown> {
    if (!WALLET_METHODS.includes(method))
      return Promise.reject(Object.assign(new Error(`${method} is not asked for`), { code: UNSUPPORTED }))
    const id = this.next++
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.send({ type: 'request', id, wallet, method, params })
    })
  }

  private settle({ id, result, error }: Extract<ToWidget, { type: 'answer' }>): void {
    const one = this.waiting.get(id)
    this.waiting.delete(id)
    if (error === undefined) one?.resolve(result)
    else one?.reject(Object.assign(new Error(String(error.message)), { code: error.code, data: error.data }))
  }
}

/** EIP-1193. */
class RelayedProvider {
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly ask: (method: string, params: unknown) => Promise<unknown>

  constructor(ask: (method: string, params: unknown) => Promise<unknown>) {
    this.ask = ask
  }

  request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    return this.ask(String(method), params ?? [])
  }

  on(event: string, listener: Listener): this {
    const all = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, all.add(listener))
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.listeners.get(event)?.delete(listener)
    return this
  }

  emit(event: string, value: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(value)
  }
}
