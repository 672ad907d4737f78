// The position of a chain and its fence: one process writes a chain, under a lease whose token every commit checks.
import type { ClientBase } from 'pg'
import { UserError } from '../../core/errors.ts'
import type { BlockPosition } from '../source/source.ts'
import { Lease } from './lease.ts'
import { literal } from './literal.ts'
import type { BlockHeader } from './rows.ts'
import type { Script } from './script.ts'
import { INSERT_POSITION, KEEP_CHAIN_ID, MOVE_POSITION, OPEN_FETCH, POSITION } from './sql.ts'

export interface Position extends BlockPosition {
  chainId: string | null
  firstBlock: number
  /** Unix milliseconds. */
  time: number
  /** Last irreversible indexed block. */
  lib: number
  /** Whether the secondary indexes are built. */
  indexed: boolean
  /** Block from which the current state is exact; null when unknown. */
  stateBlock: number | null
}

export class ChainPosition {
  private readonly client: ClientBase
  readonly chain: string
  readonly lease: Lease
  private readonly chainId: string | null
  current: Position | null = null

  private constructor(client: ClientBase, lease: Lease, chainId: string | null) {
    this.client = client
    this.chain = lease.chain
    this.lease = lease
    this.chainId = chainId
  }

  /**
   * Takes the chain's lease for this process.
   *
   * @param chainId  stored when the position has none yet; null when unknown
   * @throws FencedError WRITER_FENCED when another process holds it, UserError OTHER_CHAIN when the indexed blocks are
   *   of a chain with another id, FETCH_UNFINISHED
   */
  static async claim(client: ClientBase, chain: string, chainId: string | null): Promise<ChainPosition> {
    const lease = await Lease.take(client, chain)
    try {
      const position = new ChainPosition(client, lease, chainId)
      await client.query(KEEP_CHAIN_ID, [chain, lease.token, chainId])
      await position.read()
      await position.checkFetch()
      position.checkChainId()
      return position
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /** Reads the position from the database, after a claim, a rewind or a failed commit. */
  async read(): Promise<void> {
    const { rows } = await this.client.query(POSITION, [this.chain])
    const row = rows[0]
    this.current = row
      ? {
          num: Number(row.num),
          id: row.id,
          chainId: row.chainId,
          firstBlock: Number(row.firstBlock),
          time: row.time.getTime(),
          lib: Number(row.lib),
          indexed: row.indexed,
          stateBlock: row.stateBlock === null ? null : Number(row.stateBlock),
        }
      : null
  }

  /** A chain that is being filled from a pack has rows and no position. */
  private async checkFetch(): Promise<void> {
    const { rows } = await this.client.query(OPEN_FETCH, [this.chain])
    if (rows.length === 0) return
    throw new UserError('FETCH_UNFINISHED', `${this.chain}: a fetch of ${rows[0].address} is not finished`, {
      hint: 'run `headwater fetch` again: it continues where it stopped; with --restart it begins again',
      place: { chain: this.chain },
    })
  }

  private checkChainId(): void {
    const { chain, chainId } = this
    const indexed = this.current?.chainId ?? chainId
    if (chainId === null || indexed === chainId) return
    throw new UserError(
      'OTHER_CHAIN',
      `${chain}: the blocks indexed are of chain ${indexed}, the configuration or the node has ${chainId}`,
      {
        hint: `correct the chain id or the node of ${chain}, or index the other chain under another name or in another database`,
        place: { chain },
      },
    )
  }

  /**
   * Adds the statement that moves the position to a block, in the transaction that writes its rows. It fails with
   * SQLSTATE HW004 when another process moved it or took the chain.
   */
  move(script: Script, block: BlockHeader, first: BlockHeader): void {
    const at = this.current
    const place = [block.num, block.id, new Date(block.time), Math.min(block.lib, block.num), block.head]
    const [head, values] =
      at === null
        ? [INSERT_POSITION, [this.chain, this.lease.token, ...place, this.chainId, first.num, first.stateBlock ?? null]]
        : [MOVE_POSITION, [this.chain, this.lease.token, ...place, at.num, at.id]]
    script.add(`${head} (${values.map(literal).join(', ')})`)
  }
}
