// Journeys over the bridge's ledger: credited and claimed, hopped and returned, withdrawn and refunded.
import t from 'tap'
import { parseAsset } from '../../../core/antelope/asset.ts'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { partyBytes, WAX_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { packRelayed } from '../../../devnet/contracts/bridge/gateway.ts'
import { BRIDGE, buildExchange, EVM_TOKENS, GATEWAYS, HOP, RELAYER, WRAP } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { balanceOf } from '../../../devnet/contracts/token.ts'
import { Ledger } from './ledger.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const HOUR = 3_600_000
const ADDRESS = '0x00000000000000000000000000000000000000aa'

function open() {
  const exchange = buildExchange(telosProfile)
  const ledger = new Ledger(exchange.contracts)
  const run = (calls: ActionCall[], now = NOW) => {
    const outcome = ledger.push(calls, now)
    if (outcome.error !== null) throw new Error(outcome.error)
    const logs = outcome.traces.filter((trace) => trace.receiver === trace.account && /log$/.test(trace.name))
    return logs.map(({ name, data }) => [name, data]) as [string, Record<string, unknown>][]
  }
  for (const calls of exchange.genesis) run(calls)
  const deposit = (nonce: bigint, telosTo: string, memo: string) => {
    const token = partyBytes(1n, EVM_TOKENS.USDC as string)
    const relayed = { telosTo, token, sym_code: 'USDC', canonical: 50_000_000n, refund_to: partyBytes(1n, ADDRESS) }
    const proof = packRelayed({ ...relayed, memo: new TextEncoder().encode(memo) })
    return run([call(GATEWAYS.evm, 'credit', RELAYER, { relayer: RELAYER, nonce, proof })])
  }
  return { ledger, run, deposit }
}

t.test('a deposit without a memo is credited and claimed', async (t) => {
  const { ledger, run, deposit } = open()
  const before = balanceOf(ledger.tables(WRAP), 'bob', 'USDC')
  const [log] = deposit(7n, 'bob', '')
  t.match(log, ['credlog', { domain: 1n, nonce: 7n, owner: 'bob', quantity: parseAsset('50.000000 USDC') }])
  run([call(BRIDGE, 'claim', 'bob', { owner: 'bob', sym_code: 'USDC' })])
  t.equal(balanceOf(ledger.tables(WRAP), 'bob', 'USDC'), before + 50_000_000n)
})

t.test('a hop goes out as a withdrawal; when that expires it is recovered to its way-back address', async (t) => {
  const { ledger, run, deposit } = open()
  const [parked] = deposit(8n, HOP, `${WAX_DOMAIN}:bob|1:${ADDRESS}`)
  t.match(parked, ['parklog', { nonce: 8n, receiver: HOP }])
  const logs = run([call(BRIDGE, 'forward', 'alice', { domain: 1n, nonce: 8n })])
  const hop = logs.find(([name]) => name === 'hoplog')?.[1]
  const out = logs.find(([name]) => name === 'wdlog')?.[1]
  t.match(hop, { src_domain: 1n, src_nonce: 8n, dst_domain: WAX_DOMAIN, recipient: 'bob', back: ADDRESS })
  t.equal(hop?.wd_id, out?.id)
  t.same(out?.recipient, new TextEncoder().encode('bob'))
  const settled = run([call(BRIDGE, 'settle', GATEWAYS.wax, { id: out?.id, released: false })])
  t.same(
    settled.map(([name]) => name),
    ['settlelog', 'refundlog'],
  )
  t.match([...ledger.tables(HOP).rows('hops', HOP)], [{ status: 2 }])
  const back = run([call(HOP, 'recover', 'alice', { id: hop?.id })])
  const second = back.find(([name]) => name === 'wdlog')?.[1]
  t.same(second?.recipient, partyBytes(1n, ADDRESS))
  t.equal(back.find(([name]) => name === 'returnlog')?.[1].wd_id, second?.id)
  t.match([...ledger.tables(HOP).rows('hops', HOP)], [{ status: 3 }])
})

t.test('a parked deposit bounces after an hour and not before', async (t) => {
  const { ledger, run, deposit } = open()
  deposit(9n, 'bob', 'note')
  const bounce = [call(BRIDGE, 'bounce', 'alice', { domain: 1n, nonce: 9n })]
  t.equal(ledger.push(bounce, NOW + HOUR - 1000).error, 'too early')
  const logs = run(bounce, NOW + HOUR)
  t.equal(logs.find(([name]) => name === 'bouncelog')?.[1].wd_id, logs.find(([name]) => name === 'wdlog')?.[1].id)
})

t.test('a withdrawal with data burns in the token contract and carries its memo', async (t) => {
  const { ledger, run } = open()
  const before = balanceOf(ledger.tables(WRAP), 'bob', 'USDC')
  const recipient = partyBytes(1n, ADDRESS)
  const memo = new TextEncoder().encode('for you')
  const data = {
    owner: 'bob',
    quantity: parseAsset('9.000000 USDC'),
    domain: 1n,
    recipient,
    fee: parseAsset('0.500000 USDC'),
    memo,
  }
  const [log] = run([call(WRAP, 'withdraw', 'bob', data)])
  t.match(log, ['wdlog', { domain: 1n, recipient, amount: 9_000_000n, fee: 500_000n, memo }])
  t.equal(balanceOf(ledger.tables(WRAP), 'bob', 'USDC'), before - 9_000_000n)
})
