// What a person does in the middle of a transfer: collect on the ledger's chain, release on an EVM chain, send back.
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
const LONGEST_LOOKS = 400
/** A proof is made stale by a fork of the EVM chain, or by what others tell its light client: the next one is asked for. */
const STALE: readonly string[] = ['CONTRACT_UNTRUSTED_ROOT', 'CONTRACT_UNKNOWN_POLICY', 'CONTRACT_BLOCK_NOT_IN_ROOT']
/** Another release has brought the same finalizers in the meantime: the lesson is over. */
const LEARNT = 'CONTRACT_POLICY_IS_OLD'
/** Times that a proof may turn out stale, and looks for the next one, which comes when the bridge has heard why. */
const STALE_PROOFS = 5
const PROOF_LOOKS = 20
const DONE: readonly string[] = ['CONTRACT_ALREADY_SETTLED', 'DONE_ALREADY']

type Tell = (happening: JourneyInput) => void

/** Does an act to its block. @param isClosed  whether nobody waits for it any more @throws Fault */
export async function perform(
  around: Surroundings,
  { name, answer, wallet }: { name: Act; answer: JourneyAnswer; wallet: Wallet | null },
  tell: Tell,
  isClosed: () => boolean,
): Promise<void> {
  try {
    if (name === 'release' || name === 'expire') await settle(around, { name, answer, wallet }, tell, isClosed)
    else await push(around, { name, answer, wallet }, tell)
  } catch (error) {
    // Somebody else was faster, which is as good.
    if (!(error instanceof Fault && DONE.includes(error.code))) throw error
  }
}

async function push(
  around: Surroundings,
  { name, answer, wallet }: { name: Exclude<Act, 'release' | 'expire'>; answer: JourneyAnswer; wallet: Wallet | null },
  tell: Tell,
): Promise<void> {
  const routes = around.routes()
  const { id } = routes.ledger
  checkWallet(wallet, routes.reach(id) ?? { id, name: routes.ledger.name, kind: 'antelope' })
  const session = wallet as AntelopeWallet
  const { label, ...action } = await actionOf(around, name, answer, session)
  tell({ type: 'act-signing', label })
  try {
    const ref = await session.transact([action])
    tell({ type: 'act-signed', label, chain: id, ref })
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
  tell: Tell,
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
        await carryOut(evm, chain, step, tell, isClosed).catch((error) => {
          if (!step.isLesson || evmFault(error).code !== LEARNT) throw error
        })
      }
      return
    } catch (error) {
      const fault = evmFault(error)
      if (++stale > STALE_PROOFS || !STALE.includes(fault.code)) throw fault
      const next = await otherProof(around, exit.key, proof, isClosed)
      if (next === proof) throw fault
      proof = next
    }
  }
}

/** @returns the same proof when no other one comes */
async function otherProof(
  { api }: Surroundings,
  key: string,
  stale: ProofAnswer,
  isClosed: () => boolean,
): Promise<ProofAnswer | null> {
  for (let look = 0; look < PROOF_LOOKS && !isClosed(); look++) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, RECEIPT_MS))
    const proof = await api.proof(key)
    if (JSON.stringify(proof) !== JSON.stringify(stale)) return proof
  }
  return stale
}

interface Step {
  label: string
  call: EvmCall
  /** For the light client: it may know it already. */
  isLesson?: boolean
}

/** With a trusted root one call; else what the light client has to learn first, and one call that brings the root. */
export function stepsOf({ light, hard }: ProofAnswer, name: 'release' | 'expire'): Step[] {
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
  tell: Tell,
  isClosed: () => boolean,
): Promise<void> {
  await trial(wallet, call)
  tell({ type: 'act-signing', label })
  const ref = await send(wallet, chain, call)
  tell({ type: 'act-signed', label, chain: chain.id, ref })
  for (let look = 0; look < LONGEST_LOOKS && !isClosed(); look++) {
    const receipt = await receiptOf(wallet, ref).catch(() => null)
    if (receipt?.ok === true) return
    if (receipt !== null) {
      await trial(wallet, call)
      throw new Fault('TRANSACTION_REVERTED', 'The transaction is in a block, but the contract has refused it.')
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_MS))
  }
}
