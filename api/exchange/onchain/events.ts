// Events of pools in the format of trackers: numbered within their block, with amounts as decimal text.
import { priceText } from '../../kit/candles/price-text.ts'
import { decimalText } from '../../kit/numbers.ts'

export interface EventRow {
  sequence: string
  block: number
  /** Unix seconds. */
  time: number
  trxId: string
  type: 'swap' | 'join' | 'exit'
  poolId: string
  maker: string
  amountA: string
  amountB: string
  decimalsA: number
  decimalsB: number
  reserveA: string | null
  reserveB: string | null
  /** Null for events other than swaps. */
  sqrtPriceX64: string | null
}

/**
 * Makes the events of whole blocks. The numbers within a block depend only on its rows, so they are equal in every
 * answer.
 *
 * @param rows  all rows of their blocks, in the order of the chain
 */
export function onchainEvents(rows: readonly EventRow[]) {
  let [block, transaction] = [-1, '']
  let [txnIndex, eventIndex] = [0, 0]
  return rows.map((row) => {
    if (row.block !== block) [block, transaction, txnIndex, eventIndex] = [row.block, row.trxId, 0, 0]
    else if (row.trxId !== transaction) [transaction, txnIndex, eventIndex] = [row.trxId, txnIndex + 1, 0]
    else eventIndex++
    return {
      block: { blockNumber: row.block, blockTimestamp: Math.floor(row.time) },
      eventType: row.type,
      txnId: row.trxId,
      txnIndex,
      eventIndex,
      maker: row.maker,
      pairId: row.poolId,
      ...(row.type === 'swap' ? swapMembers(row) : liquidityMembers(row)),
      ...reserves(row),
    }
  })
}

function swapMembers({ amountA, amountB, decimalsA, decimalsB, sqrtPriceX64 }: EventRow) {
  const a = BigInt(amountA)
  const b = BigInt(amountB)
  // One token enters and the other leaves. If one amount is 0, the other decides.
  const entersA = a > 0n || (a === 0n && b <= 0n)
  const texts = [decimalText(magnitude(a), decimalsA), decimalText(magnitude(b), decimalsB)] as const
  const price = priceText(sqrtPriceX64 as string, decimalsA, decimalsB, false)
  return {
    ...(entersA ? { asset0In: texts[0], asset1Out: texts[1] } : { asset0Out: texts[0], asset1In: texts[1] }),
    priceNative: price,
  }
}

function liquidityMembers({ amountA, amountB, decimalsA, decimalsB }: EventRow) {
  return {
    amount0: decimalText(magnitude(BigInt(amountA)), decimalsA),
    amount1: decimalText(magnitude(BigInt(amountB)), decimalsB),
  }
}

function reserves({ reserveA, reserveB, decimalsA, decimalsB }: EventRow) {
  if (reserveA === null || reserveB === null) return {}
  return {
    reserves: {
      asset0: decimalText(BigInt(reserveA), decimalsA),
      asset1: decimalText(BigInt(reserveB), decimalsB),
    },
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
