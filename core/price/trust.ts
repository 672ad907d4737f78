// Which tokens are trusted, which are on a scam list: pure rules over lists that an operator keeps.
import { contractOf, type TokenId } from './token-id.ts'

/** A token, or every token of a contract, from a time on. */
export interface ListEntry {
  /** Token id (`symbol-contract`), or the account of a contract. */
  token: string
  /** Unix milliseconds of chain time; an entry without one has always been there. */
  from?: number
}

export interface TrustLists {
  /** Tokens worth one US dollar. */
  stable: readonly TokenId[]
  trusted: readonly ListEntry[]
  scam: readonly ListEntry[]
  /** Least token score of a trusted token, 0 to 100. */
  minimumScore: number
}

/** Scores by token; a token without one has 0. */
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

  /** Whether a token is on the scam list at a time: it has no price then. @param at  Unix milliseconds */
  isScam(token: TokenId, at: number): boolean {
    return isListed(this.scam, token, at)
  }

  /** How many entries of the scam list are in force: when it changes, prices do. @param at  Unix milliseconds */
  scamEntries(at: number): number {
    let count = 0
    for (const from of this.scam.values()) if (at >= from) count++
    return count
  }

  /**
   * Whether a token is the system token, a stablecoin, on the trusted list or of a high enough score, and no scam.
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

/** From when on each entry holds; the earliest of those for the same token. */
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
