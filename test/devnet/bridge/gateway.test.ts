// The gateway for the EVM chain: it follows the sync committees, credits deposits that it can verify, and refuses
// others.
import t from 'tap'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { Finalizers } from '../../../devnet/chain/finalizers.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { packRelayed } from '../../../devnet/contracts/bridge/evm-gateway.ts'
import { BRIDGE, buildExchange, EVM_TOKENS, GATEWAYS, RELAYER } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { VAULT_ADDRESS } from '../../../devnet/evm/addresses.ts'
import { startBeacon } from '../../../devnet/evm/beacon.ts'
import { eventOf, mine } from '../../../devnet/evm/call-evm.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { deployment, depositCall } from '../../../devnet/evm/deploy.ts'
import { startEvmNode } from '../../../devnet/evm/node.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { followingCalls } from '../../../devnet/relayer/following.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { BeaconNode } from '../../../proofs/deposit/evm/beacon.ts'
import { EvmNode } from '../../../proofs/deposit/evm/node.ts'
import { proveEvmDeposit } from '../../../proofs/deposit/evm/prove.ts'
import { Ledger } from '../contracts/ledger.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const WEEK = 604_800

const { path, missing } = findAnvil()
if (path === null) throw new Error(missing)
const evm = await startEvmNode({ path, start: START })
t.teardown(() => evm.stop())
const rpc = new EvmRpc(evm.url)
let time = START / 1000
const block = (calls: Parameters<typeof mine>[1], seconds = 100) => mine(rpc, calls, (time += seconds))
for (const calls of deployment(new Finalizers('gateway').policy(1, [0, 1, 2, 3]))) await block(calls)
// Two weeks: the committee changes twice.
for (let i = 0; i < 8; i++) await block([], WEEK / 4)
const memo = new TextEncoder().encode('for the trip')
const [receipt] = await block([depositCall('bob', 'ETH', 5_000_000n, 'bob', memo)])
for (let i = 0; i < 3; i++) await block([])
const head = Number(await rpc.call<string>('eth_blockNumber'))

const served = await startBeacon(evm.url, START)
t.teardown(() => served.stop())
const beacon = new BeaconNode({ chain: 'mainnet', url: served.url })
const finalBlock = async () => Number((await beacon.finality()).finalized_header.execution.block_number)
while ((await finalBlock().catch(() => 0)) < head - 2) await new Promise((resolve) => setTimeout(resolve, 20))

const found = eventOf(receipt!, VAULT_ADDRESS, interfaceOf('SvcVault'), 'Deposit')!
const place = await rpc.call<{ hash: string }>('eth_getBlockByNumber', receipt!.blockNumber, false)
const deposit = {
  nonce: 0n,
  place: {
    chain: 'mainnet',
    blockNum: Number(receipt!.blockNumber),
    blockHash: fromHex(place.hash.slice(2)),
    logIndex: found.index,
    contract: fromHex(VAULT_ADDRESS.slice(2)),
  },
  time,
  token: fromHex(EVM_TOKENS.ETH!.slice(2)),
  canonical: 5_000_000n,
  telosTo: nameToU64('bob'),
  memo,
}
const node = new EvmNode({ chain: 'mainnet', urls: [evm.url], batch: 20, timeoutMs: 5000 })
const proof = await proveEvmDeposit(
  { node, finality: { kind: 'sync', beacon } },
  deposit,
  { kind: 'evm', account: GATEWAYS.evm, relayer: RELAYER },
  { since: { number: 1, time: START / 1000 }, anchors: [] },
)
const calls = proof!.actions.map(({ account, name, data }) =>
  call(account, name, RELAYER, gatewayAbi('evm').decodeAction(name, fromHex(data))),
)
const following = await followingCalls(beacon)

function open() {
  const exchange = buildExchange(telosProfile)
  const ledger = new Ledger(exchange.contracts)
  for (const genesis of exchange.genesis) if (ledger.push(genesis, START).error) throw new Error('genesis')
  return ledger
}

t.test('the gateway starts from a trusted committee and follows updates to the current one', async (t) => {
  t.same(
    following.map(({ name }) => name),
    ['follow', 'update', 'update', 'update'],
  )
  const ledger = open()
  t.equal(ledger.push([following[1]!], START).error, 'it follows no chain')
  t.equal(ledger.push(following, START).error, null)
  t.equal(ledger.tables(GATEWAYS.evm).rows('committees', GATEWAYS.evm).length, 3)
  t.equal(ledger.push([following[0]!], START).error, 'it follows a chain already')
  const early = open()
  t.match(early.push([following[0]!, following[2]!], START).error, /the committee of period 1 is not known/)
})

t.test('a deposit is credited by its proof, once', async (t) => {
  const ledger = open()
  ledger.push(following, START)
  const credited = ledger.push(calls, START)
  if (credited.error !== null) return void t.fail(credited.error)
  const parked = credited.traces.find(({ account, name }) => account === BRIDGE && name === 'parklog')!.data as {
    memo: Uint8Array
  }
  t.match(parked, { domain: 1n, nonce: 0n, receiver: 'bob', quantity: { amount: 5_000_000n, symbol: 'ETH' } })
  t.equal(toHex(parked.memo), toHex(memo))
  t.equal(ledger.push(calls, START).error, 'deposit is credited already')
})

t.test('a relayer’s report is accepted only until the gateway follows the chain', async (t) => {
  const proof = packRelayed({
    block_number: BigInt(receipt!.blockNumber),
    tx_hash: receipt!.transactionHash.slice(2),
    log_index: found.index,
    from: new Uint8Array(20),
    telosTo: 'bob',
    token: deposit.token,
    sym_code: 'ETH',
    canonical: deposit.canonical,
    refund_to: new Uint8Array(20),
    memo,
  })
  const word = (relayer: string) => [call(GATEWAYS.evm, 'credit', relayer, { relayer, nonce: 0n, proof })]
  const report = word(RELAYER)
  t.equal(open().push(report, START).error, null)
  t.equal(open().push(word('mallory1'), START).error, 'unknown relayer')
  const ledger = open()
  ledger.push(following, START)
  t.ok(ledger.push(report, START).error)
})

t.test('altered proofs are refused', async (t) => {
  const ledger = open()
  ledger.push(following, START)
  const credit = calls.at(-1)!
  const packed = credit.data.proof as Uint8Array
  for (const at of [10, packed.length >> 2, packed.length >> 1, packed.length - 10]) {
    const changed = packed.map((byte, i) => (i === at ? byte ^ 1 : byte))
    t.ok(ledger.push([...calls.slice(0, -1), { ...credit, data: { ...credit.data, proof: changed } }], START).error)
  }
  t.match(ledger.push([{ ...credit, data: { ...credit.data, nonce: 1n } }], START).error, /another deposit|not trusted/)
  const update = structuredClone(following.at(-1)!)
  const changed = update.data.update as { sync_aggregate: { sync_committee_signature: Uint8Array } }
  changed.sync_aggregate.sync_committee_signature = changed.sync_aggregate.sync_committee_signature.slice().reverse()
  t.ok(ledger.push([update], START).error)
  t.equal(ledger.push(calls, START).error, null, 'the right one still is')
})
