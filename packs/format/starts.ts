// Where finality begins when it does not begin in the pack, as members of the manifest.
import { UserError } from '../../core/errors.ts'
import {
  type LegacyStart,
  legacyStartOf,
  type StoredLegacyStart,
  storedLegacyStart,
} from '../../core/finality/legacy/start.ts'
import { type FinalityStart, startFromJson, startToJson } from '../../core/finality/start.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { damaged } from './fault.ts'
import { MANIFEST, type Manifest } from './manifest.ts'

export interface Starts {
  savanna: FinalityStart | null
  legacy: LegacyStart | null
}

export function startsToJson({ savanna, legacy }: Starts): Manifest['starts'] {
  return { savanna: savanna && startToJson(savanna), legacy: legacy && legacyToJson(legacy) }
}

/** @throws UserError PACK_DAMAGED */
export function startsFromJson({ savanna, legacy }: Manifest['starts']): Starts {
  try {
    return { savanna: savanna ? startFromJson(savanna) : null, legacy: legacy ? legacyFromJson(legacy) : null }
  } catch (error) {
    throw damaged(MANIFEST, `its starts of finality cannot be read: ${(error as Error).message}`)
  }
}

function legacyToJson(start: LegacyStart): object {
  const { blockNum, blockId, peaks, schedules } = storedLegacyStart(start)
  return { blockNum: Number(blockNum), blockId, peaks: toHex(peaks), schedules: toHex(schedules) }
}

function legacyFromJson(json: unknown): LegacyStart {
  const { blockNum, blockId, peaks, schedules } = (json ?? {}) as Record<keyof StoredLegacyStart, unknown>
  if (!Number.isSafeInteger(blockNum) || ![blockId, peaks, schedules].every(isHex)) {
    throw new UserError('INVALID_FINALITY_START', 'the start lacks a member')
  }
  const bytes = (hex: unknown) => fromHex(hex as string)
  return legacyStartOf({
    blockNum: blockNum as number,
    blockId: blockId as string,
    peaks: bytes(peaks),
    schedules: bytes(schedules),
  })
}

function isHex(value: unknown): boolean {
  return typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value)
}
