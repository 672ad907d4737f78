// A leg in the answer of `/transfers`.

import { depositKey, withdrawalKey } from '../kit/leg-key.ts'
import type { BridgeContext } from './bridge-context.ts'
import type { DepositFacts, FactPlace, WithdrawalFacts } from './facts.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'
import { chainAt, ledgerDomain, ledgerId, memoOf, transactionAt, unixSeconds } from './parties.ts'
import type { Leg } from './schema.ts'

/**
 * Values of a deposit, from its facts. Events on the ledger's chain take precedence over the event on the source chain.
 * The amount is in ledger units and the time in Unix milliseconds. Both are 0 if unknown.
 */
export function depositValues({ source, events, routeSymbol, routeDecimals }: DepositFacts) {
  const fromEvents = <T>(pick: (event: DepositFacts['events'][number]) => T | null): T | null => {
    for (const event of events) {
      const value = pick(event)
      if (value !== null) return value
    }
    return null
  }
  const ownDecimals = source && source.raw === source.canonical ? source.decimals : null
  return {
    sender: source?.sender ?? null,
    recipient: fromEvents(({ account }) => account) ?? source?.recipient ?? null,
    symbol: fromEvents(({ symbol }) => symbol) ?? source?.symbol ?? routeSymbol,
    amount: fromEvents(({ amount }) => amount) ?? source?.canonical ?? 0n,
    precision: fromEvents(({ decimals }) => decimals) ?? routeDecimals ?? ownDecimals,
    memo: fromEvents(({ memo }) => memo) ?? source?.memo ?? new Uint8Array(),
    refundTo: fromEvents(({ refundTo }) => refundTo) ?? source?.refundTo ?? source?.sender ?? null,
    /** The earliest known time. */
    time: source?.time ?? events[0]?.time ?? 0,
  }
}

/** @param backId  the withdrawal that returns a bounced deposit; null if there is none */
export function depositLeg(facts: DepositFacts, context: BridgeContext, backId: bigint | null): Leg {
  const { domain, nonce, source } = facts
  const { status, by } = depositStanding(facts)
  const values = depositValues(facts)
  const { memo, memoText } = memoOf(values.memo)
  const ledger = ledgerDomain(context)
  return {
    key: depositKey(domain, nonce),
    kind: 'deposit',
    direction: 'deposit',
    status,
    domain: String(domain),
    nonce: String(nonce),
    id: null,
    from: { chain: chainAt(context, domain).id, address: values.sender },
    to: { chain: ledgerId(context).id, recipient: values.recipient },
    sender: values.sender,
    recipient: values.recipient,
    symbol: values.symbol,
    amount: String(values.amount),
    precision: values.precision,
    fee: null,
    memo,
    memoText,
    token: source?.token ?? null,
    vault: source?.vault ?? null,
    rawAmount: source && String(source.raw),
    rawPrecision: sourcePrecision(facts, values.precision),
    src_block: source?.block ?? null,
    src_tx: source && transactionAt(domain, source.trx),
    src_time: unixSeconds(values.time),
    dst_tx: by && transactionAt(ledger, by.trx),
    dst_time: by && unixSeconds(by.time),
    deadline: null,
    refundTo: values.refundTo,
    back: backId === null ? null : withdrawalKey(backId),
  }
}

/**
 * Decimals of the token on its source chain. If they are not stored, they follow from the scale, the number of raw units
 * per ledger unit, if it is a power of ten. Null if unknown.
 */
function sourcePrecision({ source }: DepositFacts, precision: number | null): number | null {
  if (source === null) return null
  if (source.decimals !== null) return source.decimals
  if (precision === null || source.canonical === 0n) return null
  const scale = String(source.raw / source.canonical)
  return /^10*$/.test(scale) ? precision + scale.length - 1 : null
}

/** Whether a fact of a withdrawal is from its destination, not from the ledger's chain. */
export function isOutcome({ outcomes }: WithdrawalFacts, fact: FactPlace | null): boolean {
  return fact !== null && outcomes.some(({ sequence, trx }) => sequence === fact.sequence && trx === fact.trx)
}

export function withdrawalLeg(facts: WithdrawalFacts, context: BridgeContext): Leg {
  const { id, domain, burn, owner } = facts
  const { status, by } = withdrawalStanding(facts)
  const { memo, memoText } = memoOf(facts.memo)
  const statusDomain = isOutcome(facts, by) ? domain : ledgerDomain(context)
  return {
    key: withdrawalKey(id),
    kind: 'withdrawal',
    direction: 'withdrawal',
    status,
    domain: String(domain),
    nonce: null,
    id: String(id),
    from: { chain: ledgerId(context).id, address: owner },
    to: { chain: chainAt(context, domain).id, recipient: facts.recipient },
    sender: owner,
    recipient: facts.recipient,
    symbol: facts.symbol,
    amount: String(facts.amount),
    precision: facts.decimals,
    fee: String(facts.fee),
    memo,
    memoText,
    token: facts.token,
    vault: facts.vault,
    rawAmount: null,
    rawPrecision: null,
    src_block: burn.block,
    src_tx: transactionAt(ledgerDomain(context), burn.trx),
    src_time: unixSeconds(burn.time),
    dst_tx: by && transactionAt(statusDomain, by.trx),
    dst_time: by && unixSeconds(by.time),
    deadline: facts.deadline,
    refundTo: owner,
    back: null,
    hasProof: hasProof(facts),
  }
}

export function hasProof({ proved }: WithdrawalFacts): boolean {
  return proved === true
}
