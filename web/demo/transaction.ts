// A transaction of the demo's EVM chain, as its node answers. No public explorer knows that chain.

import type { BridgeConfig } from '../bridge/core/types.ts'
import { fill, h } from '../bridge/page/dom.ts'
import { formatUnits } from '../shared/amounts.ts'
import { local, utc } from '../shared/times.ts'

/** Label, text, and text on hover. */
type Fact = [string, string, (string | null)?]

type Hex = string
interface Transaction {
  from: string
  to: string | null
  value: Hex
  input: Hex
  blockNumber: Hex | null
}
interface Receipt {
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  logs: unknown[]
}

const config = JSON.parse(document.getElementById('config')?.textContent ?? '{}') as BridgeConfig
const main = document.getElementById('main') as HTMLElement

async function rpc<T>(node: string, method: string, params: readonly unknown[]): Promise<T | null> {
  const response = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: T | null }).result ?? null
}

const ether = (wei: bigint) => `${formatUnits(wei, 18)} ETH`

/** @returns label, text and hover of each fact; null when the node does not know the transaction */
async function factsOf(node: string, hash: string): Promise<Fact[] | null> {
  const transaction = await rpc<Transaction>(node, 'eth_getTransactionByHash', [hash])
  if (transaction === null) return null
  const { from, to, value, input, blockNumber } = transaction
  const receipt = await rpc<Receipt>(node, 'eth_getTransactionReceipt', [hash])
  const block = blockNumber && (await rpc<{ timestamp: Hex }>(node, 'eth_getBlockByNumber', [blockNumber, false]))
  const fee = receipt && BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  const time = block ? Number(block.timestamp) * 1000 : null
  const outcome = receipt === null ? 'in no block yet' : Number(receipt.status) === 1 ? 'succeeded' : 'failed'
  const rows: [string, string | null, (string | null)?][] = [
    ['Transaction', hash],
    ['Outcome', outcome],
    ['Block', blockNumber && String(Number(blockNumber))],
    ['Time', time === null ? null : local(time, 0), time === null ? null : utc(time)],
    ['From', from],
    ['To', to],
    ['Value', ether(BigInt(value))],
    ['Gas', receipt && Number(receipt.gasUsed).toLocaleString('en')],
    ['Gas fee', fee === null ? null : ether(fee)],
    ['Events', receipt && String(receipt.logs.length)],
    ['Call', `${input.slice(0, 10)}, ${(input.length - 2) / 2} bytes`],
  ]
  return rows.filter((row): row is Fact => Boolean(row[1]))
}

async function show(): Promise<void> {
  const hash = new URLSearchParams(location.search).get('tx') ?? ''
  const chain = config.chains.find(({ kind }) => kind === 'evm')
  const node = chain?.node ?? null
  const facts = node === null ? null : await factsOf(node, hash)
  const title = h('h1', {}, `Transaction on ${chain?.name ?? 'the EVM chain'}`)
  const none = h('p', { class: 'note' }, 'The node of this chain does not know this transaction.')
  const rows = (facts ?? []).flatMap(([name, text, title]) => [
    h('dt', {}, name),
    h('dd', { 'data-is': name, title }, text),
  ])
  fill(main, title, facts === null ? none : h('dl', { class: 'summary wide card' }, ...rows))
  main.removeAttribute('aria-busy')
}

show().catch((error: Error) => fill(main, h('p', { role: 'alert' }, `The node did not answer: ${error.message}`)))
