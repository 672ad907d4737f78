// The position of a chain and its fence. One process writes a chain: it holds an advisory lock while its connection
// lives, and a token in the position row that every commit checks, since a lock dies with its connection.
import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { UserError } from '../../core/errors.ts'
import type { BlockPosition } from '../source/source.ts'
import { FencedError } from './errors.ts'
import { literal } from './literal.ts'
import type { BlockHeader } from './rows.ts'
import type { Script } from './script.ts'
import { CLAIM_POSITION, HOLDER, INSERT_POSITION, LOCK, MOVE_POSITION, POSITION } from './sql.ts'

export interface Position extends BlockPosition {
  chainId: string | null
  firstBlock: number
  /** Unix milliseconds. */
  time: number
  /** Last irreversible indexed block. */
  lib: number
  /** Whether the secondary indexes are built. */
  indexed: boolean
  /** Block from which current state is exact; null when it is not known. */
  stateBlock: number | null
}

export class ChainPosition {
  private readonly client: ClientBase
  readonly chain: string
  private readonly token = randomUUID()
  private readonly chainId: string | null
  current: Position | null = null

  private constructor(client: ClientBase, chain: string, chainId: string | null) {
    this.client = client
    this.chain = chain
    this.chainId = chainId
  }

  /**
   * Takes the chain for this process.
   *
   * @param chainId  kept when the position has none yet; null when it is not known
   * @throws FencedError WRITER_FENCED when another process holds it, UserError OTHER_CHAIN when the blocks indexed are
   *   of a chain with another id
   */
  static async claim(client: ClientBase, chain: string, chainId: string | null): Promise<ChainPosition> {
    const { rows } = await client.query<{ locked: boolean }>(LOCK, [chain])
    if (!rows[0]?.locked) throw new FencedError(chain, `another process writes it (${await holder(client, chain)})`)
    const position = new ChainPosition(client, chain, chainId)
    await client.query(CLAIM_POSITION, [chain, position.token, chainId])
    await position.read()
    position.checkChainId()
    return position
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

  private checkChainId(): void {
    const { chain, chainId } = this
    const indexed = this.current?.chainId ?? chainId
    if (chainId === null || indexed === chainId) return
    throw new UserError(
      'OTHER_CHAIN',
      `${chain}: the blocks indexed are of chain ${indexed}, configured is ${chainId}`,
      {
        hint: `correct the chain id of ${chain}, or index the other chain under another name or in another database`,
        place: { chain },
      },
    )
  }

  /**
   * Adds what moves the position to a block, in the transaction that writes its rows. Fails with SQLSTATE HW004 when
   * another process moved it or took the chain.
   */
  move(script: Script, block: BlockHeader, first: BlockHeader): void {
    const at = this.current
    const place = [block.num, block.id, new Date(block.time), Math.min(block.lib, block.num), block.head]
    const [head, values] =
      at === null
        ? [INSERT_POSITION, [this.chain, this.token, ...place, this.chainId, first.num, first.stateBlock ?? null]]
        : [MOVE_POSITION, [this.chain, this.token, ...place, at.num, at.id]]
    script.add(`${head} (${values.map(literal).join(', ')})`)
  }
}

/** Who holds the chain, as far as this login may know. */
async function holder(client: ClientBase, chain: string): Promise<string> {
  // The writer's role may not see the sessions of others; the login may see at least its own.
  await client.query('reset role')
  const { rows } = await client.query(HOLDER, [chain])
  const found = rows[0]
  if (!found) return 'it has just let go'
  const since = found.backend_start ? `, since ${found.backend_start.toISOString()}` : ''
  return `database session ${found.pid} of ${found.application_name || 'an unnamed program'} from ${found.address ?? 'a local socket'}${since}`
}
