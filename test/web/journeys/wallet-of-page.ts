// An EVM wallet like a browser extension: it announces itself (EIP-6963), is not subject to the page's policy, signs
// with an account of the EVM node and records what it has signed.
import type { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { RpcError } from '../../../net/rpc/errors.ts'
import type { Page } from '../../support/browser/browser.ts'

export const UUID = '2f4c6d1a-90f1-4f5e-8a53-6f0a4be1c8d7'

/** In the page: requests go out by one function of the extension, answers come in by another. */
const SCRIPT = `(() => {
  if (window !== top || window.extensionAnswer) return
  const waiting = new Map()
  let next = 0
  window.extensionAnswer = ({ id, result, error }) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (error) one.reject(Object.assign(new Error(error.message), error))
    else one.resolve(result)
  }
  const provider = {
    request: ({ method, params = [] }) => new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      window.extensionAsk(JSON.stringify({ id, method, params }))
    }),
    on() {},
    removeListener() {},
  }
  const info = { uuid: '${UUID}', name: 'Extension', icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E', rdns: 'org.example.extension' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
})()`

interface Call {
  id: number
  method: string
  params: unknown[]
}

type Transaction = Record<string, string>

export class WalletOfPage {
  /** Selectors of the signed calls. */
  readonly signed: string[] = []
  /** Whether the user rejects its requests. */
  rejects = false
  private readonly node: EvmRpc
  private readonly address: string

  /** @param address  account of the node that signs */
  constructor(node: EvmRpc, address: string) {
    this.node = node
    this.address = address
  }

  /** Installs the wallet in a page that has not loaded yet. */
  async install(page: Page): Promise<void> {
    await this.listen(page)
    await page.runBefore(SCRIPT)
  }

  /** Installs the wallet in an existing window. */
  async join(page: Page): Promise<void> {
    await this.listen(page)
    await page.evaluate(SCRIPT)
  }

  private listen(page: Page): Promise<void> {
    return page.expose('extensionAsk', (text) => {
      const call = JSON.parse(text) as Call
      const tell = (answer: object) =>
        void page.evaluate(`extensionAnswer(${JSON.stringify({ id: call.id, ...answer })})`).catch(() => {})
      this.answer(call).then(
        (result) => tell({ result }),
        (error: Error & { code?: number }) => {
          const data = error instanceof RpcError ? error.data : undefined
          const code = error instanceof RpcError ? undefined : error.code
          tell({ error: { code: code ?? (data ? 3 : -32_603), message: error.message, data } })
        },
      )
    })
  }

  private async answer({ method, params }: Call): Promise<unknown> {
    const { node, address } = this
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address]
    if (method === 'wallet_switchEthereumChain') return null
    if (method !== 'eth_sendTransaction') return node.call(method, ...params)
    if (this.rejects) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    const { chainId: _, ...transaction } = params[0] as Transaction
    const gas = BigInt(await node.call<string>('eth_estimateGas', transaction))
    const hash = await node.call('eth_sendTransaction', { ...transaction, gas: `0x${((gas * 5n) / 4n).toString(16)}` })
    this.signed.push(`${transaction.data}`.slice(0, 10))
    return hash
  }
}
