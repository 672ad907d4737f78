// Trusted tokens and scam tokens: pure rules over lists that an operator maintains.
import { contractOf, type TokenId } from './token-id.ts'

/** A token, or every token of a contract, from a given time on. */
export interface ListEntry {
  /** Token id (`symbol-contract`), or the account of a contract. */
  token: string
  /** Unix milliseconds of chain time; without it the entry has always applied. */
  from?: number
}

export interface TrustLists {
  /** Tokens worth one US dollar. */
  stable: readonly TokenId[]
  trusted: readonly ListEntry[]
  scam: readonly ListEntry[]
  /** Minimum token score of a trusted token, 0 to 100. */
  minimumScore: number
}

/** Scores by token; a missing token has score 0. */
export type Scores = ReadonlyMap<TokenId, number>

export class TrustRules {
  private readonly always: ReadonlySet<TokenId>
  private readonly trusted: ReadonlyMap<string, number>
  private readonly scam: ReadonlyMap<string, number>
  private readonly minimumScore: number

  constructor(systemToken: TokenId, { stable, trusted, scam, minimumScore }: TrustLists) {
    this.always = new Set([systemToken, ...stable])
    this.trusted = startsOf(trusted)
    this.scam = startsOf(scam)
    this.minimumScore = minimumScore
  }

  /** Whether a token is on the scam list at a time: it then has no price. @param at  Unix milliseconds */
  isScam(token: TokenId, at: number): boolean {
    return isListed(this.scam, token, at)
  }

  /** Number of scam list entries in force: prices change when it changes. @param at  Unix milliseconds */
  scamEntries(at: number): number {
    let count = 0
    for (const from of this.scam.values()) if (at >= from) count++
    return count
  }

  /**
   * Whether a token is the system token, a stablecoin, on the trusted list or has a high enough score, and is not a
   * scam.
   *
   * @param at      Unix milliseconds
   * @param scores  of the last refresh in force at that time
   */
  isTrusted(token: TokenId, at: number, scores: Scores): boolean {
    if (this.isScam(token, at)) return false
    if (this.always.has(token) || isListed(this.trusted, token, at)) return true
    const score = scores.get(token)
    return score !== undefined && score >= this.minimumScore
  }
}

/** Start time of each entry; the earliest if a token has several. */
function startsOf(entries: readonly ListEntry[]): Map<string, number> {
  const starts = new Map<string, number>()
  for (const { token, from = Number.NEGATIVE_INFINITY } of entries) {
    const key = token.toLowerCase()
    starts.set(key, Math.min(from, starts.get(key) ?? Number.POSITIVE_INFINITY))
  }
  return starts
}

function isListed(list: ReadonlyMap<string, number>, token: TokenId, at: number): boolean {
  if (list.size === 0) return false
  return (
    at >= (list.get(token) ?? Number.POSITIVE_INFINITY) ||
    at >= (list.get(contractOf(token)) ?? Number.POSITIVE_INFINITY)
  )
}
