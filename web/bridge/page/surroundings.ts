// Dependencies shared by all screens of the page.

import { formatFull } from '../../shared/amounts.ts'
import type { BridgeClient, BridgeConfig, Draft, Wallet, WalletChoice, Wallets } from '../core/types.ts'
import type { Host } from '../frame/host.ts'
import type { Parameters } from './parameters.ts'

export interface Surroundings {
  form: 'page' | 'widget'
  config: BridgeConfig
  parameters: Parameters
  host: Host
  bridge: BridgeClient
  wallets: Wallets
  /** The connected wallets. */
  connected: Connected
}

/** Content of the page until the next screen is shown. */
export interface Screen {
  node: HTMLElement
  /** Element that gets the keyboard focus when the screen is shown; default: its heading. */
  focus?: HTMLElement
  /** Called when another screen replaces it. */
  leave?(): void
}

/** Connected wallets: one for all EVM chains, one for each Antelope chain. */
export class Connected {
  private readonly wallets = new Map<string, Wallet>()
  private readonly listeners = new Set<() => void>()

  get(kind: 'evm' | 'antelope', chain: string): Wallet | null {
    return this.wallets.get(slot(kind, chain)) ?? null
  }

  async connect(choice: WalletChoice, chain: string): Promise<Wallet> {
    const wallet = await choice.connect(chain)
    const place = slot(wallet.kind, chain)
    this.wallets.set(place, wallet)
    if (wallet.kind === 'evm')
      wallet.onChange((address) => {
        if (this.wallets.get(place)?.choice !== choice) return
        if (address === null) this.wallets.delete(place)
        // Another account. A transfer that has begun or is in review keeps the account that it shows.
        else this.wallets.set(place, { ...wallet, address })
        this.notify()
      })
    this.notify()
    return wallet
  }

  async forget(kind: 'evm' | 'antelope', chain: string): Promise<void> {
    const wallet = this.get(kind, chain)
    this.wallets.delete(slot(kind, chain))
    this.notify()
    // The wallet counts as disconnected even when its own disconnect fails.
    await wallet?.disconnect().catch(() => {})
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private notify(): void {
    for (const listener of this.listeners) listener()
  }
}

function slot(kind: 'evm' | 'antelope', chain: string): string {
  return kind === 'evm' ? kind : `${kind} ${chain}`
}

/** The wallet's address or account. */
export function holder(wallet: Wallet): string {
  return wallet.kind === 'evm' ? wallet.address : wallet.account
}

/** `10,000.000000 USDC`: the amount of a draft with all decimals of the token at its source. */
export function fullAmount({ bridge }: Pick<Surroundings, 'bridge'>, { from, to, token, amount }: Draft): string {
  const precision = bridge.tokens(from, to).find(({ symbol }) => symbol === token)?.precision ?? 0
  return `${formatFull(amount, precision)} ${token}`
}

/** Display name of a chain. */
export function chainName({ config }: Pick<Surroundings, 'config'>, id: string): string {
  return config.chains.find((chain) => chain.id === id)?.name ?? id
}

/** URL of the stand-alone page on this site, with a query. */
export function pageAddress(query: Record<string, string>): string {
  // Colons in keys need no escape.
  return `${location.origin}/v/wax/bridge?${new URLSearchParams(query)}`.replaceAll('%3A', ':')
}
