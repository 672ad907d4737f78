// The state machine of a transfer, step by step and without a network: calls for the wallet, polling of the bridge,
// what the user sees, and events for the host of a widget.
import t, { type Test } from 'tap'
import type { JourneyAnswer } from '../../../web/bridge/core/answers.ts'
import { advance } from '../../../web/bridge/core/journey/machine.ts'
import {
  begun,
  type Call,
  type Effect,
  found,
  type JourneyInput,
  type Order,
  type State,
} from '../../../web/bridge/core/journey/state.ts'
import { duration, type Places, viewOf } from '../../../web/bridge/core/journey/view.ts'
import { Routes, type Way } from '../../../web/bridge/core/routes.ts'
import { answerOf, CHAINS, CONFIG, legs, next, OWNER, ROUTES } from './scene.ts'

const PACE = { pollMs: 10_000 }
const HASH = `0x${'ab'.repeat(32)}`
const OTHER_HASH = `0x${'cd'.repeat(32)}`

const routes = new Routes(ROUTES, CHAINS, CONFIG)
const PLACES: Places = {
  nameOf: (id) => routes.nameOf(id),
  kindOf: (id) => routes.reach(id)?.kind ?? 'antelope',
  home: 'telos',
  explorer: (chain, ref) => `https://${chain}.test/tx/${ref}`,
}

function orderOf(from: string, to: string, token = 'USDC'): Order {
  const recipient = to === 'mainnet' ? OWNER : 'alice'
  const way = routes.way(from, to, token) as Way
  const draft = { from, to, token, amount: '10', recipient }
  return { draft, way, units: 10_000_000n, raw: 10_000_000n, sender: from === 'mainnet' ? OWNER : 'alice', recipient }
}

const body = { kind: 'evm', call: { to: OWNER, data: '0x', value: 0n } } as const
const call = (label: string, last: boolean, chain = 'mainnet'): Call => ({ label, chain, last, body })

/** A machine with the effects that it returned. */
class Course {
  state: State
  asked: readonly Effect[] = []
  reported: string[] = []

  constructor(state: State) {
    this.state = state
  }

  on(...happenings: JourneyInput[]): this {
    for (const happening of happenings) {
      const { state, effects } = advance(this.state, happening, PACE)
      this.state = state
      this.asked = effects.filter(({ do: what }) => what !== 'report')
      for (const effect of effects) if (effect.do === 'report') this.reported.push(effect.event.type)
    }
    return this
  }

  answer(change: Partial<JourneyAnswer>): this {
    return this.on({ type: 'answered', answer: answerOf(change), possible: [] })
  }

  get view() {
    return viewOf(this.state, PLACES)
  }

  stage(id: string) {
    const stage = this.view.stages.find((one) => one.id === id)
    return stage && `${stage.actor} ${stage.state}`
  }
}

const sent = (order = orderOf('mainnet', 'wax'), label = 'Deposit') =>
  new Course(begun(order)).on(
    { type: 'checked', call: call(label, true, order.draft.from) },
    { type: 'signed', ref: HASH, at: 1000 },
    { type: 'located', key: 'd:1:42' },
  )

/** Checks invariants of every view. */
function sound(t: Test, course: Course) {
  const { view } = course
  const over = view.phase === 'delivered' || view.phase === 'returned'
  t.equal(view.percent === 100, over, `${view.percent} percent while ${view.phase}`)
  t.ok(view.headline.length > 5)
}

t.test('a first deposit: allowance, deposit, finality, payout', async (t) => {
  const course = new Course(begun(orderOf('mainnet', 'wax')))
  sound(t, course)
  t.equal(course.view.phase, 'checking')
  course.on({ type: 'checked', call: call('Approve', false) })
  t.match(course.asked, [{ do: 'sign', call: { label: 'Approve' } }])
  t.match(course.view, { phase: 'signing', safeToLeave: false })
  t.equal(course.stage('approve'), 'you active')
  course.on({ type: 'signed', ref: OTHER_HASH, at: 0 })
  t.match(course.asked, [{ do: 'watch', ref: OTHER_HASH, last: false }])
  t.same(course.reported, [], 'an allowance is no transfer')
  t.equal(course.view.safeToLeave, false)
  course.on({ type: 'mined' })
  t.match(course.asked, [{ do: 'check', after: 'Approve' }], 'all is checked again')
  course.on({ type: 'checked', call: call('Deposit', true) })
  t.equal(course.stage('approve'), 'you done')
  t.equal(course.stage('send'), 'you active')
  course.on({ type: 'signed', ref: HASH, at: 0 })
  t.same(course.reported, ['sent'])
  t.equal(course.view.safeToLeave, true)
  course.on({ type: 'missing' }, { type: 'missing' })
  t.match(course.asked, [{ do: 'watch', ref: HASH, last: true }])
  course.on({ type: 'located', key: 'd:1:42' })
  t.same(course.asked, [{ do: 'poll', key: 'd:1:42', delay: 0 }])
  course.answer({ deposit: { ...answerOf().deposit, src_tx: HASH } })
  t.same(course.asked, [{ do: 'poll', key: 'd:1:42', delay: 10_000 }])
  t.match(course.view, { phase: 'moving', percent: 10, left: 'about 12 minutes left' })
  t.equal(course.stage('finality'), 'automatic active')
  sound(t, course)
  course.answer({ legs: legs('provable'), next: next('relayer', 'credit') })
  t.equal(course.stage('credit'), 'relayer active')
  course.answer({ legs: legs('parked'), next: next('relayer', 'forward') })
  t.equal(course.stage('forward'), 'relayer active')
  course.answer({ status: 'sending', legs: legs('forwarded', 'burned'), next: next('relayer', null) })
  t.equal(course.stage('payout'), 'relayer active')
  course.answer({ status: 'delivered', legs: legs('forwarded', 'released'), next: null })
  sound(t, course)
  t.match(course.view, { phase: 'delivered', left: null, actions: [] })
  t.same(
    course.view.stages.map(({ state }) => state),
    course.view.stages.map(() => 'done'),
  )
  t.same(course.reported, ['sent'], 'one look at an end is not enough')
  course.answer({ status: 'delivered', legs: legs('forwarded', 'released'), next: null })
  t.same(course.reported, ['sent', 'finished'])
  for (let i = 0; i < 4; i++) course.answer({ status: 'delivered', legs: legs('forwarded', 'released'), next: null })
  t.same(course.asked, [], 'then nobody looks any more')
})

t.test('a deposit to the ledger’s chain ends with a collection', async (t) => {
  const course = sent(orderOf('mainnet', 'telos'))
  const to = { chain: 'telos', recipient: 'alice' }
  const collect = { status: 'sending', to, legs: legs('credited'), next: next('recipient', 'claim') } as const
  course.answer({
    ...collect,
    progress: { stage: 'credited on Telos: to be collected', percent: 95, etaSeconds: null },
  })
  t.match(course.view, { phase: 'waiting', left: null, headline: 'Credited on Telos: to be collected.' })
  t.match(course.view.actions, [
    {
      name: 'collect',
      label: 'Collect on Telos',
      primary: true,
      wallet: { kind: 'antelope', chain: 'telos' },
      blocked: null,
    },
  ])
  t.equal(course.stage('collect'), 'you active')
  sound(t, course)
  course.on({ type: 'act', name: 'collect' })
  t.same(course.asked, [{ do: 'act', name: 'collect' }])
  t.match(course.view.actions, [{ blocked: 'Under way.' }])
  course.on({ type: 'act-signing', label: 'Collect' })
  t.equal(course.view.phase, 'signing')
  course.on({ type: 'act-failed', trouble: { code: 'WALLET_REJECTED', text: 'no' } })
  t.match(course.view, { phase: 'waiting', error: { code: 'WALLET_REJECTED' }, actions: [{ blocked: null }] })
  course.on({ type: 'act', name: 'collect' }, { type: 'act-signed', label: 'Collect', chain: 'telos', ref: 'aa' })
  t.equal(course.view.error, null)
  course.on({ type: 'act-done' })
  t.match(course.asked, [{ do: 'poll', key: 'd:1:42', delay: 1000 }], 'soon')
  t.match(course.view.actions, [{ blocked: /waiting for the bridge/ }])
  course.answer(collect)
  t.match(course.asked, [{ delay: 2000 }])
  t.match(course.view.actions, [{ blocked: /waiting for the bridge/ }], 'not offered twice')
  course.answer({ ...collect, status: 'delivered', next: null })
  t.equal(course.view.phase, 'delivered')
  t.match(course.view.stages.find(({ id }) => id === 'collect')?.transactions, [{ ref: 'aa', chain: 'telos' }])
})

t.test('a withdrawal waits for its release, with a deadline', async (t) => {
  const course = sent(orderOf('telos', 'mainnet'), 'Transfer')
  const base = { key: 'w:7', direction: 'withdrawal', from: { chain: 'telos', address: 'alice' } } as const
  const way = { ...base, to: { chain: 'mainnet', recipient: OWNER }, back: { chain: 'telos', recipient: 'alice' } }
  const leg = (status: string) => ({ ...way, status: 'sending' as const, legs: [{ key: 'w:7', status, tx: null }] })
  course.answer(leg('burned'))
  t.equal(course.stage('send'), 'you done')
  t.equal(course.stage('finality'), undefined, 'it begins on the ledger’s chain')
  t.equal(course.stage('proof'), 'automatic active')
  course.answer({ ...leg('provable'), next: next('recipient', 'release', 1_764_000_000) })
  t.equal(course.state.key, 'w:7')
  t.match(
    course.view.stages.find(({ id }) => id === 'release'),
    { state: 'active', deadline: 1_764_000_000 },
  )
  t.match(course.view.actions, [
    { name: 'release', label: 'Release on Ethereum', wallet: { kind: 'evm', chain: 'mainnet' } },
  ])
  course.answer({ ...leg('provable'), next: next('anyone', 'expire') })
  t.match(course.view.actions, [{ name: 'expire' }])
  t.match(
    course.view.stages.find(({ id }) => id === 'release'),
    { actor: 'anyone' },
  )
  course.answer({ ...leg('expired'), status: 'bounced', next: next('relayer', null) })
  t.equal(course.stage('release'), 'you failed')
  t.equal(course.stage('refund'), 'relayer active')
  course.answer({ ...leg('refunded'), status: 'returned', next: null })
  sound(t, course)
  t.match(course.view, { phase: 'returned', back: 'alice on Telos' })
})

t.test('a hop that is not delivered returns, and waits for the user where needed', async (t) => {
  const course = sent()
  course.answer({ status: 'bounced', legs: legs('forwarded', 'expired'), next: next('relayer', null) })
  t.equal(course.stage('payout'), 'relayer failed')
  t.equal(course.stage('recover'), 'anyone waiting')
  course.answer({ status: 'bounced', legs: legs('forwarded', 'refunded'), next: next('anyone', 'recover') })
  t.match(course.view, {
    phase: 'waiting',
    actions: [{ name: 'recover', wallet: { kind: 'antelope', chain: 'telos' } }],
  })
  course.answer({
    status: 'returning',
    legs: legs('forwarded', 'refunded', 'provable'),
    next: next('recipient', 'release', 1_764_000_000),
  })
  t.equal(course.stage('recover'), 'anyone done')
  t.equal(course.stage('back-release'), 'you active')
  t.match(course.view.actions, [{ name: 'release', wallet: { kind: 'evm', chain: 'mainnet' } }])
  sound(t, course)
  const back = { status: 'returned', legs: legs('forwarded', 'refunded', 'released'), next: null } as const
  course.answer(back).answer(back)
  t.same(course.reported, ['sent', 'finished'])
  t.match(course.view, { phase: 'returned', percent: 100 })
})

t.test('a deposit that cannot be delivered is sent back from the ledger’s chain', async (t) => {
  const course = sent()
  course.on({
    type: 'answered',
    answer: answerOf({ status: 'arriving', legs: legs('parked'), next: next('relayer', 'forward') }),
    possible: ['forward', 'bounce'],
  })
  t.match(
    course.view.actions.map(({ name, primary }) => [name, primary]),
    [
      ['forward', false],
      ['bounce', false],
    ],
  )
  course.answer({ status: 'returning', legs: legs('bounced', 'burned'), next: next('automatic', null) })
  t.equal(course.stage('forward'), 'relayer failed')
  t.equal(course.stage('payout'), 'relayer skipped')
  t.equal(course.stage('back-proof'), 'automatic active')
  const [there, back] = legs('bounced', 'released')
  const released = { ...back!, tx: OTHER_HASH }
  course.answer({ status: 'returned', legs: [{ ...there!, tx: 'cc'.repeat(32) }, released], next: null })
  const refsOf = (id: string) => course.view.stages.find((one) => one.id === id)?.transactions.map(({ ref }) => ref)
  t.same(refsOf('back-release'), [OTHER_HASH], 'what brought it back stands at the way back')
  t.same(refsOf('payout'), [], 'and not at the step that was not needed')
  t.equal(course.view.stages.find(({ id }) => id === 'payout')?.detail, '')
})

t.test('a step that fails before it is sent can be tried again', async (t) => {
  for (const code of ['WALLET_REJECTED', 'WRONG_CHAIN', 'BRIDGE_UNREACHABLE']) {
    const course = new Course(begun(orderOf('mainnet', 'wax')))
    if (code !== 'BRIDGE_UNREACHABLE') course.on({ type: 'checked', call: call('Deposit', true) })
    course.on({ type: 'refused', trouble: { code, text: 'why' } })
    t.match(course.view, { phase: 'failed', percent: 0, error: { code }, safeToLeave: false })
    t.match(course.view.actions, [{ name: 'retry', wallet: { kind: 'evm', chain: 'mainnet' } }])
    t.same(course.reported, ['failed'])
    course.on({ type: 'retry' })
    t.same(course.asked, [{ do: 'check', after: null }])
    t.match(course.view, { phase: 'checking', error: null })
    course.on({ type: 'refused', trouble: { code, text: 'why' } })
    t.same(course.reported, ['failed'], 'reported once')
  }
})

t.test('a deposit that the contract refuses in its block has failed', async (t) => {
  const course = new Course(begun(orderOf('mainnet', 'wax'))).on(
    { type: 'checked', call: call('Deposit', true) },
    { type: 'signed', ref: HASH, at: 0 },
    { type: 'reverted', trouble: { code: 'CONTRACT_CAP_EXCEEDED', text: 'why' } },
  )
  t.match(course.view, { phase: 'failed', error: { code: 'CONTRACT_CAP_EXCEEDED' } })
  t.same(course.reported, ['sent', 'failed'])
  course.on(
    { type: 'retry' },
    { type: 'checked', call: call('Deposit', true) },
    { type: 'signed', ref: OTHER_HASH, at: 0 },
    { type: 'located', key: 'd:1:43' },
  )
  course.answer({ deposit: { ...answerOf().deposit, src_tx: OTHER_HASH } })
  t.match(course.view, { phase: 'moving', error: null }, 'the second one counts')
  t.match(course.asked, [{ do: 'poll' }])
})

t.test('a replacement of a sent transaction is followed instead of it', async (t) => {
  const course = new Course(begun(orderOf('mainnet', 'wax'))).on(
    { type: 'checked', call: call('Deposit', true) },
    { type: 'signed', ref: HASH, at: 0 },
    { type: 'replaced', ref: OTHER_HASH },
    { type: 'located', key: 'd:1:42' },
  )
  t.match(course.view.transactions, [
    { label: 'Deposit', ref: OTHER_HASH, url: `https://mainnet.test/tx/${OTHER_HASH}` },
  ])
  course.answer({ deposit: { ...answerOf().deposit, src_tx: OTHER_HASH } })
  t.equal(course.view.phase, 'moving')
})

t.test('failing requests are repeated at growing intervals, with a warning', async (t) => {
  const course = sent()
  course.answer({})
  const silent: JourneyInput = { type: 'silent', trouble: { code: 'BRIDGE_UNREACHABLE', text: 'no' } }
  const delays: number[] = []
  for (let i = 0; i < 6; i++) {
    course.on(silent)
    delays.push((course.asked[0] as { delay: number }).delay)
  }
  t.same(delays, [20_000, 40_000, 60_000, 60_000, 60_000, 60_000])
  t.match(course.view, { phase: 'moving', error: { code: 'BRIDGE_UNREACHABLE' }, warnings: [/may be old/] })
  course.answer({})
  t.match(course.view, { error: null, warnings: [] })
  t.match(course.asked, [{ delay: 10_000 }])
})

t.test('a fork undoes a step, also the last one', async (t) => {
  const course = sent()
  const done = { status: 'delivered', legs: legs('forwarded', 'released'), next: null } as const
  course.answer(done)
  course.answer({ status: 'sending', legs: legs('forwarded', 'provable'), next: next('relayer', null) })
  sound(t, course)
  t.match(course.view, { phase: 'moving', warnings: [/fork/] })
  t.same(course.reported, ['sent'], 'an end that was taken back is not reported')
  course.answer({ status: 'arriving', legs: legs('seen') })
  course.on({ type: 'unknown' })
  t.match(course.asked, [{ do: 'poll', delay: 2000 }])
  course.answer(done).answer(done)
  t.same(course.reported, ['sent', 'finished'])
  t.same(course.view.warnings, [])
})

t.test('a key that belongs to another user’s deposit after a fork is not followed', async (t) => {
  const course = sent()
  course.answer({ deposit: { ...answerOf().deposit, src_tx: OTHER_HASH } })
  t.same(course.asked, [{ do: 'watch', ref: HASH, last: true, delay: 2000 }])
  t.match(course.view, { phase: 'moving', key: null })
  course.on({ type: 'located', key: 'd:1:43' })
  t.match(course.asked, [{ do: 'poll', key: 'd:1:43' }])
})

t.test('a transfer is found again by its key alone', async (t) => {
  const course = new Course(found('w:7'))
  t.match(course.view, { phase: 'moving', stages: [], headline: 'Asking the bridge.' })
  course.on({ type: 'unknown' })
  t.match(course.view.headline, 'does not know')
  for (let i = 0; i < 40; i++) course.on({ type: 'unknown' })
  t.match(course.asked, [{ delay: 10_000 }])
  t.match(course.view.warnings, [/no transfer of this key/])
  course.answer({ status: 'sending', legs: legs('forwarded', 'provable') })
  t.match(course.view, {
    key: 'd:1:42',
    sender: OWNER.toLowerCase(),
    draft: { from: 'mainnet', to: 'wax', token: 'USDC', amount: '10', recipient: 'alice' },
    warnings: [],
  })
  t.equal(course.stage('send'), 'you done')
  t.equal(course.stage('approve'), undefined, 'of which nothing is known')
})

t.test('late and repeated inputs change nothing', async (t) => {
  const course = sent()
  course.answer({})
  const before = course.state
  for (const happening of [
    { type: 'mined' },
    { type: 'missing' },
    { type: 'checked', call: call('Deposit', true) },
    { type: 'signed', ref: OTHER_HASH, at: 1 },
    { type: 'refused', trouble: { code: 'X', text: '' } },
    { type: 'reverted', trouble: { code: 'X', text: '' } },
    { type: 'replaced', ref: OTHER_HASH },
    { type: 'located', key: 'd:1:9' },
    { type: 'retry' },
    { type: 'act-done' },
  ] as JourneyInput[]) {
    course.on(happening)
    t.same(course.state, before, happening.type)
    t.same(course.asked, [], happening.type)
  }
})

t.test('durations are given in words', async (t) => {
  t.same([1, 40, 89, 90, 720, 5400, 172_800].map(duration), [
    '1 second',
    '40 seconds',
    '89 seconds',
    '2 minutes',
    '12 minutes',
    '2 hours',
    '2 days',
  ])
})
