// EVM wallets in the page: those that announce themselves (EIP-6963), and an older one at `window.ethereum`. Their data
// is not trusted: a name is shown as text, an icon only as an inline image.
import { evmFault, Fault } from '../core/faults.ts'
import { checksummed } from '../core/parties.ts'
import type { Eip1193Provider, EvmWallet, WalletChoice } from '../core/types.ts'

interface Announced {
  uuid: string
  name: string
  rdns: string
  icon: string | null
  provider: Eip1193Provider
}

/** The used part of `window`. */
export interface WalletWindow {
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
  ethereum?: unknown
}

/** Prefix of the uuids of a host page's wallets. */
const HOST_PREFIX = 'host:'
const MAX_ENTRIES = 30
const MAX_NAME = 40
const MAX_ICON = 200_000

export class EvmWallets {
  private readonly window: WalletWindow
  private readonly announced = new Map<string, Announced>()
  private readonly listeners = new Set<() => void>()
  private readonly choices = new Map<string, WalletChoice>()

  constructor(window: WalletWindow) {
    this.window = window
    window.addEventListener('eip6963:announceProvider', this.hear)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
  }

  list(): readonly WalletChoice[] {
    const all = [...this.announced.values()]
    if (all.length === 0 && isProvider(this.window.ethereum)) {
      const older = { uuid: 'injected', name: 'Browser wallet', rdns: '', icon: null, provider: this.window.ethereum }
      return [this.choiceOf(older)]
    }
    return all.map((one) => this.choiceOf(one))
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    this.window.removeEventListener('eip6963:announceProvider', this.hear)
    this.listeners.clear()
  }

  private readonly hear = (event: Event): void => {
    const one = readAnnouncement((event as CustomEvent<unknown>).detail)
    if (one === null || this.announced.has(one.uuid) || this.announced.size >= MAX_ENTRIES) return
    const twin = [...this.announced.values()].find(({ rdns }) => rdns !== '' && rdns === one.rdns)
    if (twin !== undefined) {
      // The same wallet twice: the frame's own takes precedence over the host page's.
      if (!twin.uuid.startsWith(HOST_PREFIX) || one.uuid.startsWith(HOST_PREFIX)) return
      this.announced.delete(twin.uuid)
    }
    this.announced.set(one.uuid, one)
    for (const listener of this.listeners) listener()
  }

  /** Memoized: the same object for the same wallet. */
  private choiceOf({ uuid, name, icon, provider }: Announced): WalletChoice {
    const known = this.choices.get(uuid)
    if (known !== undefined) return known
    const choice: WalletChoice = {
      id: `evm:${uuid}`,
      name,
      icon,
      kind: 'evm',
      connect: () => connect(choice, provider),
    }
    this.choices.set(uuid, choice)
    return choice
  }
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof value === 'object' && value !== null && typeof (value as Eip1193Provider).request === 'function'
}

function readAnnouncement(detail: unknown): Announced | null {
  const { info, provider } = (typeof detail === 'object' && detail !== null ? detail : {}) as {
    info?: Record<string, unknown>
    provider?: unknown
  }
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return null
  const { uuid, name, rdns, icon } = info
  if (typeof uuid !== 'string' || uuid === '' || uuid.length > 100) return null
  return {
    uuid,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME) : 'Wallet',
    rdns: typeof rdns === 'string' ? rdns.slice(0, 100) : '',
    icon: isPicture(icon) ? icon : null,
    provider,
  }
}

function isPicture(icon: unknown): icon is string {
  return (
    typeof icon === 'string' && icon.length <= MAX_ICON && /^data:image\/(png|svg\+xml|webp|gif|jpeg)[;,]/.test(icon)
  )
}

/** Asks the wallet to connect an account. @throws Fault */
export async function connect(choice: WalletChoice, provider: Eip1193Provider): Promise<EvmWallet> {
  const address = await provider
    .request({ method: 'eth_requestAccounts' })
    .then(firstAddress)
    .catch((error: unknown) => {
      throw evmFault(error)
    })
  if (address === null) throw new Fault('WALLET_EMPTY', 'The wallet has given no account. Unlock it and try again.')
  return {
    kind: 'evm',
    choice,
    address,
    provider,
    onChange(listener) {
      const changed = (accounts: unknown) => listener(firstAddress(accounts))
      const gone = () => listener(null)
      provider.on?.('accountsChanged', changed)
      provider.on?.('disconnect', gone)
      return () => {
        provider.removeListener?.('accountsChanged', changed)
        provider.removeListener?.('disconnect', gone)
      }
    },
    // Only the wallet can reliably revoke a permission; the page just forgets it.
    disconnect: async () => {},
  }
}

function firstAddress(accounts: unknown): string | null {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : null
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first) ? checksummed(first) : null
}
