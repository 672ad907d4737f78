// Blocks with random facts, and forks of them.
import { cursorOf } from '../../../../api/explore/stream/cursor.ts'
import { required } from '../../../../core/required.ts'
import type { LedgerRow, ProjectedBlock } from '../../../../indexer/store/rows.ts'
import type { Random } from '../../../support/random.ts'

/** Blocks of a chain with transfers and swaps. A fork replaces the last blocks. */
export class Branches {
  private readonly random: Random
  private branch = 0
  private sequence = 0n
  readonly headers = [{ num: 1, id: '00'.repeat(32), time: Date.parse('2026-01-01T00:00:00.000Z') }]
  lib = 1

  constructor(random: Random) {
    this.random = random
  }

  get head(): number {
    return this.last.num
  }

  /** Whether the block of a cursor of the stream is on the followed branch. */
  has(cursor: string): boolean {
    return this.headers.some(({ num, id }) => cursorOf({ num, id }) === cursor)
  }

  private get last() {
    return required(this.headers.at(-1), 'a block')
  }

  /** @param depth  number of blocks that the fork removes first */
  next(depth: number): ProjectedBlock {
    if (depth > 0) this.branch++
    this.headers.splice(this.headers.length - depth)
    const { num: before, id: prevId, time: then } = this.last
    const [num, time] = [before + 1, then + 500]
    const id = num.toString(16).padStart(8, '0') + this.branch.toString(16).padStart(56, '0')
    const header = { chain: 'wax', blockNum: num, blockId: id, prevId, blockTime: time, producer: 'prod' }
    const ledger: LedgerRow[] = [{ table: 'blocks', row: header }]
    for (let facts = this.random.integer(0, 4); facts > 0; facts--) ledger.push(this.fact(num, time))
    this.headers.push({ num, id, time })
    return { num, id, prevId, time, producer: 'prod', lib: this.lib, head: num, ledger, state: [], candles: [] }
  }

  private fact(blockNum: number, blockTime: number): LedgerRow {
    const globalSeq = ++this.sequence
    const at = { chain: 'wax', blockNum, blockTime, globalSeq, trxId: globalSeq.toString(16).padStart(64, '0') }
    const names = ['alice', 'bob', 'carol']
    const name = () => names[this.random.integer(0, 2)] ?? ''
    if (this.random.chance(0.5)) {
      const token = { contract: 'eosio.token', symbol: 'WAX', decimals: 8 }
      const row = { ...token, fromAccount: name(), toAccount: name(), amount: globalSeq, memo: `${this.branch}` }
      return { table: 'transfers', at, row }
    }
    const amounts = { amountA: 5n, amountB: -5n, decimalsA: 4, decimalsB: 8, reserveA: 9n, reserveB: 9n, usd: null }
    const price = { sqrtPriceX64: 1n << 64n, liquidity: 5n, tick: 0 }
    const poolId = BigInt(this.random.integer(0, 2))
    return { table: 'swaps', at, row: { poolId, sender: name(), recipient: name(), ...amounts, ...price } }
  }
}
