// Proofs of deposits to a vault on a real EVM, signed by sync committees of a simulated beacon chain.
import t from 'tap'
import type { HeadwaterError } from '../../../core/errors.ts'
import { BeaconChain } from '../../../core/evm/beacon/chain.ts'
import { beaconRoot } from '../../../core/evm/beacon/update.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { BeaconNode } from '../../../proofs/deposit/evm/beacon.ts'
import { evmDepositProblem } from '../../../proofs/deposit/evm/check.ts'
import { EvmNode } from '../../../proofs/deposit/evm/node.ts'
import { type EvmFinality, type LockedDeposit, proveEvmDeposit } from '../../../proofs/deposit/evm/prove.ts'
import type { DepositAction } from '../../../proofs/deposit/json.ts'
import { FaultyRpc, Refusal } from '../../indexer/source/evm/faulty-rpc.ts'
import { serveBeacon, VaultChain } from './vault-chain.ts'

const GATEWAY = { kind: 'evm', account: 'gateway.evm', relayer: '' } as const
const chain = await VaultChain.open(t)
await chain.idle(20)
const deposits = await chain.depositAmongOthers(30)
await chain.idle(4)
const beacon = await chain.beacon()
const url = await serveBeacon(t, beacon)
const [erc20, native] = deposits as [LockedDeposit, LockedDeposit]
const since = (deposit: LockedDeposit) => ({
  since: { number: deposit.place.blockNum, time: deposit.time },
  anchors: [],
})
const sync: EvmFinality = { kind: 'sync', beacon: new BeaconNode({ chain: 'mainnet', url }) }
/** The committee of the first period. */
const { committee } = beacon.bootstrap(toHex(beaconRoot(beacon.finality()!.finalized_header.beacon)))!
const node = new EvmNode({ chain: 'mainnet', urls: [chain.url] })

const prove = (deposit: LockedDeposit, urls = [chain.url], finality = sync) =>
  proveEvmDeposit({ node: new EvmNode({ chain: 'mainnet', urls }), finality }, deposit, GATEWAY, since(deposit))

const code = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: HeadwaterError) => error.code,
  )

t.test('a deposit among thirty transfers is proved by an update, headers and its receipt', async (t) => {
  for (const deposit of deposits) {
    const proof = (await prove(deposit))!
    t.same(
      proof?.actions.map(({ name }) => name),
      ['update', 'credit'],
    )
    t.equal(proof?.immutable, false, 'a newer update could be chosen')
    const [update, credit] = proof!.actions as [DepositAction, DepositAction]
    t.match(credit, { account: 'gateway.evm', authorization: [], decoded: { relayer: '', nonce: `${deposit.nonce}` } })
    const members = gatewayAbi('evm').decodeAction('credit', fromHex(credit.data))
    t.equal(members.nonce, deposit.nonce)
    t.match(credit.decoded.proof, { headers: { length: 3 }, receipt_nodes: { length: 3 } })
    t.match(update.decoded, { update: { next_sync_committee: null } })
  }
  t.not(erc20.place.logIndex, 0)
})

t.test('nothing is proved before the block is final', async (t) => {
  const [late] = await chain.depositAmongOthers(2)
  t.equal(await prove(late!), null)
  const younger = await chain.beacon()
  t.equal(younger.finality()!.finalized_header.execution.block_number, BigInt(late!.place.blockNum - 2))
})

t.test('the self-check detects any change of an action', async (t) => {
  const proof = (await prove(native))!
  const expected = { ...native, gateway: GATEWAY.account, vault: native.place.contract }
  const problem = (actions: readonly DepositAction[]) => {
    const known = new BeaconChain(beacon.network, [[0, committee]])
    return evmDepositProblem(actions, { blocks: [], beacon: known, validators: null }, expected)
  }
  t.equal(problem(proof.actions), null)
  let found = 0
  for (const [place, action] of proof.actions.entries()) {
    // The first eight bytes are the relayer's name, which the proof does not cover.
    const size = action.data.length / 2
    for (let at = 8; at < size; at += Math.max(1, Math.floor(size / 60))) {
      const bytes = fromHex(action.data)
      bytes[at]! ^= 1 << (at % 8)
      const changed = proof.actions.with(place, { ...action, data: toHex(bytes) })
      if (problem(changed) === null) t.fail(`${action.name}: a change of byte ${at} is not found`)
      else found++
    }
  }
  t.ok(found > 100, `${found} changes were found`)
  const [update, credit] = proof.actions as [DepositAction, DepositAction]
  t.match(problem([credit]), /not trusted/)
  t.match(problem([update]), /nothing is credited/)
  t.match(problem([update, credit, credit]), /after the credit/)
  t.match(problem([update, { ...credit, account: 'other' }]), /an action of other/)
  for (const [what, other] of [
    ['nonce', { nonce: native.nonce + 1n }],
    ['amount', { canonical: 4n }],
    ['receiver', { telosTo: 1n }],
    ['token', { token: erc20.token }],
    ['memo', { memo: Uint8Array.of(1) }],
    ['contract', { vault: erc20.token }],
  ] as const) {
    const trust = { blocks: [toHex(native.place.blockHash)], beacon: null, validators: null }
    const alone = await proveEvmDeposit({ node, finality: { kind: 'none' } }, native, GATEWAY, since(native))
    t.equal(evmDepositProblem(alone!.actions, trust, expected), null)
    t.match(evmDepositProblem(alone!.actions, trust, { ...expected, ...other }), what, what)
  }
})

t.test('an endpoint with false data is named in the error, and the next one is used', async (t) => {
  type Block = Record<string, unknown>
  type Logged = { logs: object[] }
  const BLOCK = 'eth_getBlockByNumber'
  const RECEIPTS = 'eth_getBlockReceipts'
  const other = `0x${'11'.repeat(32)}`
  const lies: [what: string, code: string, method: string, change: (result: unknown) => unknown][] = [
    ['another hash', 'EVM_HEADER', BLOCK, (block) => ({ ...(block as Block), hash: other })],
    ['another root', 'EVM_HEADER', BLOCK, (block) => ({ ...(block as Block), receiptsRoot: other })],
    ['no such block', 'EVM_GAP', BLOCK, () => null],
    ['no receipts', 'EVM_RECEIPTS', RECEIPTS, () => []],
    ['a receipt less', 'EVM_RECEIPTS', RECEIPTS, (all) => (all as Logged[]).slice(1)],
    ['a missing log', 'EVM_RECEIPTS', RECEIPTS, (all) => (all as Logged[]).map((one) => ({ ...one, logs: [] }))],
    ['a failed call', 'EVM_RECEIPTS', RECEIPTS, (all) => (all as Logged[]).map((one) => ({ ...one, status: '0x0' }))],
    ['nonsense', 'EVM_RPC', RECEIPTS, () => [{ logs: 7 }]],
    ['no answer', 'EVM_RPC', RECEIPTS, () => undefined],
  ]
  const liar = await FaultyRpc.start(t, chain.url)
  for (const [what, expected, wanted, change] of lies) {
    liar.fault = ({ method }, result) => (method === wanted ? change(result) : result)
    t.equal(await code(prove(erc20, [liar.url])), expected, what)
    t.same((await prove(erc20, [liar.url, chain.url]))?.actions.length, 2, `${what}: the next endpoint`)
  }
  liar.fault = ({ method }, result) => {
    if (method === RECEIPTS) throw new Refusal(-32601, 'the method does not exist')
    return result
  }
  t.same((await prove(erc20, [liar.url]))?.actions.length, 2, 'receipts one by one')
  liar.fault = () => {
    throw new Refusal(-32000, 'not today')
  }
  t.equal(await code(prove(erc20, [liar.url])), 'EVM_RPC', 'it refuses')
  t.equal(await code(prove(erc20, ['http://127.0.0.1:9'])), 'EVM_RPC', 'nobody listens')
  t.equal(await code(prove(erc20, [])), 'EVM_RPC', 'no endpoint')
})

t.test('the node has another block than the indexed one', async (t) => {
  const place = { ...erc20.place, blockHash: new Uint8Array(32) }
  t.equal(await code(prove({ ...erc20, place })), 'EVM_CONTRADICTION')
})

t.test('a row that contradicts its block on all endpoints is a bug', async (t) => {
  const at = (change: object) => ({ ...erc20, place: { ...erc20.place, ...change } })
  t.equal(await code(prove(at({ logIndex: 1000 }))), 'DEPOSIT_NOT_IN_RECEIPTS')
  t.equal(await code(prove(at({ contract: new Uint8Array(20) }))), 'DEPOSIT_NOT_IN_RECEIPTS')
  t.equal(await code(prove({ ...erc20, canonical: 1n })), 'PROOF_DOES_NOT_HOLD')
})

t.test('committee updates precede the header that the last committee signs', async (t) => {
  const short = await chain.beacon({ slotsPerPeriod: 8, seed: 'short' })
  const address = await serveBeacon(t, short)
  const finality: EvmFinality = {
    kind: 'sync',
    beacon: new BeaconNode({ chain: 'mainnet', url: address }),
  }
  const knowledge = { since: { number: erc20.place.blockNum - 2, time: erc20.time - 20 }, anchors: [] }
  const proof = await proveEvmDeposit({ node, finality }, erc20, GATEWAY, knowledge)
  const names = proof!.actions.map(({ name }) => name)
  t.ok(names.length > 2, `${names}`)
  t.same(new Set(names.slice(0, -1)), new Set(['update']))
})

t.test('a block that the gateway already trusts needs no update, and its proof no longer changes', async (t) => {
  const anchors = await Promise.all(
    [0, 2].map(async (more) => {
      const number = erc20.place.blockNum + more
      const { hash } = (await chain.side.anvil.provider.getBlock(number))!
      return { number, hash: fromHex(hash!.slice(2)) }
    }),
  )
  const { since: at } = since(erc20)
  const known = { since: at, anchors: anchors.toReversed() }
  const proof = await proveEvmDeposit({ node, finality: sync }, erc20, GATEWAY, known)
  t.same(
    proof?.actions.map(({ name }) => name),
    ['credit'],
  )
  t.match(proof!.actions[0]!.decoded.proof, { headers: { length: 3 } }, 'the one learned first')
  t.equal(proof?.immutable, true)
  const other = { since: at, anchors: [{ ...anchors[1]!, hash: new Uint8Array(32) }] }
  const strange = await proveEvmDeposit({ node, finality: sync }, erc20, GATEWAY, other)
  t.same(
    strange?.actions.map(({ name }) => name),
    ['update', 'credit'],
    'a block that nobody knows is of no use',
  )
  const none = await proveEvmDeposit({ node, finality: { kind: 'none' } }, erc20, GATEWAY, since(erc20))
  t.match(none, { immutable: true, actions: [{ name: 'credit' }] }, 'where the gateway trusts blocks by itself')
})

t.test('a long header path to the final block is split into several actions', async (t) => {
  await chain.idle(150)
  const far = await chain.beacon()
  const address = await serveBeacon(t, far)
  const finality: EvmFinality = {
    kind: 'sync',
    beacon: new BeaconNode({ chain: 'mainnet', url: address }),
  }
  const proof = await prove(erc20, [chain.url], finality)
  t.same(
    proof?.actions.map(({ name }) => name),
    ['update', 'extend', 'extend', 'credit'],
  )
})

t.test('a failing beacon node is named in the error', async (t) => {
  const at = (address: string) =>
    ({ kind: 'sync', beacon: new BeaconNode({ chain: 'mainnet', url: address }) }) as const
  t.equal(await code(prove(erc20, [chain.url], at('http://127.0.0.1:9'))), 'BEACON_API')
  t.equal(await code(prove(erc20, [chain.url], at(chain.url))), 'BEACON_API', 'no beacon node')
  const other = await chain.beacon({ seed: 'other' })
  const mixed = new BeaconNode({ chain: 'mainnet', url: await serveBeacon(t, other) })
  mixed.network = () => Promise.resolve(beacon.network)
  t.equal(await code(prove(erc20, [chain.url], { kind: 'sync', beacon: mixed })), 'BEACON_UPDATE', 'of another network')
})
