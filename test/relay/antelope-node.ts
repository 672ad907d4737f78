// A node of an Antelope chain that takes each transaction once, whose clock and last irreversible block a test moves.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'

export const CHAIN_ID = '46'.repeat(32)
const ABI = JSON.parse(readFileSync(new URL('../../abis/bridge.svc.telos.abi.json', import.meta.url), 'utf8'))

export interface FakeNode {
  url: string
  /** Ids that ran, in order. */
  ran: string[]
  /** Signatures that it was given, in order; none for a trial. */
  signatures: string[]
  /** Why transactions are refused; null: they run. */
  refusal: string | null
  /** Class of the refusal. */
  refusalKind: string
  /** Whether trials succeed although transactions are refused. */
  triesWell: boolean
  /** Unix ms of head and last irreversible block. */
  time: number
  /** Called before it tells its blocks. */
  onInfo: (() => void) | null
  /** ABI of an account; default: that of the bridge. */
  abiOf: (account: string) => unknown
  /** Ids of withdrawals in the table of payments; null: there is no such table. */
  paid: string[] | null
  /** Runs a transaction that is not a trial. @returns why it is refused; null when it ran */
  run: (packed: Uint8Array) => string | null
}

interface Body {
  packed_trx?: string
  account_name?: string
  lower_bound?: string
  signatures?: string[]
  transaction?: { signatures: string[] }
}

export async function startFakeNode(t: Test): Promise<FakeNode> {
  const node: FakeNode = {
    url: '',
    ran: [],
    signatures: [],
    refusal: null,
    refusalKind: 'eosio_assert_message_exception',
    triesWell: false,
    time: Date.now(),
    onInfo: null,
    abiOf: () => ABI,
    paid: [],
    run: () => null,
  }
  const isoTime = () => new Date(node.time).toISOString().slice(0, 23)
  const refuse = (name: string, message: string) => ({ status: 500, body: { error: { name, details: [{ message }] } } })
  const answer = (path: string, body: Body) => {
    if (path.endsWith('/get_info')) {
      node.onInfo?.()
      const last = { last_irreversible_block_num: 7, last_irreversible_block_id: '00'.repeat(32) }
      const times = { head_block_time: isoTime(), last_irreversible_block_time: isoTime() }
      return { status: 200, body: { chain_id: CHAIN_ID, ...last, ...times } }
    }
    if (path.endsWith('/get_abi')) return { status: 200, body: { abi: node.abiOf(body.account_name ?? '') } }
    if (path.endsWith('/get_table_rows')) {
      if (node.paid === null) return refuse('contract_table_query_exception', 'Table paid is not specified in the ABI')
      const rows = node.paid.filter((id) => id === body.lower_bound).map((id) => ({ id }))
      return { status: 200, body: { rows } }
    }
    node.signatures.push(...(body.transaction?.signatures ?? body.signatures ?? []))
    const isTrial = path.endsWith('/compute_transaction')
    if (node.refusal !== null && !(isTrial && node.triesWell)) return refuse(node.refusalKind, node.refusal)
    if (isTrial) return { status: 200, body: { processed: { except: null } } }
    const id = toHex(sha256(fromHex(body.packed_trx ?? '')))
    if (node.ran.includes(id)) return refuse('tx_duplicate', 'duplicate transaction')
    const refusal = node.run(fromHex(body.packed_trx ?? ''))
    if (refusal !== null) return refuse(node.refusalKind, refusal)
    node.ran.push(id)
    return { status: 202, body: { transaction_id: id, processed: { block_num: 9 } } }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => void (text += chunk))
    request.on('end', () => {
      const { status, body } = answer(request.url ?? '', JSON.parse(text || '{}'))
      response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}
