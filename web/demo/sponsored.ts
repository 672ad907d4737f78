// A swap whose CPU the exchange pays, from the client's side: checks that CPU is paid, requests a route, puts the noop
// action first, signs for the user, requests the payer's signature, sends both, and finds the swap in the API. No DOM.
import {
  Action,
  APIClient,
  FetchProvider,
  PermissionLevel,
  PrivateKey,
  Serializer,
  SignedTransaction,
  Transaction,
} from '@wharfkit/antelope'

export interface Places {
  /** Base URL of the API on the chain's host; empty for the page's own host. */
  api: string
  /** Base URL of the chain API. */
  node: string
  account: string
  key: string
}

export interface Quote {
  sends: string
  receives: string
  /** Actions from the router. */
  actions: readonly { account: string; name: string; authorization: object[]; data: object }[]
}

export interface Paid {
  id: string
  block: number
  /** Billed CPU in microseconds. */
  billed: { payer: number; user: number }
}

const PAYER = 'liquid.svc'
const PERMISSION = 'bw'
/** The action whose signer pays for those after it. */
export const NOOP = {
  account: PAYER,
  name: 'noop',
  authorization: [{ actor: PAYER, permission: PERMISSION }],
  data: {},
}
const LIFETIME_S = 120
const FROM = 'wax-eosio.token'
const TO = 'usdt-usdt.svc'

export class Sponsored {
  private readonly places: Places
  private readonly chain: APIClient['v1']['chain']

  constructor(places: Places) {
    this.places = places
    this.chain = new APIClient({ provider: new FetchProvider(places.node) }).v1.chain
  }

  /** @throws Error unless the exchange pays CPU now */
  async status(): Promise<{ percent: number | null }> {
    const { signing, cpu } = await this.ask<{ signing: boolean; cpu: { percent: number } | null }>(
      '/api/v2/cpu/status',
      {},
    )
    if (!signing) throw new Error('The exchange pays no CPU at the moment. Try again soon.')
    return { percent: cpu?.percent ?? null }
  }

  /** @param amount  WAX, decimal text */
  async quote(amount: string): Promise<Quote> {
    const query = new URLSearchParams({
      ...{ tradeType: 'exactIn', input: FROM, output: TO, amount, slippage: '1', account: this.places.account },
    })
    const { input, output, actions } = await this.ask<{
      input: { amount: string; symbol: string }
      output: { amount: string; symbol: string }
      actions: Quote['actions']
    }>(`/api/v3/swapRouter/getRoute?${query}`)
    const text = (side: { amount: string; symbol: string }) => `${side.amount} ${side.symbol}`
    return { sends: text(input), receives: text(output), actions }
  }

  /** Transaction of the noop, then the swap. */
  async build({ actions }: Quote): Promise<Transaction> {
    const [info, packed] = await Promise.all([
      this.chain.get_info(),
      Promise.all(
        actions.map(async (action) => {
          const { abi } = await this.chain.get_abi(action.account)
          if (abi === undefined) throw new Error(`${action.account} has no ABI.`)
          return Action.from(action as never, abi)
        }),
      ),
    ])
    const authorization = NOOP.authorization.map((level) => PermissionLevel.from(level))
    const noop = Action.from({ ...NOOP, authorization, data: '' })
    return Transaction.from({ ...info.getTransactionHeader(LIFETIME_S), actions: [noop, ...packed] })
  }

  /** The user's signature. */
  async sign(transaction: Transaction): Promise<string> {
    const { chain_id } = await this.chain.get_info()
    return String(PrivateKey.from(this.places.key).signDigest(transaction.signingDigest(chain_id)))
  }

  /** Requests the payer's signature. @throws Error with the reason for a refusal */
  async cosign(transaction: Transaction): Promise<string> {
    const serializedTransaction = Serializer.encode({ object: transaction }).hexString
    return (await this.ask<{ signature: string }>('/api/v2/cpu/cosign', { serializedTransaction })).signature
  }

  /** @param signatures  the payer's first */
  async send(transaction: Transaction, signatures: readonly string[]): Promise<Paid> {
    const before = await this.billed()
    const signed = SignedTransaction.from({ ...transaction, signatures: [...signatures] })
    const { transaction_id, processed } = await this.chain.push_transaction(signed)
    const after = await this.billed()
    const billed = { payer: after.payer - before.payer, user: after.user - before.user }
    return { id: String(transaction_id), block: Number(processed.block_num), billed }
  }

  private async billed(): Promise<{ payer: number; user: number }> {
    const used = async (account_name: string) => {
      const path = `${this.places.node}/v1/chain/get_account`
      return (await asked<{ cpu_limit: { used: number } }>(path, { account_name })).cpu_limit.used
    }
    const [payer, user] = await Promise.all([used(PAYER), used(this.places.account)])
    return { payer, user }
  }

  private ask<T>(path: string, body?: object): Promise<T> {
    return asked(`${this.places.api}${path}`, body)
  }
}

/** Requests JSON; posts when there is a body. Content type text needs no preflight. @throws Error */
async function asked<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as T
  let said: string | undefined
  try {
    said = (JSON.parse(text) as { error?: string }).error
  } catch {}
  throw new Error(typeof said === 'string' ? said : text || `${url} answers ${response.status}.`)
}
