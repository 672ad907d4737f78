// Parses the levels of price impact in a request for depth.

import { LIMITS } from '../kit/limits.ts'

const FORM = /^\d{1,3}(?:\.\d{1,12})?$/

export const DEFAULT_LEVELS = '0.5,1,2,5'

/** Percents separated by commas, each from 0 to 100. @returns null for any other text */
export function parseLevels(text: string): number[] | null {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > LIMITS.marketDepthLevels || !parts.every((part) => FORM.test(part) && Number(part) <= 100))
    return null
  return parts.map(Number)
}
