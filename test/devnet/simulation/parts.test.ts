// Unit tests of parts of a simulation: Merkle log, agenda, pace, proof checks of gateways.
import t from 'tap'
import { climb, merkleProof, merkleRoot } from '../../../core/antelope/merkle.ts'
import { checkAction, type SavannaProof } from '../../../core/finality/light-client.ts'
import { toHex } from '../../../core/hex.ts'
import { itemAt } from '../../../core/required.ts'
import { sha256 } from '../../../core/sha256.ts'
import { Cell } from '../../../devnet/chain/cell.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { packProof, rootKey } from '../../../devnet/contracts/bridge/antelope-gateway.ts'
import { BRIDGE, buildExchange, GATEWAYS, RELAYER } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { Agenda, type Task } from '../../../devnet/simulation/agenda.ts'
import type { Evidence } from '../../../devnet/simulation/evidence.ts'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { MerkleLog } from '../../../devnet/simulation/merkle-log.ts'
import { Pace } from '../../../devnet/simulation/pace.ts'
import { retryAt } from '../../../devnet/simulation/retry.ts'
import { WaxWatcher } from '../../../devnet/simulation/wax-watcher.ts'
import { Ledger } from '../contracts/ledger.ts'
import { counter } from '../counter.ts'
import { DAY, openSimulation, START } from './open-simulation.ts'

const leaf = (n: number) => sha256(Buffer.from(`leaf ${n}`))

t.test('a Merkle log gives the roots and proofs of the whole tree', async (t) => {
  const log = new MerkleLog()
  const leaves: Uint8Array[] = []
  t.equal(toHex(log.root()), toHex(merkleRoot([])))
  for (let n = 0; n < 70; n++) {
    leaves.push(leaf(n))
    log.append(leaf(n))
    t.equal(toHex(log.root()), toHex(merkleRoot(leaves)), `${n + 1} leaves`)
    for (const index of new Set([0, n >> 1, Math.max(0, n - 1), n]))
      t.same(log.proof(index), merkleProof(leaves, index))
  }
  t.equal(toHex(climb(leaf(64), log.proof(64))), toHex(log.root()))
  t.throws(() => log.proof(70), RangeError)
})

const nothing = () => null
const task = (key: string, at: number, urgent = false): Task => ({ key, at, urgent, run: nothing })

t.test('an agenda returns tasks in order, urgent ones first, and rewinds with its chain', async (t) => {
  const chain = new Chain({ chainId: '00'.repeat(32), seed: 'agenda', startTime: START, contracts: [counter] })
  const agenda = new Agenda(chain.state)
  const cell = new Cell(chain.state, 'first')
  const take = (now: number) => {
    const keys: string[] = []
    for (let next = agenda.take(now); next; next = agenda.take(now)) keys.push(next.key)
    return keys
  }
  for (const posted of [task('b', 20), task('a', 20), task('late', 90), task('urgent', 30, true)]) agenda.post(posted)
  t.equal(agenda.due, 30)
  const block = chain.begin()
  agenda.add(task('own', 10))
  t.same(take(40), ['urgent', 'own', 'a', 'b'])
  cell.value = 'second'
  const { id } = block.finish('none')
  t.equal(agenda.due, Number.POSITIVE_INFINITY)
  agenda.post(task('new', 35, true))

  chain.fork(1)
  t.equal(cell.value, 'first')
  const other = chain.begin(START + 5000)
  t.same(take(40), ['urgent', 'new', 'a', 'b'], 'its own task is gone, all that came from outside is there')
  other.finish('none')
  chain.switchTo(id)
  t.equal(cell.value, 'second')
  chain.begin()
  t.same(take(100), ['new', 'late'])
})

t.test('journeys start more often near the end of history; each refusal doubles a task’s delay', async (t) => {
  const end = START + 10 * DAY
  const pace = new Pace({ chains: [], seed: 1, start: START, end, interval: 120_000, lastHourInterval: 5_000 })
  t.same(
    [START, end - 1, end].map((now) => pace.trading(now)),
    [
      { rate: 2100 / 120_000, quoteInterval: 600_000, slack: 0.004 },
      { rate: 2100 / 5000, quoteInterval: 60_000, slack: 0.004 },
      { rate: 1.4, quoteInterval: 60_000, slack: 0 },
    ],
  )
  const gap = (now: number) => pace.nextJourney(now, 1 - 1 / Math.E) - now
  const [history, last, live] = [gap(START), gap(end - 3_600_000), gap(end)]
  t.ok(history > 10 * last && last > live, `${history} ${last} ${live}`)
  const over = pace.nextJourney(end - 3_600_000 - history / 2, 1 - 1 / Math.E)
  t.equal(over, end - 3_600_000 + last / 2, 'half of the wait at each pace')
  t.same(
    [0, 1, 2, 20].map((tries) => retryAt(0, { tries }) / 60_000),
    [10, 20, 40, 720],
  )
})

/** An irreversible payment on wax with its proof, and the trusted setup of the gateway for wax. */
async function provenPayment(): Promise<{ id: bigint; evidence: Evidence; policy: Uint8Array }> {
  const { lines, until } = openSimulation((setting) => new ExchangeSimulation(setting), {
    seed: 2,
    days: 2,
    interval: 1_200_000,
  })
  const found: { id: bigint; evidence: Evidence }[] = []
  let first: Uint8Array | null = null
  new WaxWatcher(lines.wax.chain, {
    began: (policy) => {
      first = policy
    },
    handedOver: nothing,
    deposited: nothing,
    unpaid: nothing,
    paid: ({ id }, evidence) => found.push({ id, evidence }),
  })
  await until(START + 1.5 * DAY)
  return { ...found[0]!, policy: first! }
}

t.test('a gateway accepts only proofs that lead to a trusted root', async (t) => {
  const { id, evidence, policy } = await provenPayment()
  const { proof, root } = evidence
  const payment = { account: BRIDGE, name: 'paylog' }
  const holds = (changed: SavannaProof, action = payment) => {
    try {
      checkAction(changed, action, (trusted) => trusted === proof.finalityMroot)
      return true
    } catch {
      return false
    }
  }
  t.ok(holds(proof))
  t.notOk(holds(proof, { ...payment, name: 'deplog' }))
  const flip = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`
  const wrong: Partial<SavannaProof>[] = [
    { data: proof.data.map((byte, i) => (i === 0 ? byte ^ 1 : byte)) },
    { recvSequence: proof.recvSequence + 1n },
    { witness: flip(proof.witness) },
    { blockNum: proof.blockNum + 1 },
    { timestamp: proof.timestamp + 1 },
    { finalityDigest: flip(proof.finalityDigest) },
    { actionPath: proof.actionPath ^ 1n },
    { treePath: proof.treePath ^ 1n },
    { treeSiblings: proof.treeSiblings.slice(1) },
    { actionMroot: flip(proof.actionMroot) },
    { finalityMroot: flip(proof.finalityMroot) },
  ]
  for (const change of wrong) t.notOk(holds({ ...proof, ...change }), itemAt(Object.keys(change), 0))

  const exchange = buildExchange(telosProfile)
  const ledger = new Ledger(exchange.contracts)
  for (const calls of exchange.genesis) ledger.push(calls, START)
  const push = (name: string, actor: string, data: object) =>
    ledger.push([call(GATEWAYS.wax, name, actor, { relayer: actor, ...data })], START).error
  const settle = (about: bigint, shown: SavannaProof, actor = RELAYER) =>
    push('settle', actor, { id: about, released: true, proof: packProof(shown) })
  t.match(push('submitroot', RELAYER, { root }), /policy \d is not known/, 'a fresh gateway')
  t.equal(push('follow', 'mallory1', { policy }), 'unknown relayer')
  t.equal(push('follow', RELAYER, { policy }), null)
  t.equal(push('follow', RELAYER, { policy }), 'it follows a chain already')
  t.match(settle(id, proof), /the root is not trusted/)
  const forged = structuredClone(root)
  forged.active.signature.reverse()
  t.ok(push('submitroot', RELAYER, { root: forged }))
  t.match(
    push('submitroot', RELAYER, { root: { ...root, active: { ...root.active, bits: Uint8Array.of(1) } } }),
    /no quorum/,
  )
  t.equal(push('submitroot', 'mallory1', { root }), null, 'whoever brings it')
  t.equal(push('submitroot', RELAYER, { root }), null, 'nothing new is no error')
  t.ok(ledger.tables(GATEWAYS.wax).get('roots', GATEWAYS.wax, rootKey(proof.finalityMroot)))
  t.equal(settle(id + 1n, proof), 'the proof is of another payment')
  t.match(settle(id, { ...proof, recvSequence: 0n }), /the action is not in the block/)
  t.equal(settle(id, proof), 'no open withdrawal', 'the proof holds; this ledger has burned nothing')
  t.equal(settle(id, proof, 'mallory1'), 'unknown relayer')
  t.ok(push('credit', 'mallory1', { nonce: 0n, proof: Uint8Array.of(0, 1, 2) }), 'bytes that are no proof are refused')
})
