// How far work has come in each domain. A leg that younger ones have overtaken long ago was tried and refused: a node
// refuses such a transaction, and no block shows it.

import { type BridgeContext, type Database, indexedChain } from '../bridge-context.ts'
import { DONE_LAST } from '../sql.ts'

interface Done {
  /** When the youngest withdrawal that was paid had been burned, Unix milliseconds. */
  paid: number | null
  /** The highest nonce that was credited or has arrived with a memo. */
  arrived: bigint | null
  /** The highest nonce that was delivered. */
  forwarded: bigint | null
}

export type DoneLast = ReadonlyMap<bigint, Done>

/** Milliseconds that one may wait while younger ones go on. */
export const PATIENCE_MS = 600_000
/** Of the newest so many the youngest counts. */
const LOOKED_AT = 100

export async function readDoneLast(database: Database, world: BridgeContext): Promise<DoneLast> {
  const domains = world.domains.map(({ domain }) => domain)
  const values = [
    world.ledger,
    domains.map(String),
    domains.map((domain) => indexedChain(world, domain) ?? null),
    LOOKED_AT,
  ]
  type Row = { domain: string; paid: number | null; arrived: string | null; forwarded: string | null }
  const { rows } = await database.query<Row>({ name: 'bridge-done-last', text: DONE_LAST, values })
  const nonce = (text: string | null) => (text === null ? null : BigInt(text))
  return new Map(
    rows.map(({ domain, paid, arrived, forwarded }) => [
      BigInt(domain),
      { paid, arrived: nonce(arrived), forwarded: nonce(forwarded) },
    ]),
  )
}
