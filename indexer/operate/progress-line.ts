// Formats the progress of a chain as one line of text. Pure.
import type { ProgressSnapshot, Rates } from './chain-progress.ts'

const BAR = 20

/**
 * @param firstBlock  block at 0 percent
 * @param now         Unix milliseconds
 */
export function progressLine(at: ProgressSnapshot, rates: Rates, firstBlock: number, now: number): string {
  const { chain, block, head, lib, blockTime, forks } = at
  if (block === 0) return `${chain}  waiting for the first block`
  const speed = `${short(rates.blocksPerSecond)} blocks/s  ${short(rates.rowsPerSecond)} rows/s`
  const limit = rates.limit === undefined ? '' : `  limit ${rates.limit}`
  const lag = head - block
  const branch = forks === 0 ? '' : `  ${forks} ${forks === 1 ? 'fork' : 'forks'}`
  if (lag <= 3)
    return `${chain}  live at ${block}  ${age(now - blockTime)} old  final ${lib}${branch}  ${speed}${limit}`
  const share = Math.min(Math.max((block - firstBlock) / Math.max(head - firstBlock, 1), 0), 1)
  const filled = Math.floor(share * BAR)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`
  const eta = rates.etaSeconds === undefined ? '' : `  ETA ${age(rates.etaSeconds * 1000)}`
  return `${chain}  ${bar} ${(Math.floor(share * 1000) / 10).toFixed(1)} %  ${block} of ${head}  ${speed}${limit}${branch}${eta}`
}

/** A rate with three significant digits: 950, 12.3k, 1.20M. */
export function short(value: number): string {
  if (value < 999.5) return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3)
  return value < 999_500 ? `${(value / 1e3).toPrecision(3)}k` : `${(value / 1e6).toPrecision(3)}M`
}

/** A duration in its two largest units. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const units: [string, number][] = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ]
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first < 0) return '0 s'
  let rest = seconds
  const parts: string[] = []
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.join(' ')
}
