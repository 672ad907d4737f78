// The newest completed work in each domain. If newer legs were completed long before a pending one, that one was tried
// and refused; a refused transaction is in no block, so this is the only sign of it.

import { type BridgeContext, type Database, indexedChain } from '../bridge-context.ts'
import { NEWEST_DONE } from '../sql/timing.ts'

interface Done {
  /** Latest burn time of a paid or released withdrawal, Unix milliseconds. */
  paid: number | null
  /** Highest nonce that was credited or has arrived with a memo. */
  arrived: bigint | null
  /** Highest nonce that was delivered. */
  forwarded: bigint | null
}

export type NewestDone = ReadonlyMap<bigint, Done>

/**
 * Time after which a leg counts as overtaken, ms: a withdrawal when one that was burned this much later is paid, a deposit
 * when it has waited this long and one with a higher nonce has completed.
 */
export const OVERTAKEN_AFTER_MS = 600_000
/** Newest completed legs that are compared. */
const COMPARED = 100

export async function readNewestDone(database: Database, context: BridgeContext): Promise<NewestDone> {
  const domains = context.domains.map(({ domain }) => domain)
  const values = [
    context.ledger,
    domains.map(String),
    domains.map((domain) => indexedChain(context, domain) ?? null),
    COMPARED,
  ]
  type Row = { domain: string; paid: number | null; arrived: string | null; forwarded: string | null }
  const { rows } = await database.query<Row>({ name: 'bridge-newest-done', text: NEWEST_DONE, values })
  const nonce = (text: string | null) => (text === null ? null : BigInt(text))
  return new Map(
    rows.map(({ domain, paid, arrived, forwarded }) => [
      BigInt(domain),
      { paid, arrived: nonce(arrived), forwarded: nonce(forwarded) },
    ]),
  )
}
