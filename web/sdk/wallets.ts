// Lends the host page's wallets to a widget in a frame, where most wallets are not injected. Requests come through a
// port that only the widget's origin gets; only listed methods pass.
import {
  HOST_SOURCE,
  type ToHost,
  type ToWidget,
  VERSION,
  WALLET_EVENTS,
  WALLET_METHODS,
  type WalletError,
  type WalletInfo,
} from '../bridge/frame/protocol.ts'

interface Provider {
  request(call: { method: string; params: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
  removeListener?(event: string, listener: (value: unknown) => void): void
}

interface Known {
  info: WalletInfo
  provider: Provider
}

export interface Line {
  send(message: ToWidget): void
  close(): void
}

/** Label of a wallet that does not announce itself. */
const INJECTED: WalletInfo = { uuid: 'injected', name: 'Browser wallet', icon: '', rdns: 'injected' }
/** Error codes of EIP-1193 and EIP-1474. */
const UNSUPPORTED = 4200
const INTERNAL = -32603

/**
 * Opens the connection to a widget.
 *
 * @param frame   the widget's window
 * @param stayed  called when the widget asks the user before it closes
 */
export function lend(frame: Window, origin: string, stayed: () => void): Line {
  const { port1, port2 } = new MessageChannel()
  const wallets = new Map<string, Known>()
  const undo: (() => void)[] = []
  const send = (message: ToWidget) => port1.postMessage(message)
  const list = () => send({ type: 'wallets', wallets: Array.from(wallets.values(), ({ info }) => info) })

  function add(info: WalletInfo, provider: Provider): void {
    if (wallets.has(info.uuid)) return
    wallets.set(info.uuid, { info, provider })
    if (typeof provider.on === 'function')
      for (const event of WALLET_EVENTS) {
        const listener = (value: unknown) => send({ type: 'event', wallet: info.uuid, event, value: cloneable(value) })
        provider.on(event, listener)
        undo.push(() => provider.removeListener?.(event, listener))
      }
    list()
  }

  async function pass({ id, wallet, method, params }: Extract<ToHost, { type: 'request' }>): Promise<void> {
    try {
      const known = wallets.get(wallet)
      if (!known || WALLET_METHODS.indexOf(method) < 0)
        throw { code: UNSUPPORTED, message: known ? `${method} is not passed on` : 'the wallet is gone' }
      send({ type: 'answer', id, result: cloneable(await known.provider.request({ method, params })) })
    } catch (error) {
      send({ type: 'answer', id, error: errorOf(error) })
    }
  }

  const announced = (event: Event) => {
    const { info, provider } = ((event as CustomEvent).detail || {}) as Partial<Known>
    if (!info || !provider || typeof provider.request !== 'function') return
    const [uuid, name, icon, rdns] = [info.uuid, info.name, info.icon, info.rdns].map((one) => String(one || ''))
    add({ uuid, name, icon, rdns } as WalletInfo, provider)
  }
  window.addEventListener('eip6963:announceProvider', announced)
  const injected = (window as { ethereum?: Provider }).ethereum
  port1.onmessage = ({ data }: MessageEvent<ToHost>) => {
    if (data.type === 'request') void pass(data)
    else if (data.type === 'stays') stayed()
  }
  frame.postMessage({ source: HOST_SOURCE, version: VERSION, type: 'wallets' }, origin, [port2])
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  if (wallets.size === 0 && injected && typeof injected.request === 'function') add(INJECTED, injected)
  list()
  return {
    send,
    close() {
      window.removeEventListener('eip6963:announceProvider', announced)
      for (const one of undo.splice(0)) one()
      port1.close()
    },
  }
}

/** A copy that can be cloned into another window. */
function cloneable(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

function errorOf(error: unknown): WalletError {
  const { code, message, data } = (error || {}) as Partial<WalletError>
  const shown = { code: typeof code === 'number' ? code : INTERNAL, message: String(message || error) }
  try {
    return data === undefined ? shown : { ...shown, data: cloneable(data) }
  } catch {
    return shown
  }
}
