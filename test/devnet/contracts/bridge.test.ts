// Journeys over the bridge's ledger: credit and claim, hop and return, withdrawal and refund.
import t from 'tap'
import { parseAsset } from '../../../core/antelope/asset.ts'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { partyBytes, WAX_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { packOutcome, packRelayed } from '../../../devnet/contracts/bridge/evm-gateway.ts'
import {
  BRIDGE,
  buildExchange,
  EVM_TOKENS,
  GATEWAYS,
  HOP,
  RELAYER,
  SHOP,
  WRAP,
} from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { balanceOf } from '../../../devnet/contracts/token.ts'
import { Ledger } from './ledger.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
const ADDRESS = '0x00000000000000000000000000000000000000aa'
const LOG = { block_number: 21_000_000n, tx_hash: 'ab'.repeat(32), log_index: 3 }
const settle = (gateway: string, id: unknown, released: boolean, proof: Uint8Array) =>
  call(gateway, 'settle', RELAYER, { relayer: RELAYER, id, released, proof })

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
  const refusal = (calls: ActionCall[], now = NOW) => ledger.push(calls, now).error
  const deposit = (nonce: bigint, telosTo: string, memo: string) => {
    const token = partyBytes(1n, EVM_TOKENS.USDC as string)
    const refund_to = partyBytes(1n, ADDRESS)
    const relayed = { ...LOG, from: refund_to, telosTo, token, sym_code: 'USDC', canonical: 50_000_000n, refund_to }
    const proof = packRelayed({ ...relayed, memo: new TextEncoder().encode(memo) })
    return run([call(GATEWAYS.evm, 'credit', RELAYER, { relayer: RELAYER, nonce, proof })])
  }
  return { ledger, run, refusal, deposit }
}

/** Deposits on all routes, so that each has tokens to withdraw. */
function withRoom(ledger: Ledger): void {
  const tables = ledger.tables(BRIDGE)
  for (const route of tables.rows<{ id: bigint }>('routes', BRIDGE))
    tables.set('routes', BRIDGE, route.id, { ...route, backing: 10n ** 12n })
}

t.test('a deposit without a memo is credited and claimed', async (t) => {
  const { ledger, run, deposit } = open()
  const before = balanceOf(ledger.tables(WRAP), 'bob', 'USDC')
  const [log] = deposit(7n, 'bob', '')
  t.match(log, ['credlog', { domain: 1n, nonce: 7n, owner: 'bob', quantity: parseAsset('50.000000 USDC') }])
  run([call(BRIDGE, 'claim', 'bob', { owner: 'bob', sym_code: 'USDC' })])
  t.equal(balanceOf(ledger.tables(WRAP), 'bob', 'USDC'), before + 50_000_000n)
})

/** A deposit to the hop contract for wax, and the withdrawal that sends it there. */
function hopToWax({ run, deposit }: ReturnType<typeof open>, nonce: bigint) {
  deposit(nonce, HOP, `${WAX_DOMAIN}:bob|1:${ADDRESS}`)
  const logs = run([call(BRIDGE, 'forward', 'alice', { domain: 1n, nonce })])
  const hop = logs.find(([name]) => name === 'hoplog')?.[1]
  const out = logs.find(([name]) => name === 'wdlog')?.[1]
  return { hop, out }
}

t.test('a deposit is credited once', async (t) => {
  const { deposit } = open()
  deposit(7n, 'bob', '')
  t.throws(() => deposit(7n, 'bob', ''), { message: 'deposit is credited already' })
})

t.test('a hop expires after the deadline, is refunded, then recovered to its way-back address', async (t) => {
  const opened = open()
  const { ledger, run, refusal } = opened
  // Only tokens that came from wax can be withdrawn to wax.
  withRoom(ledger)
  const { hop, out } = hopToWax(opened, 8n)
  t.match(hop, { src_domain: 1n, src_nonce: 8n, dst_domain: WAX_DOMAIN, recipient: 'bob', back: ADDRESS })
  t.equal(hop?.wd_id, out?.id)
  t.same(out?.recipient, new TextEncoder().encode('bob'))
  const status = () => ledger.tables(HOP).rows<{ status: number }>('hops', HOP)[0]?.status
  const expire = [settle(GATEWAYS.wax, out?.id, false, new Uint8Array())]
  const refund = [call(BRIDGE, 'refund', 'alice', { id: out?.id })]
  const recover = [call(HOP, 'recover', 'alice', { id: hop?.id })]
  t.equal(refusal(expire, NOW + WEEK), 'before the deadline')
  t.equal(refusal(refund, NOW + WEEK), 'no expired withdrawal')
  const late = NOW + WEEK + 1000
  t.same(
    run(expire, late).map(([name]) => name),
    ['settlelog'],
  )
  t.equal(status(), 2)
  t.equal(refusal(recover, late), 'the withdrawal is not refunded yet')
  t.match(run(refund, late), [['refundlog', { id: out?.id, owner: HOP }]])
  t.equal(refusal(refund, late), 'no expired withdrawal', 'once')
  const back = run(recover, late)
  const second = back.find(([name]) => name === 'wdlog')?.[1]
  t.same(second?.recipient, partyBytes(1n, ADDRESS))
  t.equal(back.find(([name]) => name === 'returnlog')?.[1].wd_id, second?.id)
  t.equal(status(), 3)
  run([settle(GATEWAYS.evm, second?.id, true, packOutcome(LOG))], late)
  t.match(ledger.tables(BRIDGE).get('wdraws', BRIDGE, second?.id as bigint), { status: 1 })
})

t.test('a deposit stays parked while its receiver refuses it', async (t) => {
  const { ledger, refusal, deposit } = open()
  deposit(5n, SHOP, 'hello')
  t.equal(refusal([call(BRIDGE, 'forward', 'alice', { domain: 1n, nonce: 5n })]), 'no such order')
  t.equal(ledger.tables(BRIDGE).rows('parked', BRIDGE).length, 1)
  deposit(6n, SHOP, 'order 17')
  t.equal(refusal([call(BRIDGE, 'forward', 'alice', { domain: 1n, nonce: 6n })]), null)
})

t.test('a parked deposit bounces after an hour and not before', async (t) => {
  const { ledger, run, deposit } = open()
  withRoom(ledger)
  deposit(9n, 'bob', 'note')
  const bounce = [call(BRIDGE, 'bounce', 'alice', { domain: 1n, nonce: 9n })]
  t.equal(ledger.push(bounce, NOW + HOUR - 1000).error, 'too early')
  const logs = run(bounce, NOW + HOUR)
  t.equal(logs.find(([name]) => name === 'bouncelog')?.[1].wd_id, logs.find(([name]) => name === 'wdlog')?.[1].id)
})

t.test('a withdrawal with data burns in the token contract and carries its memo', async (t) => {
  const { ledger, run } = open()
  withRoom(ledger)
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
