// The course of a transfer as a pure function: a state and what happened give the next state and what is to be done. It
// believes the bridge's answers as they come, also when a fork takes a step back.
import type { JourneyAnswer } from '../answers.ts'
import { finishedData, sentData } from './host-events.ts'
import type { Effect, JourneyInput, OwnTransaction, State, Trouble } from './state.ts'

export interface Turn {
  state: State
  effects: readonly Effect[]
}

/** Milliseconds between two looks, in ordinary times. */
export interface Pace {
  pollMs: number
}

const SOON_MS = 2000
const LONGEST_MS = 60_000
/** Looks at an end before it counts as one, and before it is not looked at any more. */
const SURE = 2
const LAST_LOOK = 6
/** Looks until a step that was done is offered again, since the bridge has not noticed it. */
const NOTICED_WITHIN = 30

const OF_KEY: readonly JourneyInput['type'][] = ['answered', 'unknown', 'silent', 'act', 'act-done', 'act-failed']

export function advance(state: State, happening: JourneyInput, pace: Pace): Turn {
  // What the bridge says of a key that is not followed any more.
  if (OF_KEY.includes(happening.type) && state.local.at !== 'following') return still(state)
  switch (happening.type) {
    case 'checked':
      if (state.local.at !== 'checking') return still(state)
      return {
        state: { ...state, error: null, local: { at: 'signing', call: happening.call } },
        effects: [{ do: 'sign', call: happening.call }],
      }
    case 'refused':
      return refused(state, happening.trouble)
    case 'signed':
      return signed(state, happening.ref, happening.at)
    case 'mined':
      if (state.local.at !== 'mining' || state.local.call?.last !== false) return still(state)
      return {
        state: { ...state, local: { at: 'checking' } },
        effects: [{ do: 'check', after: state.local.call.label }],
      }
    case 'reverted':
      return state.local.at === 'mining' ? refused(state, happening.trouble) : still(state)
    case 'replaced':
      return replaced(state, happening.ref)
    case 'located':
      if (state.local.at !== 'mining') return still(state)
      return followed({ ...state, local: { at: 'following' }, key: happening.key, unknown: 0, failures: 0 }, 0)
    case 'missing':
      return missing(state, pace)
    case 'answered':
      return answered(state, happening.answer, happening.possible, pace)
    case 'unknown': {
      const unknown = state.unknown + 1
      const delay = unknown <= 20 ? Math.min(SOON_MS, pace.pollMs) : pace.pollMs
      // It was there and is not any more: a fork has taken its first step back.
      const takenBack = state.takenBack || state.answer !== null
      return followed({ ...state, unknown, failures: 0, ended: 0, takenBack }, delay)
    }
    case 'silent': {
      const failures = state.failures + 1
      const delay = Math.min(pace.pollMs * 2 ** Math.min(failures, 6), Math.max(LONGEST_MS, pace.pollMs))
      return followed({ ...state, failures, error: happening.trouble }, delay)
    }
    case 'retry':
      if (state.local.at !== 'failed' || state.order === null) return still(state)
      return {
        state: { ...state, error: null, local: { at: 'checking' } },
        effects: [{ do: 'check', after: null }],
      }
    default:
      return acted(state, happening, pace)
  }
}

const still = (state: State): Turn => ({ state, effects: [] })

function followed(state: State, delay: number): Turn {
  return state.key === null ? still(state) : { state, effects: [{ do: 'poll', key: state.key, delay }] }
}

function refused(state: State, error: Trouble): Turn {
  if (state.local.at === 'following' || state.local.at === 'failed') return still(state)
  const next: State = { ...state, error, local: { at: 'failed' } }
  return tell(next, { type: 'failed', data: { ...sentData(next), errorCode: error.code, error: error.text } })
}

function signed(state: State, ref: string, at: number): Turn {
  if (state.local.at !== 'signing') return still(state)
  const { call } = state.local
  const own = [...state.own, { chain: call.chain, label: call.label, ref }]
  const next: State = { ...state, own, error: null, local: { at: 'mining', call, ref, tries: 0, since: at } }
  const watch: Effect = { do: 'watch', ref, last: call.last, delay: SOON_MS / 2 }
  if (!call.last) return { state: next, effects: [watch] }
  const told = tell(next, { type: 'sent', data: sentData(next) })
  return { state: told.state, effects: [...told.effects, watch] }
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
  if (own !== null && isAnother(answer, own)) return lookAgain(state, own.ref)
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
    // What the bridge did not say before is said now; what went wrong with an act stays until the next one.
    error: state.failures > 0 ? null : state.error,
    acting: actingAfter(state, answer),
  }
  const turn = ended === SURE ? tell(next, { type: 'finished', data: finishedData(next, answer) }) : still(next)
  if (ended >= LAST_LOOK) return turn
  const delay = next.acting?.at === 'noticing' ? Math.min(SOON_MS, pace.pollMs) : pace.pollMs
  return { state: turn.state, effects: [...turn.effects, ...followed(turn.state, delay).effects] }
}

/** The transaction with which the person began it here: the last one, when one before it was refused. */
function ownStart(state: State): OwnTransaction | null {
  const label = state.order === null ? null : startLabel(state.order.way.from.kind)
  return state.own.filter((one) => one.label === label).at(-1) ?? null
}

/** How the first transaction of a transfer is called. */
export function startLabel(kind: 'evm' | 'antelope'): string {
  return kind === 'evm' ? 'Deposit' : 'Transfer'
}

/** After a fork the key may have gone to somebody else's deposit. */
function isAnother(answer: JourneyAnswer, { ref }: OwnTransaction): boolean {
  const began = answer.deposit.src_tx
  return began !== null && began.toLowerCase() !== ref.toLowerCase()
}

function lookAgain(state: State, ref: string): Turn {
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

/** A step that the person has done ends when the bridge names another one, or when it has not noticed it for long. */
function actingAfter(state: State, answer: JourneyAnswer): State['acting'] {
  const { acting } = state
  if (acting === null || isEnd(answer)) return null
  if (acting.at !== 'noticing') return acting
  const looks = acting.looks + 1
  const before = state.answer
  const same = before !== null && before.status === answer.status && before.next?.action === answer.next?.action
  return same && looks < NOTICED_WITHIN ? { ...acting, looks } : null
}

function acted(state: State, happening: JourneyInput, pace: Pace): Turn {
  const { acting } = state
  switch (happening.type) {
    case 'act': {
      if ((acting !== null && acting.at !== 'noticing') || state.answer === null) return still(state)
      const preparing = { name: happening.name, at: 'preparing' as const, label: '', looks: 0 }
      return { state: { ...state, acting: preparing, error: null }, effects: [{ do: 'act', name: happening.name }] }
    }
    case 'act-signing':
      return still({ ...state, acting: acting && { ...acting, at: 'signing', label: happening.label } })
    case 'act-signed': {
      const { label, chain, ref } = happening
      const own = [...state.own, { label, chain, ref }]
      return still({ ...state, own, acting: acting && { ...acting, at: 'mining', label } })
    }
    case 'act-done':
      if (acting === null) return still(state)
      return followed({ ...state, acting: { ...acting, at: 'noticing', looks: 0 } }, Math.min(SOON_MS, pace.pollMs) / 2)
    case 'act-failed':
      return followed({ ...state, acting: null, error: happening.trouble }, pace.pollMs)
    default:
      return still(state)
  }
}

/** Each kind of event is told once. */
function tell(state: State, event: Extract<Effect, { do: 'tell' }>['event']): Turn {
  if (state.told.includes(event.type)) return still(state)
  return { state: { ...state, told: [...state.told, event.type] }, effects: [{ do: 'tell', event }] }
}
