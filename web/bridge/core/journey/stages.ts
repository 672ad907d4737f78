// The steps of a transfer as a timeline: which are done, which is current, who acts, and the deadline. Pure.
import type { JourneyAnswer } from '../answers.ts'
import type { Stage, StageState } from '../types.ts'
import { startLabel } from './machine.ts'
import { type Leg, legsOf, type Shape } from './shape.ts'
import type { State } from './state.ts'

/** A step with its progress. All steps before the current one are done. */
interface Step extends Pick<Stage, 'id' | 'title' | 'actor'> {
  detail: string
  state: StageState
  deadline?: number | null
}

const stage = (id: string, title: string, actor: Stage['actor'], state: StageState, detail = ''): Step => ({
  id,
  title,
  actor,
  state,
  detail,
})

/** @param answer  null before the bridge knows the transfer */
export function stagesOf(shape: Shape, state: State | null, answer: JourneyAnswer | null): Stage[] {
  const steps = [
    ...startSteps(shape, state, answer),
    ...(shape.from.id === shape.home.id ? [] : entrySteps(shape, answer)),
  ]
  steps.push(...exitSteps(shape, answer))
  return steps.map(({ deadline = null, detail, ...step }) => ({
    ...step,
    // A skipped step shows no detail, except for an approval: there it says why.
    detail: step.state === 'skipped' && step.id !== 'approve' ? '' : detail,
    deadline,
    transactions: [],
  }))
}

function startSteps({ from, to, home, approves }: Shape, state: State | null, answer: JourneyAnswer | null): Step[] {
  const local = state?.local.at ?? null
  const call = state?.local.at === 'signing' || state?.local.at === 'mining' ? state.local.call : null
  const hasBegun = answer !== null || local === 'following' || (local === 'mining' && call?.last !== false)
  const isSent = answer !== null || local === 'following'
  const isApproving = call !== null && !call.last
  const steps: Step[] = []
  if (approves && state?.order) {
    const wasApproved = state.own.some(({ label }) => label === 'Approve')
    const isDone = hasBegun || call?.last === true
    const at: StageState = isApproving ? 'active' : isDone ? (wasApproved ? 'done' : 'skipped') : 'waiting'
    const detail =
      isApproving && call?.label !== 'Approve'
        ? 'This token’s allowance has to be set to zero before it can be changed.'
        : 'The wallet allows the vault to take the amount.'
    steps.push(
      stage('approve', 'Allow the token', 'you', at, at === 'skipped' ? 'The vault may take it already.' : detail),
    )
  }
  const title = `${startLabel(from.kind)} on ${from.name}`
  const at: StageState =
    local === 'failed' && !isSent ? 'failed' : isSent ? 'done' : hasBegun || call?.last === true ? 'active' : 'waiting'
  const detail =
    at === 'active' && local === 'mining'
      ? `Signed; waiting for a block of ${from.name}.`
      : from.id === home.id
        ? `The tokens are burned, to be paid out on ${to.name}.`
        : `The tokens are locked in the vault on ${from.name}.`
  steps.push(stage('send', title, 'you', at, detail))
  return steps
}

/** From the source to the ledger's chain. */
function entrySteps({ from, to, home }: Shape, answer: JourneyAnswer | null): Step[] {
  const deposit = answer === null ? null : legsOf(answer).deposit
  const status = deposit?.status ?? null
  const hasArrived = status !== null && !['seen', 'provable'].includes(status)
  const at = (active: boolean, done: boolean): StageState => (done ? 'done' : active ? 'active' : 'waiting')
  const steps = [
    stage(
      'finality',
      `Finality on ${from.name}`,
      'automatic',
      at(status === 'seen', hasArrived || status === 'provable'),
      'The block of the deposit becomes final.',
    ),
    stage(
      'credit',
      `Proof on ${home.name}`,
      'relayer',
      at(status === 'provable', hasArrived),
      'A relayer proves the deposit.',
    ),
  ]
  if (to.id !== home.id) steps.push(forwardStep(`Passed on by ${home.name}`, status))
  else if (status === 'parked' || status === 'forwarded' || status === 'bounced')
    steps.push(forwardStep(`Delivery on ${home.name}`, status))
  else steps.push(collectStep(home.name, answer, status))
  return steps
}

function forwardStep(title: string, status: string | null): Step {
  const state: StageState =
    status === 'forwarded' ? 'done' : status === 'parked' ? 'active' : status === 'bounced' ? 'failed' : 'waiting'
  const detail =
    state === 'failed'
      ? 'It could not be delivered and goes back.'
      : 'A relayer has it delivered. An hour after its arrival it may be sent back instead.'
  return stage('forward', title, 'relayer', state, detail)
}

function collectStep(name: string, answer: JourneyAnswer | null, status: string | null): Step {
  const state: StageState = answer?.status === 'delivered' ? 'done' : status === 'credited' ? 'active' : 'waiting'
  return stage('collect', `Collect on ${name}`, 'you', state, 'The receiver signs to collect it. There is no deadline.')
}

/** From the ledger's chain to the destination, and back when delivery fails. */
function exitSteps(shape: Shape, answer: JourneyAnswer | null): Step[] {
  const { to, home } = shape
  const { onward, back, deposit } = answer === null ? { onward: null, back: null, deposit: null } : legsOf(answer)
  const steps: Step[] = []
  if (to.id !== home.id) {
    const skipped = deposit?.status === 'bounced'
    steps.push(...outSteps('', to.kind, to.name, onward, onward === null ? null : answer, skipped))
  }
  const hasExpired = onward?.status === 'expired' || onward?.status === 'refunded'
  if (hasExpired) {
    const isRefunded = onward?.status === 'refunded'
    const state = isRefunded ? 'done' : 'active'
    steps.push(stage('refund', `Refund on ${home.name}`, 'relayer', state, 'The expired transfer is undone.'))
    if (deposit !== null)
      steps.push(
        stage(
          'recover',
          `Sent back by ${home.name}`,
          'anyone',
          back !== null ? 'done' : isRefunded ? 'active' : 'waiting',
          'Anyone may send it on to its way back.',
        ),
      )
  }
  if (back !== null || (deposit !== null && (hasExpired || deposit.status === 'bounced'))) {
    const chain = answer?.back?.chain === home.id ? home : shape.from
    steps.push(...outSteps('back-', chain.kind, chain.name, back, answer, false))
  }
  return steps
}

function outSteps(
  prefix: string,
  kind: 'evm' | 'antelope',
  name: string,
  leg: Leg | null,
  answer: JourneyAnswer | null,
  skipped: boolean,
): Step[] {
  const status = leg?.status ?? null
  const failed = status === 'expired' || status === 'refunded'
  const released = status === 'released'
  const provable = status === 'provable'
  const at = (active: boolean, done: boolean): StageState =>
    skipped ? 'skipped' : done ? 'done' : failed ? 'failed' : active ? 'active' : 'waiting'
  const deadline = answer?.next?.deadline ?? null
  if (kind === 'antelope') {
    const isOn = status === 'burned' || provable
    const payout = stage(
      `${prefix}payout`,
      `Payout on ${name}`,
      'relayer',
      at(isOn, released),
      failed
        ? 'It was not paid out before its deadline.'
        : 'A relayer pays it out. What is not paid out within a week comes back.',
    )
    return [{ ...payout, deadline: isOn ? deadline : null }]
  }
  const late = answer?.next?.action === 'expire'
  return [
    stage(
      `${prefix}proof`,
      `Proof for ${name}`,
      'automatic',
      failed || released || provable ? (skipped ? 'skipped' : 'done') : at(status === 'burned', false),
      'Finalizers sign the block of the burn.',
    ),
    {
      ...stage(
        `${prefix}release`,
        `Release on ${name}`,
        late ? 'anyone' : 'you',
        at(provable, released),
        failed || late
          ? 'It was not released before its deadline.'
          : `The proof is sent to the contract on ${name}, which pays it out. Anyone may send it.`,
      ),
      deadline: provable ? deadline : null,
    },
  ]
}
