// A journey that was not paid before its deadline, on the devnet's own contracts.
import { Serializer, Transaction } from '@wharfkit/antelope'
import { fromHex } from '../../core/hex.ts'
import type { ActionData } from '../../devnet/chain/contract.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { partyBytes, WAX_DOMAIN } from '../../devnet/contracts/bridge/domains.ts'
import { packRelayed } from '../../devnet/contracts/bridge/evm-gateway.ts'
import { BRIDGE, buildExchange, EVM_TOKENS, GATEWAYS, HOP, RELAYER } from '../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../devnet/contracts/profile.ts'
import { Ledger } from '../devnet/contracts/ledger.ts'
import type { FakeNode } from './antelope-node.ts'

/** The devnet's contracts of the ledger behind a node, with a journey to wax that was not paid before its deadline. */
export function lateJourney(node: FakeNode) {
  const { contracts, genesis } = buildExchange(telosProfile)
  const ledger = new Ledger(contracts)
  const start = node.time
  const push = (account: string, name: string, actor: string, members: ActionData, now = start) => {
    const { error } = ledger.push([call(account, name, actor, members)], now)
    if (error !== null) throw new Error(error)
  }
  for (const calls of genesis) ledger.push(calls, start)
  const tables = ledger.tables(BRIDGE)
  for (const route of tables.rows<{ id: bigint }>('routes', BRIDGE))
    tables.set('routes', BRIDGE, route.id, { ...route, backing: 10n ** 12n })
  const back = `0x${'aa'.repeat(20)}`
  const party = {
    from: partyBytes(1n, back),
    refund_to: partyBytes(1n, back),
    token: partyBytes(1n, `${EVM_TOKENS.USDC}`),
  }
  const log = { block_number: 21_000_000n, tx_hash: 'ab'.repeat(32), log_index: 3 }
  const memo = new TextEncoder().encode(`${WAX_DOMAIN}:bob|1:${back}`)
  const proof = packRelayed({ ...log, ...party, telosTo: HOP, sym_code: 'USDC', canonical: 50_000_000n, memo })
  push(GATEWAYS.evm, 'credit', RELAYER, { relayer: RELAYER, nonce: 8n, proof })
  push(BRIDGE, 'forward', 'alice', { domain: 1n, nonce: 8n })
  const hop = ledger.tables(HOP).rows<{ id: bigint; wd_id: bigint }>('hops', HOP)[0]
  if (hop === undefined) throw new Error('no journey')
  node.time += 8 * 86_400_000
  const outcome = { relayer: RELAYER, id: hop.wd_id, released: false, proof: new Uint8Array() }
  push(GATEWAYS.wax, 'settle', RELAYER, outcome, node.time)
  node.abiOf = (account) => contracts.find((contract) => contract.account === account)?.abi
  node.run = (packed) => {
    const { actions } = Serializer.decode({ data: packed, type: Transaction })
    const calls = actions.map(({ account, name, authorization, data }) => {
      const members = ledger.state.abiOf(`${account}`).decodeAction(`${name}`, fromHex(data.hexString))
      return call(`${account}`, `${name}`, `${authorization[0]?.actor}`, members)
    })
    return ledger.push(calls, node.time).error
  }
  const status = () => ledger.tables(HOP).rows<{ status: number }>('hops', HOP)[0]?.status
  return { hop, status }
}
