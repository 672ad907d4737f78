// The search of `headwater compare` over two simulated databases of 100 million blocks: questions and time. The digests
// of a stored range are computed here from its number, so the time is that of the search, not of a server or a network.
// Usage: node --import tsx bench/compare.ts [blocks] [searches]
import { createHash } from 'node:crypto'
import { compare } from '../core/compare/compare.ts'
import { divide } from '../core/compare/ranges.ts'
import type { RangeDigest, Side } from '../core/compare/side.ts'
import { Random } from '../test/support/random.ts'
import { hardware } from './support/hardware.ts'

const [blocks = 100_000_000, searches = 200] = process.argv.slice(2).map(Number)
const LEAF = 4096
/** Goals: both sides together, and one search. */
const MAX_QUESTIONS = 27
const MAX_SECONDS = 1

/** A database whose table `swaps` differs in one block. */
class Simulated implements Side {
  readonly name = 'simulated'
  readonly #differing: number | null
  questions = 0

  constructor(differing: number | null) {
    this.#differing = differing
  }

  async summary() {
    this.questions++
    const tables = [{ name: 'swaps', columns: '' }]
    return { chain: 'wax', chainId: 'id', firstBlock: 1, lastBlock: blocks, leaf: LEAF, contracts: [], tables }
  }

  async digests(range: { from: number; to: number }): Promise<RangeDigest[]> {
    this.questions++
    const at = this.#differing
    return divide(range, LEAF).map(({ from, to }) => {
      const hash = createHash('sha256').update(`${from} ${to}`)
      if (at !== null && at >= from && at <= to) hash.update('other')
      return { from, to, tables: [{ name: 'swaps', rows: to - from + 1, sha256: hash.digest('hex') }] }
    })
  }

  async rows(_: string, block: number) {
    this.questions++
    const value = block === this.#differing ? 'other' : 'same'
    return { columns: ['global_seq', 'amount_a'], key: ['global_seq'], rows: [[String(block), value]], more: false }
  }
}

const random = new Random(1)
let mostQuestions = 0
let longest = 0
let total = 0
const cpu = process.cpuUsage()
for (let i = 0; i < searches; i++) {
  const block = random.integer(1, blocks)
  const sides = [new Simulated(null), new Simulated(block)] as const
  const started = performance.now()
  const { difference } = await compare(sides)
  const seconds = (performance.now() - started) / 1000
  if (difference?.block !== block) throw new Error(`block ${block} was not found`)
  mostQuestions = Math.max(mostQuestions, sides[0].questions + sides[1].questions)
  longest = Math.max(longest, seconds)
  total += seconds
}
const { user, system } = process.cpuUsage(cpu)
console.log(hardware())
console.log(
  `${searches} searches over ${blocks} blocks: at most ${mostQuestions} questions to both sides (goal ${MAX_QUESTIONS}), ` +
    `the longest ${longest.toFixed(4)} s (goal ${MAX_SECONDS}), mean ${(total / searches).toFixed(5)} s, ` +
    `processor ${((user + system) / 1e6).toFixed(2)} s in all`,
)
if (mostQuestions > MAX_QUESTIONS || longest > MAX_SECONDS) process.exitCode = 1
