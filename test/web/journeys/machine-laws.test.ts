// Invariants of a transfer under inputs in any order: events, answers of the bridge, refusals, forks.
import fc from 'fast-check'
import t from 'tap'
import type { JourneyAnswer } from '../../../web/bridge/core/answers.ts'
import { advance } from '../../../web/bridge/core/journey/machine.ts'
import { ACTS, begun, type Call, type JourneyInput, type State } from '../../../web/bridge/core/journey/state.ts'
import { type Places, viewOf } from '../../../web/bridge/core/journey/view.ts'
import { Routes, type Way } from '../../../web/bridge/core/routes.ts'
import { answerOf, CHAINS, CONFIG, OWNER, ROUTES } from './scene.ts'

const routes = new Routes(ROUTES, CHAINS, CONFIG)
const places: Places = {
  nameOf: (id) => routes.nameOf(id),
  kindOf: (id) => routes.reach(id)?.kind ?? 'antelope',
  home: 'telos',
  explorer: () => '',
}
const chainIds = ['mainnet', 'telos', 'wax'] as const
const trouble = { code: 'X', text: 'x' }
const hash = fc.constantFrom('aa', 'bb', 'cc').map((digits) => `0x${digits.repeat(32)}`)
const key = fc.constantFrom('d:1:42', 'd:1:43', 'w:7')
const body = { kind: 'evm', call: { to: OWNER, data: '0x', value: 0n } } as const
const call = fc.boolean().map((last): Call => ({ label: last ? 'Deposit' : 'Approve', chain: 'mainnet', last, body }))

const deposit = fc.constantFrom('seen', 'provable', 'credited', 'parked', 'forwarded', 'bounced')
const withdrawal = fc.constantFrom('burned', 'provable', 'released', 'expired', 'refunded')
const leg = (key: string, status: string) => ({ key, status, tx: null })
const legs = fc.oneof(
  deposit.map((one) => [leg('d:1:42', one)]),
  fc.tuple(deposit, withdrawal).map(([one, two]) => [leg('d:1:42', one), leg('w:7', two)]),
  fc
    .tuple(withdrawal, withdrawal)
    .map(([two, three]) => [leg('d:1:42', 'forwarded'), leg('w:7', two), leg('w:8', three)]),
  withdrawal.map((one) => [leg('w:7', one)]),
)
const answer: fc.Arbitrary<JourneyAnswer> = fc
  .record({
    status: fc.constantFrom('arriving', 'sending', 'delivered', 'bounced', 'returning', 'returned'),
    legs,
    percent: fc.integer({ min: -5, max: 120 }),
    actor: fc.constantFrom('automatic', 'relayer', 'recipient', 'anyone'),
    action: fc.constantFrom(null, 'claim', 'release', 'expire', 'recover', 'forward', 'credit', 'unheard of'),
    from: fc.constantFrom(...chainIds),
    to: fc.constantFrom(...chainIds),
    src_tx: fc.option(hash, { freq: 2 }),
  })
  .map(({ status, legs, percent, actor, action, from, to, src_tx }) =>
    answerOf({
      key: legs[0]!.key,
      status,
      legs,
      progress: { stage: 'some stage', percent, etaSeconds: null },
      next: status === 'delivered' || status === 'returned' ? null : { actor, action, deadline: null },
      from: { chain: from, address: null },
      to: { chain: to, recipient: 'alice' },
      deposit: { symbol: 'USDC', amount: '10', precision: 6, src_tx },
    }),
  )
const happening: fc.Arbitrary<JourneyInput> = fc.oneof(
  call.map((call) => ({ type: 'checked' as const, call })),
  fc.constant({ type: 'refused' as const, trouble }),
  hash.map((ref) => ({ type: 'signed' as const, ref, at: 1 })),
  fc.constant({ type: 'mined' as const }),
  fc.constant({ type: 'reverted' as const, trouble }),
  hash.map((ref) => ({ type: 'replaced' as const, ref })),
  key.map((key) => ({ type: 'located' as const, key })),
  fc.constant({ type: 'missing' as const }),
  { arbitrary: answer.map((answer) => ({ type: 'answered' as const, answer, possible: [] })), weight: 5 },
  fc.constant({ type: 'unknown' as const }),
  fc.constant({ type: 'silent' as const, trouble }),
  fc.constant({ type: 'retry' as const }),
  fc.constantFrom(...ACTS).map((name) => ({ type: 'act' as const, name })),
  fc.constant({ type: 'act-signing' as const, label: 'Release' }),
  hash.map((ref) => ({ type: 'act-signed' as const, label: 'Release', chain: 'mainnet', ref })),
  fc.constant({ type: 'act-done' as const }),
  fc.constant({ type: 'act-failed' as const, trouble }),
)

const SENT: readonly JourneyInput[] = [
  { type: 'checked', call: { label: 'Deposit', chain: 'mainnet', last: true, body } },
  { type: 'signed', ref: `0x${'aa'.repeat(32)}`, at: 1 },
  { type: 'located', key: 'd:1:42' },
]

function start(from: string, to: string): State {
  const way = routes.way(from, to, 'USDC') as Way
  const draft = { from, to, token: 'USDC', amount: '10', recipient: 'alice' }
  return begun({ draft, way, units: 10n, raw: 10n, sender: OWNER, recipient: 'alice' })
}

t.test('invariants of every sequence of inputs', async (t) => {
  const ways = fc.constantFrom(...ROUTES.filter(({ symbol }) => symbol === 'USDC'))
  let ends = 0
  fc.assert(
    fc.property(ways, fc.boolean(), fc.array(happening, { maxLength: 40 }), ({ from, to }, isSent, happenings) => {
      let state = start(from, to)
      const reported: string[] = []
      let asked = 0
      for (const one of isSent ? [...SENT, ...happenings] : happenings) {
        const before = JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        const { state: after, effects } = advance(state, one, { pollMs: 10_000 })
        const same = JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        if (before !== same) throw new Error('a state was changed in place')
        if (effects.some((effect) => effect.do === 'sign') && one.type !== 'checked')
          throw new Error('signed unchecked')
        asked += effects.filter((effect) => effect.do === 'sign' && effect.call.last).length
        for (const effect of effects) {
          if (effect.do === 'report') reported.push(effect.event.type)
          if ('delay' in effect && !(effect.delay >= 0 && effect.delay <= 60_000))
            throw new Error(`in ${effect.delay} ms`)
          if (effect.do === 'poll' && after.local.at !== 'following') throw new Error('asked for what is not followed')
        }
        state = after
        const view = viewOf(state, places)
        const over = view.phase === 'delivered' || view.phase === 'returned'
        if (over) ends++
        if ((view.percent === 100) !== over) throw new Error(`${view.percent} % while ${view.phase}`)
        if (!(view.percent >= 0 && view.percent <= 100)) throw new Error(`${view.percent} %`)
        if (over && view.actions.length > 0) throw new Error('something to do at the end')
        if (state.local.at === 'following' && state.key === null) throw new Error('follows nothing')
        const ids = view.stages.map(({ id }) => id)
        if (new Set(ids).size !== ids.length) throw new Error(`a step twice: ${ids}`)
        if (view.phase === 'failed' && (view.safeToLeave || view.error === null))
          throw new Error('failed without a reason')
      }
      if (new Set(reported).size !== reported.length) throw new Error(`reported twice: ${reported}`)
      const order = reported.indexOf('finished') >= 0 && reported.indexOf('sent') < 0
      if (order) throw new Error('finished, but never sent')
      if (reported.includes('sent') && asked === 0) throw new Error('sent without a signature')
    }),
    { numRuns: 3000, seed: 7 },
  )
  t.ok(ends > 50, `${ends} ends were seen`)
})
