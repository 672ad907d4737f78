// State machine of a transfer as a pure function: from a state and an input to the next state and effects. The bridge's
// newest answer always wins, also when a fork undoes a step.
import type { JourneyAnswer } from '../answers.ts'
import { finishedData, sentData } from './host-events.ts'
import type { Effect, JourneyInput, OwnTransaction, State, Trouble } from './state.ts'

export interface Turn {
  state: State
  effects: readonly Effect[]
}

/** Polling interval in milliseconds. */
export interface Pace {
  pollMs: number
}

const SOON_MS = 2000
const MAX_DELAY_MS = 60_000
/** Polls of a final state before it is reported as final, and before polling stops. */
const END_CONFIRMATIONS = 2
const MAX_END_POLLS = 6
/** Polls until a completed step is offered again because the bridge has not noticed it. */
const MAX_NOTICING_POLLS = 30

const KEYED_INPUTS: readonly JourneyInput['type'][] = ['answered', 'unknown', 'silent', 'act', 'act-done', 'act-failed']

export function advance(state: State, input: JourneyInput, pace: Pace): Turn {
  // An answer for a key that is no longer followed.
  if (KEYED_INPUTS.includes(input.type) && state.local.at !== 'following') return still(state)
  switch (input.type) {
    case 'checked':
      if (state.local.at !== 'checking') return still(state)
      return {
        state: { ...state, error: null, local: { at: 'signing', call: input.call } },
        effects: [{ do: 'sign', call: input.call }],
      }
    case 'refused':
      return refused(state, input.trouble)
    case 'signed':
      return signed(state, input.ref, input.at)
    case 'mined':
      if (state.local.at !== 'mining' || state.local.call?.last !== false) return still(state)
      return {
        state: { ...state, local: { at: 'checking' } },
        effects: [{ do: 'check', after: state.local.call.label }],
      }
    case 'reverted':
      return state.local.at === 'mining' ? refused(state, input.trouble) : still(state)
    case 'replaced':
      return replaced(state, input.ref)
    case 'located':
      if (state.local.at !== 'mining') return still(state)
      return followed({ ...state, local: { at: 'following' }, key: input.key, unknown: 0, failures: 0 }, 0)
    case 'missing':
      return missing(state, pace)
    case 'answered':
      return answered(state, input.answer, input.possible, pace)
    case 'unknown': {
      const unknown = state.unknown + 1
      const delay = unknown <= 20 ? Math.min(SOON_MS, pace.pollMs) : pace.pollMs
      // It existed before: a fork undid its first step.
      const takenBack = state.takenBack || state.answer !== null
      return followed({ ...state, unknown, failures: 0, ended: 0, takenBack }, delay)
    }
    case 'silent': {
      const failures = state.failures + 1
      const delay = Math.min(pace.pollMs * 2 ** Math.min(failures, 6), Math.max(MAX_DELAY_MS, pace.pollMs))
      return followed({ ...state, failures, error: input.trouble }, delay)
    }
    case 'retry':
      if (state.local.at !== 'failed' || state.order === null) return still(state)
      return {
        state: { ...state, error: null, local: { at: 'checking' } },
        effects: [{ do: 'check', after: null }],
      }
    default:
      return acted(state, input, pace)
  }
}

const still = (state: State): Turn => ({ state, effects: [] })

function followed(state: State, delay: number): Turn {
  return state.key === null ? still(state) : { state, effects: [{ do: 'poll', key: state.key, delay }] }
}

function refused(state: State, error: Trouble): Turn {
  if (state.local.at === 'following' || state.local.at === 'failed') return still(state)
  const next: State = { ...state, error, local: { at: 'failed' } }
  return reportOnce(next, { type: 'failed', data: { ...sentData(next), errorCode: error.code, error: error.text } })
}

function signed(state: State, ref: string, at: number): Turn {
  if (state.local.at !== 'signing') return still(state)
  const { call } = state.local
  const own = [...state.own, { chain: call.chain, label: call.label, ref }]
  const next: State = { ...state, own, error: null, local: { at: 'mining', call, ref, tries: 0, since: at } }
  const watch: Effect = { do: 'watch', ref, last: call.last, delay: SOON_MS / 2 }
  if (!call.last) return { state: next, effects: [watch] }
  const reported = reportOnce(next, { type: 'sent', data: sentData(next) })
  return { state: reported.state, effects: [...reported.effects, watch] }
}

function replaced(state: State, ref: string): Turn {
  if (state.local.at !== 'mining') return still(state)
  const before = state.local.ref
  const own = state.own.map((one) => (one.ref === before ? { ...one, ref } : one))
  return still({ ...state, own, local: { ...state.local, ref } })
}

function missing(state: State, { pollMs }: Pace): Turn {
  if (state.local.at !== 'mining') return still(state)
  const tries = state.local.tries + 1
  const delay = tries < 30 ? Math.min(SOON_MS, pollMs) : Math.max(5000, pollMs)
  const { ref, call } = state.local
  const last = call?.last ?? true
  return { state: { ...state, local: { ...state.local, tries } }, effects: [{ do: 'watch', ref, last, delay }] }
}

function answered(state: State, answer: JourneyAnswer, possible: State['possible'], pace: Pace): Turn {
  const own = ownStart(state)
  if (own !== null && isAnother(answer, own)) return watchAgain(state, own.ref)
  const ended = isEnd(answer) ? state.ended + 1 : 0
  const takenBack = ended > 0 ? false : state.takenBack || isEarlier(answer, state.answer)
  const next: State = {
    ...state,
    answer,
    possible,
    key: answer.key,
    failures: 0,
    unknown: 0,
    ended,
    takenBack,
    // A failed poll's error is cleared; an action's error stays until the next action.
    error: state.failures > 0 ? null : state.error,
    acting: actingAfter(state, answer),
  }
  const turn =
    ended === END_CONFIRMATIONS ? reportOnce(next, { type: 'finished', data: finishedData(next, answer) }) : still(next)
  if (ended >= MAX_END_POLLS) return turn
  const delay = next.acting?.at === 'noticing' ? Math.min(SOON_MS, pace.pollMs) : pace.pollMs
  return { state: turn.state, effects: [...turn.effects, ...followed(turn.state, delay).effects] }
}

/** The transaction that began the transfer here: the last one, when an earlier one was refused. */
function ownStart(state: State): OwnTransaction | null {
  const label = state.order === null ? null : startLabel(state.order.way.from.kind)
  return state.own.filter((one) => one.label === label).at(-1) ?? null
}

/** Label of the first transaction of a transfer. */
export function startLabel(kind: 'evm' | 'antelope'): string {
  return kind === 'evm' ? 'Deposit' : 'Transfer'
}

/** After a fork the key may belong to another deposit. */
function isAnother(answer: JourneyAnswer, { ref }: OwnTransaction): boolean {
  const began = answer.deposit.src_tx
  return began !== null && began.toLowerCase() !== ref.toLowerCase()
}

function watchAgain(state: State, ref: string): Turn {
  const local = { at: 'mining' as const, call: null, ref, tries: 0, since: 0 }
  return {
    state: { ...state, local, key: null, answer: null, acting: null, ended: 0, takenBack: true },
    effects: [{ do: 'watch', ref, last: true, delay: SOON_MS }],
  }
}

export function isEnd({ status }: JourneyAnswer): boolean {
  return status === 'delivered' || status === 'returned'
}

const ORDER: readonly JourneyAnswer['status'][] = [
  'arriving',
  'sending',
  'delivered',
  'bounced',
  'returning',
  'returned',
]

function isEarlier(answer: JourneyAnswer, before: JourneyAnswer | null): boolean {
  if (before === null) return false
  return ORDER.indexOf(answer.status) < ORDER.indexOf(before.status) || answer.legs.length < before.legs.length
}

/** A completed step ends when the bridge names another one, or after too many polls without notice. */
function actingAfter(state: State, answer: JourneyAnswer): State['acting'] {
  const { acting } = state
  if (acting === null || isEnd(answer)) return null
  if (acting.at !== 'noticing') return acting
  const looks = acting.looks + 1
  const before = state.answer
  const same = before !== null && before.status === answer.status && before.next?.action === answer.next?.action
  return same && looks < MAX_NOTICING_POLLS ? { ...acting, looks } : null
}

function acted(state: State, input: JourneyInput, pace: Pace): Turn {
  const { acting } = state
  switch (input.type) {
    case 'act': {
      if ((acting !== null && acting.at !== 'noticing') || state.answer === null) return still(state)
      const preparing = { name: input.name, at: 'preparing' as const, label: '', looks: 0 }
      return { state: { ...state, acting: preparing, error: null }, effects: [{ do: 'act', name: input.name }] }
    }
    case 'act-signing':
      return still({ ...state, acting: acting && { ...acting, at: 'signing', label: input.label } })
    case 'act-signed': {
      const { label, chain, ref } = input
      const own = [...state.own, { label, chain, ref }]
      return still({ ...state, own, acting: acting && { ...acting, at: 'mining', label } })
    }
    case 'act-done':
      if (acting === null) return still(state)
      return followed({ ...state, acting: { ...acting, at: 'noticing', looks: 0 } }, Math.min(SOON_MS, pace.pollMs) / 2)
    case 'act-failed':
      return followed({ ...state, acting: null, error: input.trouble }, pace.pollMs)
    default:
      return still(state)
  }
}

/** Reports each type of event once. */
function reportOnce(state: State, event: Extract<Effect, { do: 'report' }>['event']): Turn {
  if (state.reported.includes(event.type)) return still(state)
  return { state: { ...state, reported: [...state.reported, event.type] }, effects: [{ do: 'report', event }] }
}
