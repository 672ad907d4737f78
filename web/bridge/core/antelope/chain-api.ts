// Client of an Antelope chain API: whether an account exists, and its balance.
import { parseQuantity } from '../../../shared/amounts.ts'
import type { Fetch } from '../bridge-api.ts'
import { Fault } from '../faults.ts'

const TIMEOUT_MS = 10_000
const MAX_TOKENS = 1000

interface Refused {
  error?: { name?: string; what?: string; details?: { message?: string }[] }
}

export class ChainApi {
  private readonly name: string
  private readonly node: string
  private readonly fetch: Fetch

  /** @param name  display name of the chain @param node  address without a path */
  constructor(name: string, node: string, fetch: Fetch) {
    this.name = name
    this.node = node.replace(/\/$/, '')
    this.fetch = fetch
  }

  /** @throws Fault NODE_UNREACHABLE when the node does not answer */
  async hasAccount(account: string): Promise<boolean> {
    const response = await this.post('get_account', { account_name: account })
    if (response.ok) return true
    const { error } = (await response.json().catch(() => ({}))) as Refused
    const said = `${error?.name} ${error?.what} ${error?.details?.[0]?.message}`
    if (response.status === 404 || /unknown key|unable to find|account_query_exception|does not exist/i.test(said))
      return false
    throw this.unreachable()
  }

  /** Balance of a token in raw units. */
  async balance(token: string, account: string, symbol: string): Promise<bigint> {
    const query = { json: true, code: token, scope: account, table: 'accounts', limit: MAX_TOKENS }
    const response = await this.post('get_table_rows', query)
    if (!response.ok) throw this.unreachable()
    const { rows } = (await response.json()) as { rows: { balance?: string }[] }
    for (const { balance = '' } of rows) {
      const quantity = parseQuantity(balance)
      if (quantity?.symbol === symbol) return quantity.units
    }
    return 0n
  }

  private async post(method: string, body: object): Promise<Response> {
    try {
      return await this.fetch(`${this.node}/v1/chain/${method}`, {
        method: 'POST',
        // With content type text/plain no preflight is needed, which some nodes do not answer.
        headers: { 'content-type': 'text/plain;charset=UTF-8' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch {
      throw this.unreachable()
    }
  }

  private unreachable(): Fault {
    return new Fault(
      'NODE_UNREACHABLE',
      `The node of ${this.name} does not answer, so that cannot be checked. Try again.`,
    )
  }
}
