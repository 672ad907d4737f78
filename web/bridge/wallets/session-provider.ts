// A WalletConnect session as an EIP-1193 provider: signing requests go to the wallet on the phone, read requests to the
// site's own nodes.
import type { Eip1193Provider } from '../core/types.ts'

type Listener = (...values: never[]) => void

export interface Approved {
  topic: string
  /** `eip155:1:0x…` */
  namespaces: { eip155?: { accounts: readonly string[] } }
}

/** The used part of the library's client. */
export interface Client {
  connect(wanted: object): Promise<{ uri?: string; approval(): Promise<Approved> }>
  request(call: { topic: string; chainId: string; request: { method: string; params: unknown } }): Promise<unknown>
  disconnect(call: { topic: string; reason: { code: number; message: string } }): Promise<void>
  on(event: string, listener: (event: { topic: string; params?: unknown }) => void): void
}

export interface Library {
  SignClient: { init(options: object): Promise<Client> }
}

export interface Place {
  chainId: number
  /** URL of a JSON-RPC node. */
  node: string
}

/** Methods that go to the wallet on the phone. */
export const SIGNING = ['eth_sendTransaction', 'wallet_switchEthereumChain', 'wallet_addEthereumChain']
/** The protocol's reason code for a session ended by its own side. */
const ENDED = { code: 6000, message: 'The page has forgotten the wallet.' }
const UNSUPPORTED = 4200
const UNKNOWN_CHAIN = 4902

export class SessionProvider implements Eip1193Provider {
  private readonly client: Client
  private readonly topic: string
  private readonly places: readonly Place[]
  private readonly methods: readonly string[]
  private readonly listeners = new Map<string, Set<Listener>>()
  private accounts: readonly string[] = []
  private chainId: number

  /** @param methods  allowed methods */
  constructor(client: Client, { topic, namespaces }: Approved, places: readonly Place[], methods: readonly string[]) {
    this.client = client
    this.topic = topic
    this.places = places
    this.methods = methods
    this.accounts = namespaces.eip155?.accounts ?? []
    const agreed = this.agreed()
    this.chainId = places.find(({ chainId }) => agreed.includes(chainId))?.chainId ?? 0
    client.on('session_update', ({ topic, params }) => {
      if (topic !== this.topic) return
      this.accounts = (params as Pick<Approved, 'namespaces'>).namespaces.eip155?.accounts ?? []
      this.emit('accountsChanged', this.addresses())
    })
    for (const event of ['session_delete', 'session_expire'])
      client.on(event, ({ topic }) => {
        if (topic === this.topic) this.emit('disconnect', { code: 4900 })
      })
  }

  async request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return this.addresses()
    if (method === 'eth_chainId') return `0x${this.chainId.toString(16)}`
    if (method === 'wallet_switchEthereumChain')
      return this.switchTo(Number((params as { chainId: string }[])[0]?.chainId))
    if (!this.methods.includes(method)) throw refusal(UNSUPPORTED, `${method} is not asked of this wallet`)
    if (!SIGNING.includes(method)) return this.read(method, params)
    const chainId = `eip155:${this.chainId}`
    return this.client.request({ topic: this.topic, chainId, request: { method, params } })
  }

  on(event: string, listener: Listener): void {
    const heard = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, heard.add(listener))
  }

  removeListener(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener)
  }

  async end(): Promise<void> {
    await this.client.disconnect({ topic: this.topic, reason: ENDED })
  }

  /** Chain ids that the wallet has approved. */
  private agreed(): number[] {
    return this.accounts.map((account) => Number(account.split(':')[1]))
  }

  /** Addresses on the current chain. */
  private addresses(): string[] {
    return this.accounts.flatMap((account) => {
      const [, chainId, address = ''] = account.split(':')
      return Number(chainId) === this.chainId ? [address] : []
    })
  }

  private switchTo(chainId: number): null {
    if (!this.agreed().includes(chainId) || !this.places.some((place) => place.chainId === chainId))
      throw refusal(UNKNOWN_CHAIN, `the wallet has not agreed to chain ${chainId}`)
    if (chainId !== this.chainId) {
      this.chainId = chainId
      this.emit('chainChanged', `0x${chainId.toString(16)}`)
    }
    return null
  }

  private async read(method: string, params: unknown): Promise<unknown> {
    const place = this.places.find(({ chainId }) => chainId === this.chainId)
    if (place === undefined) throw refusal(UNKNOWN_CHAIN, 'the wallet has agreed to none of the chains')
    const response = await fetch(place.node, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (error) throw Object.assign(new Error(error.message), error)
    return result
  }

  private emit(event: string, value: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) (listener as (value: unknown) => void)(value)
  }
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
