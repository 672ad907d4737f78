// The EVM chain of the bridge, as far as the ledger sees it: a vault with deposits and withdrawals, and its users.
// Its events become final a quarter of an hour after they happen and are never taken back.

import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { ETHEREUM_DOMAIN, partyBytes, partyText } from '../contracts/bridge/domains.ts'
import { type EvmLog, packOutcome, packRelayed, type RelayedDeposit } from '../contracts/bridge/gateway.ts'
import { amountOf, EVM_TOKENS, FIRST_DEPOSIT, FIRST_DEPOSITORS, GATEWAYS, tokenOf } from '../contracts/exchange.ts'
import { type Profile, telosProfile } from '../contracts/profile.ts'
import { Random } from '../random.ts'
import type { Bystander } from '../scenario.ts'
import { type Destination, depositKind, destination } from './journeys.ts'
import type { Pace } from './pace.ts'
import { evmAddress, SLEEPERS } from './parties.ts'
import { TaskList, type Timed } from './task-list.ts'
import type { TelosSide } from './telos-side.ts'
import type { Burn } from './telos-watcher.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BLOCK = 12 * SECOND
const FIRST_BLOCK = 21_000_000

interface Event extends Timed {
  run(now: number, random: Random): void
}

/** Between two bounds, small numbers as likely per factor as large ones. */
function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.next()
}

export class EvmSide implements Bystander {
  private readonly seed: string
  private readonly pace: Pace
  private readonly ledger: () => TelosSide
  private readonly profile: Profile = telosProfile
  private readonly events = new TaskList<Event>()
  private readonly taken = new Map<string, bigint>()
  private readonly given = new Map<string, bigint>()
  private nonce = 0n

  /** @param ledger  to be asked for once it is needed */
  constructor(seed: string, pace: Pace, ledger: () => TelosSide) {
    this.seed = seed
    this.pace = pace
    this.ledger = ledger
    this.firstDeposits()
    this.plan('journey 0', pace.start + 4 * HOUR, (now, random) => this.journey(0, now, random))
    this.lastingJourneys()
  }

  get next(): number {
    return this.events.due
  }

  advance(now: number): void {
    for (let event = this.events.first(now); event; event = this.events.first(now)) {
      this.events.remove(event)
      event.run(event.at, new Random(`${this.seed}/evm/${event.key}`))
    }
  }

  /** All that the vault has taken and given of a token, in units of the ledger. */
  vault(symbol: string): { taken: bigint; given: bigint } {
    return { taken: this.taken.get(symbol) ?? 0n, given: this.given.get(symbol) ?? 0n }
  }

  /** A withdrawal of the ledger comes here: its owner releases it, or it expires. @param now Unix milliseconds */
  burned(burn: Burn, now: number): void {
    const { id, recipient, fee, wayBack } = burn
    const random = new Random(`${this.seed}/evm/w:${id}`)
    const asleep = SLEEPERS.includes(partyText(ETHEREUM_DOMAIN, recipient))
    const provable = now + between(random, 45, 75) * SECOND
    // A fee is soon earned; nobody watches for what comes back.
    const wait = fee > 0n ? [MINUTE, 3 * MINUTE] : wayBack ? [3 * HOUR, 5 * HOUR] : [MINUTE, 6 * HOUR]
    const at = asleep
      ? Number(burn.deadline) * 1000 + between(random, 5, 60) * MINUTE
      : provable + between(random, wait[0]!, wait[1]!)
    this.plan(`end of w:${id}`, at, (time, chance) => this.end(burn, !asleep, time, chance))
  }

  private end({ id, quantity }: Burn, released: boolean, now: number, random: Random): void {
    if (released) count(this.given, quantity.symbol, quantity.amount)
    const log = packOutcome(this.log(`${released ? 'release' : 'expire'} ${id}`, now))
    this.whenFinal(`w:${id}`, now, random, (at) => this.ledger().settle(id, released, log, at))
  }

  /** What others can withdraw. */
  private firstDeposits(): void {
    for (const [i, code] of Object.keys(EVM_TOKENS).entries()) {
      for (const [j, user] of FIRST_DEPOSITORS.entries()) {
        const at = this.pace.start + (5 + 3 * i + j) * MINUTE
        const to = { telosTo: user, memo: '' }
        this.plan(`first deposit of ${code} by ${user}`, at, (now, random) =>
          this.deposit(code, user, FIRST_DEPOSIT, to, now, random),
        )
      }
    }
  }

  private journey(n: number, now: number, random: Random): void {
    this.setOut(depositKind(n, random.next()), now, random)
    const next = this.pace.nextJourney(now, random.next())
    this.plan(`journey ${n + 1}`, next, (at, chance) => this.journey(n + 1, at, chance))
  }

  /** Journeys that expire in the hours before history ends, so that some stand at each step of the way back then. */
  private lastingJourneys(): void {
    for (let hours = 0.5; hours < 16; hours += 1.5) {
      const at = this.pace.end - 7 * DAY - hours * HOUR
      if (at < this.pace.start + 4 * HOUR) return
      this.plan(`lasting journey ${hours}`, at, (now, random) => this.setOut('lost hop', now, random))
    }
  }

  private setOut(kind: ReturnType<typeof depositKind>, now: number, random: Random): void {
    const user = random.pick(this.profile.users)
    const code = random.pick(Object.keys(EVM_TOKENS))
    const to = destination(kind, ETHEREUM_DOMAIN, user, random)
    this.deposit(code, user, between(random, 20, 2000), to, now, random)
  }

  /** @param value  USD at the first price */
  private deposit(code: string, user: string, value: number, to: Destination, now: number, random: Random): void {
    const token = tokenOf(this.profile, code)
    const domain = ETHEREUM_DOMAIN
    const nonce = this.nonce++
    const { amount: canonical } = amountOf(token, value / token.usd)
    const from = partyBytes(domain, evmAddress(user))
    const deposit: RelayedDeposit = {
      ...this.log(`deposit ${nonce}`, now),
      from,
      telosTo: to.telosTo,
      token: partyBytes(domain, EVM_TOKENS[code]!),
      sym_code: code,
      canonical,
      refund_to: from,
      memo: new TextEncoder().encode(to.memo),
    }
    count(this.taken, code, canonical)
    const credit = (at: number) => this.ledger().credit(GATEWAYS.evm, { domain, nonce }, packRelayed(deposit), at)
    this.whenFinal(`d:${domain}:${nonce}`, now, random, credit)
  }

  /** Lets the relayer act on what happened now once it is final. */
  private whenFinal(key: string, now: number, random: Random, act: (at: number) => void): void {
    const final = now + between(random, 13, 16) * MINUTE
    this.plan(`final ${key}`, final, (time, chance) => act(Math.round(time + between(chance, 20, 60) * SECOND)))
  }

  private plan(key: string, at: number, run: Event['run']): void {
    this.events.insert({ key, at: Math.round(at), run })
  }

  private log(what: string, now: number): EvmLog {
    const block_number = BigInt(FIRST_BLOCK + Math.ceil((now - this.pace.start) / BLOCK))
    return { block_number, tx_hash: toHex(sha256(Buffer.from(`${this.seed}/evm/${what}`))), log_index: 1 }
  }
}

function count(of: Map<string, bigint>, symbol: string, amount: bigint): void {
  of.set(symbol, (of.get(symbol) ?? 0n) + amount)
}
