// Block time: slots of half a second since 2000-01-01T00:00:00Z. Times of contracts, whose types carry their unit.

export const SLOT_MS = 500
export const EPOCH_MS = 946_684_800_000

/** Unix milliseconds of a block slot (an unsigned 32-bit number). */
export function slotToMs(slot: number): number {
  return slot * SLOT_MS + EPOCH_MS
}

/** Slot that contains a time in Unix milliseconds (rounded down). */
export function msToSlot(ms: number): number {
  return Math.floor((ms - EPOCH_MS) / SLOT_MS)
}

/** Unix seconds, as contracts store times. A bare number is not assignable. */
export type UnixSeconds = number & { readonly unit: 'seconds' }

/** Unix microseconds: a `time_point`. A bare bigint is not assignable. */
export type UnixMicroseconds = bigint & { readonly unit: 'microseconds' }

/** Marks a number as Unix seconds. */
export function asUnixSeconds(seconds: number): UnixSeconds {
  return seconds as UnixSeconds
}

/** @param ms Unix milliseconds, an integer */
export function msToMicroseconds(ms: number): UnixMicroseconds {
  return (BigInt(ms) * 1000n) as UnixMicroseconds
}
