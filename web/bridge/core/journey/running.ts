// A transfer in progress: carries out the machine's effects one by one and feeds the results back.
import { send, useAccount, useChain } from '../evm/provider.ts'
import { antelopeFault, evmFault, Fault } from '../faults.ts'
import type { Journey, JourneyEvent, JourneyView, Wallet } from '../types.ts'
import { perform } from './acts.ts'
import { lookFor, troubleOf } from './look.ts'
import { advance } from './machine.ts'
import { checkWallet, nextCall, senderOf } from './prepare.ts'
import { ACTS, type Act, type Call, type Effect, type JourneyInput, type State } from './state.ts'
import type { Surroundings } from './surroundings.ts'
import { viewOf, WORKING } from './view.ts'

/** Consecutive answers after which the user may do what relayers do. */
const RELAYER_POLLS = 6

export class RunningJourney implements Journey {
  private readonly around: Surroundings
  private state: State
  private shown: JourneyView
  private wallet: Wallet | null
  /** Wallet for the next action. */
  private handed: Wallet | null = null
  private readonly listeners = new Set<(view: JourneyView) => void>()
  private readonly hosts = new Set<(event: JourneyEvent) => void>()
  /** Events from before the first listener. */
  private readonly events: JourneyEvent[] = []
  private known: ReadonlySet<string> = new Set()
  /** Consecutive answers with a deposit that waits for its delivery. */
  private parked = 0
  private stopTimer: () => void = () => {}
  private isClosed = false
  private isScheduled = false

  /** @param state  `begun(order)` with its wallet, or `found(key)` without one */
  constructor(around: Surroundings, state: State, wallet: Wallet | null) {
    this.around = around
    this.state = state
    this.wallet = wallet
    this.shown = viewOf(state, around.places)
    const first: Effect = state.key === null ? { do: 'check', after: null } : { do: 'poll', key: state.key, delay: 0 }
    // Deferred, so that the caller can subscribe first.
    queueMicrotask(() => this.carryOut(first))
  }

  get view(): JourneyView {
    return this.shown
  }

  subscribe(listener: (view: JourneyView) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  listen(listener: (event: JourneyEvent) => void): () => void {
    this.hosts.add(listener)
    for (const event of this.events) listener(event)
    return () => this.hosts.delete(listener)
  }

  async act(name: string, wallet: Wallet | null): Promise<void> {
    if (name === 'refresh' && this.state.key !== null)
      return this.carryOut({ do: 'poll', key: this.state.key, delay: 0 })
    if (name === 'retry') return this.retry(wallet)
    if (!(ACTS as readonly string[]).includes(name)) return
    this.handed = wallet
    this.handle({ type: 'act', name: name as Act })
  }

  close(): void {
    this.isClosed = true
    this.stopTimer()
    this.listeners.clear()
    this.hosts.clear()
  }

  private retry(wallet: Wallet | null): void {
    const { order } = this.state
    if (order === null || this.state.local.at !== 'failed') return
    try {
      checkWallet(wallet ?? this.wallet, order.way.from)
      this.wallet = wallet ?? this.wallet
      this.state = { ...this.state, order: { ...order, sender: senderOf(this.wallet as Wallet) } }
      this.handle({ type: 'retry' })
    } catch (error) {
      this.state = { ...this.state, error: troubleOf(error as Fault) }
      this.show()
    }
  }

  private handle(input: JourneyInput): void {
    if (this.isClosed) return
    const { state, effects } = advance(this.state, input, this.around.pace)
    this.state = state
    this.show()
    for (const effect of effects) this.carryOut(effect)
  }

  private show(): void {
    this.shown = withoutRetreat(viewOf(this.state, this.around.places), this.shown)
    if (this.isScheduled) return
    this.isScheduled = true
    queueMicrotask(() => {
      this.isScheduled = false
      for (const listener of this.listeners) listener(this.shown)
    })
  }

  private carryOut(effect: Effect): void {
    if (this.isClosed) return
    if (effect.do === 'check') void this.check(effect.after)
    else if (effect.do === 'sign') void this.sign(effect.call)
    else if (effect.do === 'watch') this.later(effect.delay, () => void this.watch(effect.ref, effect.last))
    else if (effect.do === 'poll') this.later(effect.delay, () => void this.poll(effect.key))
    else if (effect.do === 'act') void this.perform(effect.name)
    else this.report(effect.event)
  }

  /** Replaces the timer that is set, if any. */
  private later(ms: number, work: () => void): void {
    this.stopTimer()
    this.stopTimer = this.around.clock.later(ms, () => {
      if (!this.isClosed) work()
    })
  }

  private async check(after: string | null): Promise<void> {
    const { order } = this.state
    if (order === null || this.wallet === null) return
    try {
      const call = await nextCall(this.around, order, this.wallet, after)
      if (call.last && this.wallet.kind === 'evm') {
        const before = await this.around.api.depositsOf(order.sender).catch(() => [])
        this.known = new Set(before.map(({ key }) => key))
      }
      this.handle({ type: 'checked', call })
    } catch (error) {
      this.refuse(error)
    }
  }

  private async sign({ body }: Call): Promise<void> {
    const { wallet, state } = this
    const from = state.order?.way.from
    if (wallet === null || from === undefined) return
    try {
      let ref: string
      if (body.kind === 'evm' && wallet.kind === 'evm') {
        await useChain(wallet, from)
        await useAccount(wallet)
        ref = await send(wallet, from, body.call)
      } else if (body.kind === 'antelope' && wallet.kind === 'antelope') ref = await wallet.transact(body.actions)
      else throw new Fault('WALLET_OTHER_CHAIN', `This wallet is not for ${from.name}.`)
      this.handle({ type: 'signed', ref: ref.toLowerCase(), at: this.around.clock.now() })
    } catch (error) {
      this.refuse(error)
    }
  }

  private refuse(error: unknown): void {
    this.handle({ type: 'refused', trouble: troubleOf(this.faultOf(error)) })
  }

  private faultOf(error: unknown): Fault {
    if (error instanceof Fault) return error
    const { code, message } = error as { code?: unknown; message?: string }
    // Errors of the page's own wallets have a code and a text.
    if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) && message) return new Fault(code, message)
    return this.wallet?.kind === 'antelope' ? antelopeFault(error) : evmFault(error)
  }

  private async watch(ref: string, last: boolean): Promise<void> {
    const { order, local } = this.state
    if (order === null || this.wallet === null || local.at !== 'mining') return
    const { call, tries } = local
    const sought = { order, wallet: this.wallet, call, ref, last, tries, known: this.known }
    const inputs = await lookFor(this.around, sought).catch((): JourneyInput[] => [{ type: 'missing' }])
    for (const input of inputs) this.handle(input)
  }

  private async poll(key: string): Promise<void> {
    if (this.state.key !== key) return
    try {
      const answer = await this.around.api.journey(key)
      if (this.state.key !== key) return
      if (answer === null) return this.handle({ type: 'unknown' })
      this.handle({ type: 'answered', answer, possible: await this.possible(answer.key, answer.next?.action ?? null) })
    } catch (error) {
      this.handle({ type: 'silent', trouble: troubleOf(this.faultOf(error)) })
    }
  }

  /** Actions that anyone may take for a deposit that waits for its delivery. */
  private async possible(key: string, action: string | null): Promise<readonly Act[]> {
    this.parked = action === 'forward' ? this.parked + 1 : 0
    // A relayer usually acts within one or two polls.
    if (this.parked < RELAYER_POLLS) return []
    const pending = await this.around.api.pending(key).catch(() => null)
    const found = pending?.deposits.find((deposit) => deposit.key === key)
    return (found?.actions ?? []).filter((one): one is 'forward' | 'bounce' => one === 'forward' || one === 'bounce')
  }

  private async perform(name: Act): Promise<void> {
    const { answer } = this.state
    const wallet = this.handed
    this.handed = null
    if (answer === null) return
    try {
      const feed = (input: JourneyInput) => this.handle(input)
      const isOver = () => this.isClosed || this.state.acting === null
      await perform(this.around, { name, answer, wallet }, feed, isOver)
      this.handle({ type: 'act-done' })
    } catch (error) {
      const fault =
        error instanceof Fault ? error : wallet?.kind === 'antelope' ? antelopeFault(error) : evmFault(error)
      this.handle({ type: 'act-failed', trouble: troubleOf(fault) })
    }
  }

  /** Adds links to explorers; to the last event also the bridge's own transactions, including the payout. */
  private report(event: JourneyEvent): void {
    const { places } = this.around
    const own = event.data.transactions.map((one) => ({ ...one, url: places.explorer(one.chain, one.ref) }))
    const transactions = event.type === 'finished' ? this.shown.transactions : own
    const reported = { ...event, data: { ...event.data, transactions } } as JourneyEvent
    this.events.push(reported)
    for (const host of this.hosts) host(reported)
  }
}

/** The checks before a second signature, and a fork, do not move the progress back; only a failure begins again. */
function withoutRetreat(view: JourneyView, before: JourneyView): JourneyView {
  if (view.phase === 'failed' || view.percent >= before.percent) return view
  return { ...view, percent: Math.min(WORKING, before.percent) }
}
