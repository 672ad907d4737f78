// A node of an EVM chain whose blocks, pool and refusals a test sets.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transaction } from 'ethers'
import type { Test } from 'tap'

const GWEI = 10n ** 9n

export interface FakeEvmNode {
  url: string
  /** Hashes in its pool. */
  pool: Set<string>
  /** Transactions handed to it, in order. */
  got: Transaction[]
  receipts: Map<string, { succeeded: boolean; block: number }>
  count: number
  finalCount: number
  finalNumber: number
  balance: bigint
  baseFee: bigint
  /** Error of a call or an estimate; null: it succeeds. */
  callError: { message: string; data?: unknown } | null
  /** Result of a call or an estimate. */
  callResult: string
  /** Error of a call that names its fees. */
  feeCallError: { message: string; data?: unknown } | null
  /** Error of sending; null: the pool takes it. */
  sendError: string | null
  /** Wei. */
  suggestedTip: bigint
  /** Time of every block, Unix seconds. */
  time: number
}

export async function startFakeEvmNode(t: Test, chainId = 1): Promise<FakeEvmNode> {
  const node: FakeEvmNode = {
    ...{ url: '', pool: new Set(), got: [], receipts: new Map(), count: 0, finalCount: 0, finalNumber: 100 },
    ...{ balance: 10n ** 18n, baseFee: 10n * GWEI, callError: null, feeCallError: null, sendError: null },
    suggestedTip: GWEI,
    callResult: '0x186a0',
    time: 1,
  }
  const hex = (value: bigint | number) => `0x${value.toString(16)}`
  const block = (number: number) => ({
    number: hex(number),
    timestamp: hex(node.time),
    baseFeePerGas: hex(node.baseFee),
  })
  const receiptOf = (hash: string) => {
    const found = node.receipts.get(hash)
    if (found === undefined) return null
    const status = found.succeeded ? '0x1' : '0x0'
    const blockNumber = hex(found.block)
    return { status, blockNumber, gasUsed: hex(100_000), effectiveGasPrice: hex(node.baseFee), logs: [] }
  }
  const answer = (method: string, [first, second]: [never, never]): { result: unknown } | { error: object } => {
    const failed = (error: { message: string; data?: unknown }) => ({ error: { code: 3, ...error } })
    if (method === 'eth_chainId') return { result: hex(chainId) }
    if (method === 'eth_maxPriorityFeePerGas') return { result: hex(node.suggestedTip) }
    if (method === 'eth_getBlockByNumber') return { result: block(first === 'latest' ? 200 : node.finalNumber) }
    if (method === 'eth_getTransactionCount') return { result: hex(second === 'latest' ? node.count : node.finalCount) }
    if (method === 'eth_getBalance') return { result: hex(node.balance) }
    if (method === 'eth_getTransactionReceipt') return { result: receiptOf(first) }
    if (method === 'eth_getTransactionByHash') return { result: node.pool.has(first) ? {} : null }
    if (method === 'eth_sendRawTransaction') {
      if (node.sendError !== null) return failed({ message: node.sendError })
      const transaction = Transaction.from(first)
      node.got.push(transaction)
      node.pool.add(transaction.hash ?? '')
      return { result: transaction.hash }
    }
    const { maxFeePerGas } = first as { maxFeePerGas?: string }
    const error = node.callError ?? (maxFeePerGas === undefined ? null : node.feeCallError)
    return error === null ? { result: node.callResult } : failed(error)
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => void (text += chunk))
    request.on('end', () => {
      const asked = JSON.parse(text)
      const one = ({ id, method, params }: { id: number; method: string; params: [never, never] }) => {
        return { jsonrpc: '2.0', id, ...answer(method, params) }
      }
      response.writeHead(200, { connection: 'close' })
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}
