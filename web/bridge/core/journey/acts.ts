// Actions of the user during a transfer: collect on the ledger's chain, release on an EVM chain, send back.
import type { JourneyAnswer, ProofAnswer } from '../answers.ts'
import {
  domainOf,
  type EvmCall,
  expire,
  release,
  submitAndExpire,
  submitAndLearn,
  submitAndRelease,
} from '../evm/calls.ts'
import { receiptOf, send, trial, useAccount, useChain, view } from '../evm/provider.ts'
import { antelopeFault, evmFault, Fault } from '../faults.ts'
import type { AntelopeAction, AntelopeWallet, ChainAccess, EvmWallet, Wallet } from '../types.ts'
import { checkWallet } from './prepare.ts'
import type { Act, JourneyInput } from './state.ts'
import type { Surroundings } from './surroundings.ts'
import { waitingExit } from './view.ts'

const RECEIPT_MS = 1500
const MAX_RECEIPT_POLLS = 400
/** Errors of a stale proof: an EVM fork or an update of the light client invalidated it. Request the next one. */
const STALE: readonly string[] = ['CONTRACT_UNTRUSTED_ROOT', 'CONTRACT_UNKNOWN_POLICY', 'CONTRACT_BLOCK_NOT_IN_ROOT']
/** Another release already submitted the same finalizers: the step is not needed any more. */
const ALREADY_SUBMITTED = 'CONTRACT_POLICY_IS_OLD'
/** Limits: stale proofs before giving up, and requests for the next proof after each. */
const MAX_STALE_PROOFS = 5
const MAX_PROOF_POLLS = 20
const DONE: readonly string[] = ['CONTRACT_ALREADY_SETTLED', 'DONE_ALREADY']

type Feed = (input: JourneyInput) => void

/** Performs an action until it is in a block. @param isClosed  whether the transfer was closed @throws Fault */
export async function perform(
  around: Surroundings,
  { name, answer, wallet }: { name: Act; answer: JourneyAnswer; wallet: Wallet | null },
  feed: Feed,
  isClosed: () => boolean,
): Promise<void> {
  try {
    if (name === 'release' || name === 'expire') await settle(around, { name, answer, wallet }, feed, isClosed)
    else await push(around, { name, answer, wallet }, feed)
  } catch (error) {
    // Another relayer did it already, with the same result.
    if (!(error instanceof Fault && DONE.includes(error.code))) throw error
  }
}

async function push(
  around: Surroundings,
  { name, answer, wallet }: { name: Exclude<Act, 'release' | 'expire'>; answer: JourneyAnswer; wallet: Wallet | null },
  feed: Feed,
): Promise<void> {
  const routes = around.routes()
  const { id } = routes.ledger
  checkWallet(wallet, routes.reach(id) ?? { id, name: routes.ledger.name, kind: 'antelope' })
  const session = wallet as AntelopeWallet
  const { label, ...action } = await actionOf(around, name, answer, session)
  feed({ type: 'act-signing', label })
  try {
    const ref = await session.transact([action])
    feed({ type: 'act-signed', label, chain: id, ref })
  } catch (error) {
    throw antelopeFault(error)
  }
}

async function actionOf(
  around: Surroundings,
  name: Exclude<Act, 'release' | 'expire'>,
  answer: JourneyAnswer,
  wallet: AntelopeWallet,
): Promise<AntelopeAction & { label: string }> {
  const authorization = [{ actor: wallet.account, permission: wallet.permission }]
  const { contracts } = around.routes().ledger
  const bridge = contracts.bridge ?? 'bridge.svc'
  if (name === 'collect') {
    const owner = answer.to.recipient ?? ''
    if (owner !== wallet.account)
      throw new Fault('WRONG_ACCOUNT', `Only ${owner} can collect it. Connect the wallet of that account.`)
    return {
      label: 'Collect',
      account: bridge,
      name: 'claim',
      authorization,
      data: { owner, sym_code: answer.deposit.symbol ?? '' },
    }
  }
  if (name === 'recover') {
    const { hops } = await around.api.pending(answer.key)
    const hop = hops.find(({ key }) => key === answer.key)
    if (hop === undefined) throw new Fault('DONE_ALREADY', 'It has been sent back already.')
    const account = hop.contract ?? contracts.hop ?? 'hop.svc'
    return { label: 'Send back', account, name: 'recover', authorization, data: { id: hop.id } }
  }
  const [, domain = '', nonce = ''] = answer.key.split(':')
  const label = name === 'forward' ? 'Delivery' : 'Bounce'
  return { label, account: bridge, name, authorization, data: { domain, nonce } }
}

async function settle(
  around: Surroundings,
  { name, answer, wallet }: { name: 'release' | 'expire'; answer: JourneyAnswer; wallet: Wallet | null },
  feed: Feed,
  isClosed: () => boolean,
): Promise<void> {
  const exit = waitingExit(answer)
  const chain = exit && around.routes().reach(exit.chain)
  if (!exit || !chain) throw new Fault('NOTHING_TO_RELEASE', 'There is nothing to release.')
  checkWallet(wallet, chain)
  const evm = wallet as EvmWallet
  await useChain(evm, chain)
  await useAccount(evm)
  let proof = await around.api.proof(exit.key)
  for (let stale = 0; ; ) {
    if (proof === null)
      throw new Fault('PROOF_NOT_READY', 'There is no proof of it yet. It usually takes about a minute.')
    const contract = proof.hard.releaseTo
    if ((await view(evm, domainOf(contract), 1)) === null)
      throw new Fault(
        'CONTRACT_MISSING',
        `The wallet’s ${chain.name} has no contract at ${contract} that could release this.`,
      )
    try {
      for (const step of stepsOf(proof, name)) {
        await carryOut(evm, chain, step, feed, isClosed).catch((error) => {
          if (!step.isLesson || evmFault(error).code !== ALREADY_SUBMITTED) throw error
        })
      }
      return
    } catch (error) {
      const fault = evmFault(error)
      if (++stale > MAX_STALE_PROOFS || !STALE.includes(fault.code)) throw fault
      const next = await otherProof(around, exit.key, proof, isClosed)
      if (next === proof) throw fault
      proof = next
    }
  }
}

/** @returns the same proof when no other appears */
async function otherProof(
  { api }: Surroundings,
  key: string,
  stale: ProofAnswer,
  isClosed: () => boolean,
): Promise<ProofAnswer | null> {
  for (let look = 0; look < MAX_PROOF_POLLS && !isClosed(); look++) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, RECEIPT_MS))
    const proof = await api.proof(key)
    if (JSON.stringify(proof) !== JSON.stringify(stale)) return proof
  }
  return stale
}

interface Step {
  label: string
  call: EvmCall
  /** For the light client, which may know it already. */
  isLesson?: boolean
}

/** One call when the root is trusted; otherwise the light client's updates first, then a call with the root. */
function stepsOf({ light, hard }: ProofAnswer, name: 'release' | 'expire'): Step[] {
  const label = name === 'release' ? 'Release' : 'Expire'
  if (light !== null) {
    const call = name === 'release' ? release(light.releaseTo, light.release) : expire(light.releaseTo, light.release)
    return [{ label, call }]
  }
  const lessons = hard.handoffs.map(({ submitRoot, learn }) => ({
    label: 'Learn',
    call: submitAndLearn(hard.lightClient, submitRoot, learn),
    isLesson: true,
  }))
  const submit = name === 'release' ? submitAndRelease : submitAndExpire
  return [...lessons, { label, call: submit(hard.releaseTo, hard.submitRoot, hard.release) }]
}

async function carryOut(
  wallet: EvmWallet,
  chain: ChainAccess,
  { label, call }: Step,
  feed: Feed,
  isClosed: () => boolean,
): Promise<void> {
  await trial(wallet, call)
  feed({ type: 'act-signing', label })
  const ref = await send(wallet, chain, call)
  feed({ type: 'act-signed', label, chain: chain.id, ref })
  for (let look = 0; look < MAX_RECEIPT_POLLS && !isClosed(); look++) {
    const receipt = await receiptOf(wallet, ref).catch(() => null)
    if (receipt?.ok === true) return
    if (receipt !== null) {
      await trial(wallet, call)
      throw new Fault('TRANSACTION_REVERTED', 'The transaction is in a block, but the contract has refused it.')
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_MS))
  }
}
