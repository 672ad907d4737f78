// Durations of transfers: measured on recent ones, else the typical times of the bridge's documents. `readTimings`
// reads the database; everything else is pure.
import { bridgedChain, isEvmDomain } from '../../core/chains.ts'
import { type BridgeContext, type Database, indexedChain } from './bridge-context.ts'
import { WAYS_OUT } from './sql/facts.ts'
import { depositTimes, payoutTimes, proofTimes } from './sql/timing.ts'

export interface Timing {
  /** Median. */
  seconds: number
  range: [fastest: number, slowest: number]
  /** Whether it was measured on transfers. */
  measured: boolean
  /** Number of transfers. */
  samples: number
  human: string
}

/** Newest transfers of a domain that are measured. */
const SAMPLES = 20

/** Seconds from a deposit to its arrival by domain, from the bridge's documents. */
const TYPICAL_DEPOSIT: ReadonlyMap<bigint, number> = new Map([
  [bridgedChain('mainnet').domain, 1020],
  [bridgedChain('bsc').domain, 30],
  [bridgedChain('wax').domain, 50],
])
const TYPICAL_EVM_DEPOSIT = 300
const TYPICAL_ANTELOPE_DEPOSIT = 180
/** Seconds from a burn to its proof, and to its payout by the relayer. */
const TYPICAL_PROOF = 60
const TYPICAL_PAYOUT = 120

/** @param seconds  measured on transfers; if empty, the result is the typical time */
function timingOf(seconds: readonly number[], typical: number): Timing {
  const sorted = seconds.map((one) => Math.round(one)).sort((one, other) => one - other)
  const [fastest, slowest] = [sorted[0], sorted.at(-1)]
  if (fastest === undefined || slowest === undefined)
    return { seconds: typical, range: [typical, typical], measured: false, samples: 0, human: about(typical) }
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] as number
  const [low, high] = [duration(fastest), duration(slowest)]
  const human = low === high ? about(middle) : `${about(middle)} (${low}–${high})`
  return { seconds: middle, range: [fastest, slowest], measured: true, samples: sorted.length, human }
}

/** Timing of consecutive parts. */
export function inRow(...timings: readonly Timing[]): Timing {
  const sum = (part: (timing: Timing) => number) => timings.reduce((total, timing) => total + part(timing), 0)
  const measured = timings.every((timing) => timing.measured)
  const [low, high] = [sum(({ range }) => range[0]), sum(({ range }) => range[1])]
  const seconds = sum((timing) => timing.seconds)
  const [fastest, slowest] = [duration(low), duration(high)]
  const human = measured && fastest !== slowest ? `${about(seconds)} (${fastest}–${slowest})` : about(seconds)
  return { seconds, range: [low, high], measured, samples: Math.min(...timings.map(({ samples }) => samples)), human }
}

const about = (seconds: number): string => `about ${duration(seconds)}`

/** `50 s`, `17 min`, `3 h`, `6 days`: whole numbers, rounded half up. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** Times by domain. */
export interface Timings {
  /** From the deposit on its chain to its arrival on the ledger's. */
  deposit(domain: bigint): Timing
  /** From the burn to the payout by the relayer; to an EVM chain, to its proof. */
  withdrawal(domain: bigint): Timing
  /** The same for a journey's second leg; null if the ledger's table has no open route that takes it. */
  onward(leg: OnwardLeg): Timing | null
}

/** The second leg of a journey, from its deposit. Ledger units. */
interface OnwardLeg {
  domain: bigint
  recipient: string
  /** Null when unknown. */
  symbol: string | null
  amount: bigint
}

/** Limits of a route out of the ledger's chain. Ledger units. */
interface WayOut {
  domain: string
  symbol: string
  min: string
  max: string
  open: boolean
}

const ADDRESS = /^0x[0-9a-f]{40}$/i

/**
 * Whether a route takes a leg out of the ledger's chain.
 *
 * @param ways  if empty, the table is unknown and any route may
 */
function mayLeave({ domain, recipient, symbol, amount }: OnwardLeg, ways: readonly WayOut[]): boolean {
  if (isEvmDomain(domain) && !ADDRESS.test(recipient)) return false
  if (ways.length === 0) return true
  return ways.some(
    (way) =>
      BigInt(way.domain) === domain &&
      (symbol === null || way.symbol === symbol) &&
      way.open &&
      amount >= BigInt(way.min) &&
      amount <= BigInt(way.max),
  )
}

export async function readTimings(database: Database, world: BridgeContext): Promise<Timings> {
  const { ledger } = world
  const domains = [...new Set(world.domains.map(({ domain }) => domain))]
  const indexed = domains.filter((domain) => indexedChain(world, domain) !== undefined)
  const chains = indexed.map((domain) => indexedChain(world, domain))
  const read = async (name: string, text: string, values: unknown[]) => {
    const { rows } = await database.query<{ domain: string; seconds: number[] }>({ name, text, values })
    return new Map(rows.map(({ domain, seconds }) => [BigInt(domain), seconds]))
  }
  const texts = indexed.map(String)
  const deposits = await read('bridge-deposit-times', depositTimes(SAMPLES), [ledger, texts, chains])
  const payouts = await read('bridge-payout-times', payoutTimes(SAMPLES), [ledger, texts, chains])
  const evm = domains.filter(isEvmDomain).map(String)
  const proofs = await read('bridge-proof-times', proofTimes(SAMPLES), [ledger, evm])
  const ways = await database.query<WayOut>({ name: 'bridge-ways-out', text: WAYS_OUT, values: [ledger] })
  const withdrawal = (domain: bigint) =>
    isEvmDomain(domain)
      ? timingOf(proofs.get(domain) ?? [], TYPICAL_PROOF)
      : timingOf(payouts.get(domain) ?? [], TYPICAL_PAYOUT)
  return {
    deposit: (domain) => timingOf(deposits.get(domain) ?? [], typicalDeposit(domain)),
    withdrawal,
    onward: (leg) => (mayLeave(leg, ways.rows) ? withdrawal(leg.domain) : null),
  }
}

function typicalDeposit(domain: bigint): number {
  return TYPICAL_DEPOSIT.get(domain) ?? (isEvmDomain(domain) ? TYPICAL_EVM_DEPOSIT : TYPICAL_ANTELOPE_DEPOSIT)
}
