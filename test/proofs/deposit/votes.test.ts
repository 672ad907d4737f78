// Proofs of deposits on a chain whose blocks become final by votes in later headers.
import t from 'tap'
import type { HeadwaterError } from '../../../core/errors.ts'
import { finalVotes, ValidatorSets } from '../../../core/evm/vote-finality.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { evmDepositProblem } from '../../../proofs/deposit/evm/check.ts'
import type { EvmReader } from '../../../proofs/deposit/evm/node.ts'
import { proveEvmDeposit } from '../../../proofs/deposit/evm/prove.ts'
import { planVotes } from '../../../proofs/deposit/evm/votes.ts'
import { EPOCH, VAULT, VoteChain } from './vote-chain.ts'

const GATEWAY = { kind: 'evm', account: 'gateway.bsc', relayer: 'relay' } as const

const prove = (chain: VoteChain, since: number) =>
  proveEvmDeposit({ node: chain, finality: { kind: 'votes', epochBlocks: EPOCH } }, chain.locked, GATEWAY, {
    since: { number: since, time: 0 },
    anchors: [],
  })

const code = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: HeadwaterError) => error.code,
  )

t.test('within an epoch one list of headers makes the block final', async (t) => {
  const chain = new VoteChain(60, 53)
  const proof = (await prove(chain, 45))!
  t.same(
    proof.actions.map(({ name, decoded }) => [name, (decoded.headers as string[] | undefined)?.length]),
    [
      ['attest', 3],
      ['credit', undefined],
    ],
  )
  t.match(proof.actions[1], { account: 'gateway.bsc', decoded: { relayer: 'relay', nonce: '7' } })
  t.equal(proof.immutable, false)
})

t.test('a list of headers for each epoch since the last known block comes first', async (t) => {
  const proof = (await prove(new VoteChain(86, 81), 45))!
  t.same(
    proof.actions.map(({ name }) => name),
    ['attest', 'attest', 'attest', 'credit'],
    'blocks 60, 80 and 81',
  )
})

t.test('a deposit in the first and in the second block of an epoch', async (t) => {
  for (const [deposit, since] of [
    [60, 45],
    [61, 45],
    [61, 60],
    [67, 60],
  ] as const)
    t.ok(await prove(new VoteChain(75, deposit), since), `${deposit} from ${since}`)
})

t.test('if votes are missing, a later block is final, and headers lead to it', async (t) => {
  const chain = new VoteChain(70, 53, (num) => num === 54 || num === 56)
  const proof = (await prove(chain, 45))!
  const [attest, credit] = proof.actions
  t.match(credit!.decoded.proof, { headers: { length: 4 } }, 'blocks 53 to 56')
  t.match(attest!.decoded, { headers: { length: 6 } }, 'to the block that votes for the child of 56')
})

t.test('without votes there is no proof', async (t) => {
  t.equal(await prove(new VoteChain(55, 53), 45), null, 'only one block with votes after it')
  t.not(await prove(new VoteChain(56, 53), 45), null, 'two')
  t.equal(await prove(new VoteChain(70, 53, (num) => num > 53), 45), null)
})

t.test('the self-check detects any change of the headers', async (t) => {
  const chain = new VoteChain(74, 70)
  const proof = (await prove(chain, 45))!
  const { known } = (await planVotes(chain, chain.blocks[70]!, 45, EPOCH))!
  const expected = { ...chain.locked, gateway: GATEWAY.account, vault: VAULT }
  const problem = (actions: typeof proof.actions) =>
    evmDepositProblem(actions, { blocks: [], beacon: null, validators: new ValidatorSets(known) }, expected)
  t.equal(problem(proof.actions), null)
  for (const [place, action] of proof.actions.entries()) {
    // Only the votes of the last header are covered: no other header names this one.
    const headers = (action.decoded.headers ?? ['']) as string[]
    const size = (action.data.length - headers.at(-1)!.length) / 2
    for (let at = 8; at < size; at += Math.floor(size / 10)) {
      const bytes = fromHex(action.data)
      bytes[at]! ^= 1 << (at % 8)
      const changed = proof.actions.with(place, { ...action, data: toHex(bytes) })
      if (problem(changed) === null) t.fail(`${action.name} ${place}: a change of byte ${at} is not found`)
    }
  }
  t.match(problem(proof.actions.slice(1)), /another signature/, 'votes of a set that was not learned')
  const strangers = new ValidatorSets(
    known.map(({ from, validators }) => ({ from, validators: { ...validators, keys: validators.keys.toReversed() } })),
  )
  t.match(evmDepositProblem(proof.actions, { blocks: [], beacon: null, validators: strangers }, expected), /signature/)
  t.match(
    evmDepositProblem(proof.actions, { blocks: [], beacon: null, validators: null }, expected),
    /votes of a chain/,
  )
})

t.test('invalid votes are an error of the node that sent them', async (t) => {
  const chain = new VoteChain(60, 53, undefined, true)
  t.equal(await code(prove(chain, 45)), 'EVM_VOTES')
})

t.test('errors name an epoch of another length and a gateway that lags too far', async (t) => {
  const chain = new VoteChain(70, 53)
  t.equal(await code(planVotes(chain, chain.blocks[53]!, 45, 9)), 'EVM_HEADER')
  t.equal(await code(planVotes(chain, { ...chain.blocks[53]!, number: 50_000 }, 45, 20)), null, 'not final')
  const far: EvmReader = {
    head: async () => 60_053,
    headers: async () => chain.blocks.slice(53, 56),
    receipts: (header) => chain.receipts(header),
    error: (code, what) => chain.error(code, what),
  }
  t.equal(await code(planVotes(far, { ...chain.blocks[53]!, number: 60_000 }, 45, EPOCH)), 'GATEWAY_FAR_BEHIND')
})

t.test('a block is final by votes for it, and for its child with it as their source', async (t) => {
  const { blocks } = new VoteChain(12, 5)
  t.equal(finalVotes(blocks.slice(4, 7))?.index, 0)
  t.equal(finalVotes(blocks.slice(4, 6)), null)
  t.equal(finalVotes([blocks[4]!, blocks[6]!, blocks[7]!]), null, 'no child')
  t.throws(() => new ValidatorSets([{ from: 100, validators: { keys: [], turn: 1 } }]).at(99), {
    code: 'DEPOSIT_PROOF',
  })
})
