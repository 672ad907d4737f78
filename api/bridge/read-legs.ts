// Reads the facts of legs and journeys by their keys, in the order of the keys. Unknown keys are left out.

import { isEvmDomain } from '../../core/chains.ts'
import { fromHex } from '../../core/hex.ts'
import { type DepositKey, depositKey } from '../kit/leg-key.ts'
import { type BridgeContext, type Database, indexedChain, paysFor } from './bridge-context.ts'
import type { DepositEvent, DepositFacts, FactPlace, HopFacts, Settlement, WithdrawalFacts } from './facts.ts'
import type { JourneyFacts } from './journey-state.ts'
import { byPlace } from './leg-state.ts'
import { DEPOSITS, HOPS, JOURNEYS_OF, WITHDRAWALS } from './sql/facts.ts'

interface PlaceRow {
  block: number
  time: number
  trx: string
  sequence: string
}

const placeOf = ({ block, time, trx, sequence }: PlaceRow): FactPlace => ({
  block,
  time,
  trx,
  sequence: BigInt(sequence),
})
const bytes = (hex: string): Uint8Array => fromHex(hex)
const big = (text: string): bigint => BigInt(text)
const bigOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

interface DepositRow extends PlaceRow {
  domain: string
  nonce: string
  chain: string | null
  sender: string
  recipient: string
  token: string
  symbol: string | null
  decimals: number | null
  raw: string
  canonical: string
  memo: string
  refundTo: string | null
  vault: string | null
  events: EventRow[] | null
  collected: boolean
  routeSymbol: string | null
  routeDecimals: number | null
}

interface EventRow extends PlaceRow {
  type: DepositEvent['type']
  account: string | null
  amount: string | null
  symbol: string | null
  decimals: number | null
  memo: string | null
  refundTo: string | null
  withdrawalId: string | null
}

export async function readDeposits(
  database: Database,
  context: BridgeContext,
  keys: readonly Omit<DepositKey, 'kind'>[],
): Promise<DepositFacts[]> {
  if (keys.length === 0) return []
  const { rows } = await database.query<DepositRow>({
    name: 'bridge-deposits',
    text: DEPOSITS,
    values: [
      context.ledger,
      keys.map(({ domain }) => String(domain)),
      keys.map(({ nonce }) => String(nonce)),
      keys.map(({ domain }) => indexedChain(context, domain) ?? null),
    ],
  })
  return rows.map((row) => depositOf(row, context))
}

function depositOf(row: DepositRow, { positions }: BridgeContext): DepositFacts {
  const { chain } = row
  const source =
    chain === null
      ? null
      : {
          ...placeOf(row),
          chain,
          final: row.block <= (positions.get(chain)?.lib ?? 0),
          sender: row.sender,
          recipient: row.recipient,
          token: row.token,
          symbol: row.symbol,
          decimals: row.decimals,
          raw: big(row.raw),
          canonical: big(row.canonical),
          memo: bytes(row.memo),
          refundTo: row.refundTo,
          vault: row.vault,
        }
  const events = (row.events ?? []).map(
    (event): DepositEvent => ({
      ...placeOf(event),
      type: event.type,
      account: event.account,
      amount: bigOrNull(event.amount),
      symbol: event.symbol,
      decimals: event.decimals,
      memo: event.memo === null ? null : bytes(event.memo),
      refundTo: event.refundTo,
      withdrawalId: bigOrNull(event.withdrawalId),
    }),
  )
  const { collected, routeSymbol, routeDecimals } = row
  return { domain: big(row.domain), nonce: big(row.nonce), source, events, collected, routeSymbol, routeDecimals }
}

interface WithdrawalRow extends PlaceRow {
  id: string
  domain: string
  vault: string
  token: string
  recipient: string
  amount: string
  fee: string
  deadline: string
  memo: string
  owner: string | null
  symbol: string | null
  decimals: number | null
  outcomes: (PlaceRow & { chain: string; type: string })[] | null
  settlements: (PlaceRow & { chain: string; type: string; released: boolean | null })[] | null
  leafBlock: number | null
}

export async function readWithdrawals(
  database: Database,
  context: BridgeContext,
  ids: readonly bigint[],
): Promise<WithdrawalFacts[]> {
  if (ids.length === 0) return []
  const values = [context.ledger, ids.map(String)]
  const { rows } = await database.query<WithdrawalRow>({ name: 'bridge-withdrawals', text: WITHDRAWALS, values })
  return rows.map((row) => withdrawalOf(row, context))
}

function withdrawalOf(row: WithdrawalRow, context: BridgeContext): WithdrawalFacts {
  const { ledger, positions } = context
  const domain = big(row.domain)
  const logged = row.settlements ?? []
  const paid = logged.filter(({ type, chain }) => type === 'paid' && paysFor(context, chain, domain))
  const reported = (row.outcomes ?? []).filter(({ chain }) => paysFor(context, chain, domain))
  const outcomes = [
    ...paid.map((one) => ({ ...placeOf(one), chain: one.chain, released: true })),
    ...reported.map((one) => ({ ...placeOf(one), chain: one.chain, released: one.type === 'released' })),
  ]
  const settlements = logged
    .filter(({ type, chain }) => chain === ledger && type !== 'paid')
    .map((one): Settlement => ({ ...placeOf(one), type: one.type as Settlement['type'], released: one.released }))
  return {
    id: big(row.id),
    domain,
    burn: placeOf(row),
    final: row.block <= (positions.get(ledger)?.lib ?? 0),
    proved: provedOf(domain, row.leafBlock, context),
    vault: row.vault,
    token: row.token,
    recipient: row.recipient,
    amount: big(row.amount),
    fee: big(row.fee),
    deadline: big(row.deadline) > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(row.deadline),
    memo: bytes(row.memo),
    owner: row.owner,
    symbol: row.symbol,
    decimals: row.decimals,
    outcomes: outcomes.sort(byPlace),
    settlements: settlements.sort(byPlace),
  }
}

function provedOf(domain: bigint, leafBlock: number | null, { proved, followed }: BridgeContext): boolean | null {
  if (!followed) return null
  if (leafBlock !== null && proved !== null && leafBlock <= proved) return true
  return isEvmDomain(domain) ? false : null
}

interface HopRow extends PlaceRow {
  id: string
  srcDomain: string
  srcNonce: string
  dstDomain: string
  recipient: string
  backDomain: string
  back: string
  amount: string
  symbol: string
  decimals: number
  withdrawalId: string
  returnId: string | null
}

async function readHops(
  database: Database,
  { ledger }: BridgeContext,
  deposits: readonly DepositFacts[],
): Promise<Map<string, HopFacts>> {
  const values = [ledger, deposits.map(({ domain }) => String(domain)), deposits.map(({ nonce }) => String(nonce))]
  const { rows } = await database.query<HopRow>({ name: 'bridge-hops', text: HOPS, values })
  const hops = rows.map(
    (row): HopFacts => ({
      ...placeOf(row),
      id: big(row.id),
      srcDomain: big(row.srcDomain),
      srcNonce: big(row.srcNonce),
      dstDomain: big(row.dstDomain),
      recipient: row.recipient,
      backDomain: big(row.backDomain),
      back: row.back,
      amount: big(row.amount),
      symbol: row.symbol,
      decimals: row.decimals,
      withdrawalId: big(row.withdrawalId),
      returnId: bigOrNull(row.returnId),
    }),
  )
  return new Map(hops.map((hop) => [depositKey(hop.srcDomain, hop.srcNonce), hop]))
}

/** The journeys that begin with the deposits. */
export async function readJourneys(
  database: Database,
  context: BridgeContext,
  keys: readonly Omit<DepositKey, 'kind'>[],
): Promise<JourneyFacts[]> {
  const deposits = await readDeposits(database, context, keys)
  if (deposits.length === 0) return []
  const hops = await readHops(database, context, deposits)
  const begun = deposits.map((deposit) => ({
    deposit,
    hop: hops.get(depositKey(deposit.domain, deposit.nonce)) ?? null,
    bounce: deposit.events.findLast(({ type }) => type === 'bounced'),
  }))
  const ids = begun.flatMap(({ hop, bounce }) => [hop?.withdrawalId, hop?.returnId, bounce?.withdrawalId])
  const wanted = [...new Set(ids.filter((id) => id != null))]
  const withdrawals = new Map((await readWithdrawals(database, context, wanted)).map((one) => [one.id, one]))
  return begun.map(({ deposit, hop, bounce }) => {
    const backId = hop?.returnId ?? bouncedInto(bounce, withdrawals)
    const onward = hop ? (withdrawals.get(hop.withdrawalId) ?? null) : null
    return { deposit, hop, onward, backId, back: backId === null ? null : (withdrawals.get(backId) ?? null) }
  })
}

/**
 * Id of the withdrawal that a bounce made; null if none. A bounce without a withdrawal also has id 0, the id of the
 * first withdrawal: they belong together only if both are in one transaction.
 */
function bouncedInto(
  bounce: DepositEvent | undefined,
  withdrawals: ReadonlyMap<bigint, WithdrawalFacts>,
): bigint | null {
  const id = bounce?.withdrawalId ?? null
  if (id !== 0n) return id
  return withdrawals.get(0n)?.burn.trx === bounce?.trx ? 0n : null
}

/** The first deposits of the withdrawals' journeys, by withdrawal id. */
export async function readJourneysOf(
  database: Database,
  { ledger }: BridgeContext,
  ids: readonly bigint[],
): Promise<Map<bigint, Omit<DepositKey, 'kind'>>> {
  if (ids.length === 0) return new Map()
  const values = [ledger, ids.map(String)]
  type Row = { id: string; domain: string; nonce: string }
  const { rows } = await database.query<Row>({ name: 'bridge-journeys-of', text: JOURNEYS_OF, values })
  return new Map(rows.map(({ id, domain, nonce }) => [big(id), { domain: big(domain), nonce: big(nonce) }]))
}
