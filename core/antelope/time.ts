// Block time: slots of half a second since 2000-01-01T00:00:00Z.

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
