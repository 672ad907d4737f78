// The tick bitmap: one bit for each usable tick (a multiple of the spacing), in words of 128 bits. A swap step
// ends at the next initialised tick or at the edge of the word, whichever comes first; rounding happens at
// each step, so the edges matter. Derivation: docs/develop/amm.md, "Steps".
import { MAX_TICK, MIN_TICK } from './ticks.ts'

const WORD_BITS = 128

/** Index of a usable tick: the tick divided by the spacing, rounded towards minus infinity. */
export function compressTick(tick: number, tickSpacing: number): number {
  return Math.floor(tick / tickSpacing)
}

/** Number of the word that holds a compressed tick. */
export function wordOf(compressed: number): number {
  return compressed >> 7
}

/** The bit of a compressed tick within its word. */
export function bitOf(compressed: number): bigint {
  return 1n << BigInt(compressed & (WORD_BITS - 1))
}

/** Edge of the word in the direction of a swap, starting from `tick`; always within MIN_TICK..MAX_TICK. */
export function wordEdge(tick: number, tickSpacing: number, down: boolean): number {
  const compressed = compressTick(tick, tickSpacing)
  return down
    ? Math.max((compressed & -WORD_BITS) * tickSpacing, MIN_TICK)
    : Math.min(((compressed + 1) | (WORD_BITS - 1)) * tickSpacing, MAX_TICK)
}

/**
 * End of a swap step: the next initialised tick in the word of `tick`, else the word's edge.
 *
 * @param word  reads a word of the bitmap; 0 when it has no initialised tick
 * @param down  true when the price falls: `tick` itself counts; when it rises the search starts above it
 */
export function nextBoundary(tick: number, tickSpacing: number, down: boolean, word: (n: number) => bigint): number {
  const start = compressTick(tick, tickSpacing) + (down ? 0 : 1)
  const bit = start & (WORD_BITS - 1)
  const bits = word(wordOf(start))
  const found = bits === 0n ? -1 : down ? highestBit(BigInt.asUintN(bit + 1, bits)) : lowestBitFrom(bits, bit)
  return found < 0 ? wordEdge(tick, tickSpacing, down) : (start - bit + found) * tickSpacing
}

function highestBit(bits: bigint): number {
  if (bits === 0n) return -1
  const high = BigInt.asUintN(64, bits >> 64n)
  if (high !== 0n) return 64 + highestBit64(high)
  return highestBit64(bits)
}

function highestBit64(bits: bigint): number {
  const high = Number(bits >> 32n)
  return high !== 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(Number(bits & 0xffffffffn))
}

function lowestBitFrom(bits: bigint, from: number): number {
  const rest = bits >> BigInt(from)
  return rest === 0n ? -1 : from + highestBit(rest & -rest)
}
