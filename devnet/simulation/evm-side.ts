// The EVM side of the bridge: users who deposit into the vault and who release or forget withdrawals, and the relayer
// that reports to the ledger. Events become final a quarter of an hour after they happen and are never undone.

import { ETHEREUM_DOMAIN, partyBytes, partyText } from '../contracts/bridge/domains.ts'
import { packOutcome, packRelayed, type RelayedDeposit } from '../contracts/bridge/evm-gateway.ts'
import {
  amountOf,
  EVM_TOKENS,
  evmToken,
  FIRST_DEPOSIT,
  FIRST_DEPOSITORS,
  GATEWAYS,
  tokenOf,
} from '../contracts/exchange.ts'
import { type Profile, telosProfile } from '../contracts/profile.ts'
import { Random } from '../random.ts'
import type { ExternalEvents } from '../scenario.ts'
import type { EvmChain } from './evm-chain.ts'
import { type Destination, depositKind, destination } from './journeys.ts'
import { JOURNEYS_AT_ONCE, type Pace } from './pace.ts'
import { evmAddress, SLEEPERS } from './parties.ts'
import { TaskList, type Timed } from './task-list.ts'
import { SETTLED_REACH, type TelosSide } from './telos-side.ts'
import type { Burn } from './telos-watcher.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Minimum time until an event is final. */
const FINALITY = 13 * MINUTE

/** Time from a deposit to its burn on the ledger. */
const ARRIVAL = 20 * MINUTE
/** Maximum time from a deposit that its receiver refuses to its possible bounce: finality and an hour. */
const REFUSAL = 1.25 * FINALITY + MINUTE + HOUR
/** Hours since the expiry of a journey, in the middle of each step of its way back (telos-side.ts). */
const EXPIRED = 1
const REFUNDED = 3.25
const RETURNING = 6

interface Event extends Timed {
  run(now: number, random: Random): void | Promise<void>
}

/** A random number between two bounds, uniform in its logarithm. */
function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.next()
}

export interface EvmSideOptions {
  seed: string
  pace: Pace
  /** Called lazily. */
  chain: () => EvmChain
  ledger: () => TelosSide
  /** Unix milliseconds from which other programs act in its place; absent: never. */
  until?: number
}

export class EvmSide implements ExternalEvents {
  private readonly seed: string
  private readonly pace: Pace
  private readonly chain: () => EvmChain
  private readonly ledger: () => TelosSide
  private readonly until: number
  private readonly profile: Profile = telosProfile
  private readonly events = new TaskList<Event>()
  private readonly taken = new Map<string, bigint>()
  private readonly given = new Map<string, bigint>()
  private nonce = 0n

  constructor({ seed, pace, chain, ledger, until = Number.POSITIVE_INFINITY }: EvmSideOptions) {
    this.seed = seed
    this.pace = pace
    this.chain = chain
    this.ledger = ledger
    this.until = until
    this.plan('contracts', pace.start + MINUTE, undefined, (now) => this.chain().open(now))
    this.firstDeposits()
    this.plan('journey 0', pace.start + 4 * HOUR, FINALITY, (now, random) => this.journey(0, now, random))
    this.returningJourneys()
  }

  get next(): number {
    return this.events.due <= this.until ? this.events.due : Number.POSITIVE_INFINITY
  }

  get quiet(): number {
    return this.events.quiet
  }

  async advance(now: number): Promise<void> {
    const last = Math.min(now, this.until)
    for (let event = this.events.first(last); event; event = this.events.first(last)) {
      this.events.remove(event)
      await event.run(event.at, new Random(`${this.seed}/evm/${event.key}`))
    }
  }

  /** Total deposits and withdrawals of a token at the vault, ledger units. */
  vault(symbol: string): { taken: bigint; given: bigint } {
    return { taken: this.taken.get(symbol) ?? 0n, given: this.given.get(symbol) ?? 0n }
  }

  /** Handles a withdrawal from the ledger: its owner releases it, or it expires. @param now Unix milliseconds */
  burned(burn: Burn, now: number): void {
    if (now > this.until) return
    const { id, recipient, fee, wayBack } = burn
    const random = new Random(`${this.seed}/evm/w:${id}`)
    const asleep = SLEEPERS.includes(partyText(ETHEREUM_DOMAIN, recipient))
    const provable = now + between(random, 45, 75) * SECOND
    // A withdrawal with a fee is released soon; tokens that return to their sender wait longer.
    const [shortest, longest] = fee > 0n ? [MINUTE, 3 * MINUTE] : wayBack ? [3 * HOUR, 5 * HOUR] : [MINUTE, 6 * HOUR]
    const at = asleep
      ? Number(burn.deadline) * 1000 + between(random, 5, 60) * MINUTE
      : provable + between(random, shortest, longest)
    this.plan(`end of w:${id}`, at, SETTLED_REACH, (time) => this.end(burn, !asleep, time))
  }

  private async end({ id, quantity }: Burn, released: boolean, now: number): Promise<void> {
    if (released) count(this.given, quantity.symbol, quantity.amount)
    const log = packOutcome(await this.chain().end(id, released, now))
    this.whenFinal(`w:${id}`, now, SETTLED_REACH, (at) => this.ledger().settle(id, released, log, at))
  }

  /** Initial deposits, from which others can withdraw. */
  private firstDeposits(): void {
    for (const [i, code] of Object.keys(EVM_TOKENS).entries()) {
      for (const [j, user] of FIRST_DEPOSITORS.entries()) {
        const at = this.pace.start + (5 + 3 * i + j) * MINUTE
        const to = { telosTo: user, memo: '' }
        this.plan(`first deposit of ${code} by ${user}`, at, FINALITY, (now) =>
          this.deposit(code, user, FIRST_DEPOSIT, to, now),
        )
      }
    }
  }

  private async journey(n: number, now: number, random: Random): Promise<void> {
    for (let i = 0; i < JOURNEYS_AT_ONCE; i++) await this.setOut(depositKind(n + i, random.next()), now, random)
    const after = n + JOURNEYS_AT_ONCE
    const next = this.pace.nextJourney(now, random.next())
    this.plan(`journey ${after}`, next, FINALITY, (at, chance) => this.journey(after, at, chance))
  }

  /** Journeys that return in the last hours of history, so that each step of the way back has one at its end. */
  private returningJourneys(): void {
    for (const hours of [EXPIRED, REFUNDED, RETURNING]) {
      const at = this.pace.end - 7 * DAY - ARRIVAL - hours * HOUR
      if (at < this.pace.start + 4 * HOUR) continue
      this.plan(`lasting journey ${hours}`, at, FINALITY, (now, random) => this.setOut('lost hop', now, random))
    }
    const refused = this.pace.end - REFUSAL - MINUTE / 2
    this.plan('lasting refusal', refused, FINALITY, (now, random) => this.setOut('refused', now, random))
  }

  private setOut(kind: ReturnType<typeof depositKind>, now: number, random: Random): Promise<void> {
    const user = random.pick(this.profile.users)
    const code = random.pick(Object.keys(EVM_TOKENS))
    const to = destination(kind, ETHEREUM_DOMAIN, user, random)
    return this.deposit(code, user, between(random, 20, 2000), to, now)
  }

  /** @param value  USD at the first price */
  private async deposit(code: string, user: string, value: number, to: Destination, now: number): Promise<void> {
    const token = tokenOf(this.profile, code)
    const domain = ETHEREUM_DOMAIN
    const nonce = this.nonce++
    const { amount: canonical } = amountOf(token, value / token.usd)
    const from = partyBytes(domain, evmAddress(user))
    const deposit: RelayedDeposit = {
      ...(await this.chain().deposit({ nonce, user, code, canonical, to }, now)),
      from,
      telosTo: to.telosTo,
      token: partyBytes(domain, evmToken(code).address),
      sym_code: code,
      canonical,
      refund_to: from,
      memo: new TextEncoder().encode(to.memo),
    }
    count(this.taken, code, canonical)
    const credit = (at: number) => this.ledger().credit(GATEWAYS.evm, { domain, nonce }, packRelayed(deposit), at)
    this.whenFinal(`d:${domain}:${nonce}`, now, 0, credit)
  }

  /** Schedules the relayer's reaction once an event is final, at the same time for all events of a block. */
  private whenFinal(key: string, now: number, reach: number, act: (at: number) => void): void {
    const random = new Random(`${this.seed}/evm/block at ${now}`)
    const final = now + between(random, 1, 1.25) * FINALITY
    const at = Math.round(final + between(random, 20, 60) * SECOND)
    this.plan(`final ${key}`, final, reach, () => {
      if (at <= this.until) act(at)
    })
  }

  private plan(key: string, at: number, reach: number | undefined, run: Event['run']): void {
    this.events.insert({ key, at: Math.round(at), reach, run })
  }
}

function count(of: Map<string, bigint>, symbol: string, amount: bigint): void {
  of.set(symbol, (of.get(symbol) ?? 0n) + amount)
}
