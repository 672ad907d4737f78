// Opens a node's snapshot as the start of a chain. Checks that it fits chain, database and nodes before reading it.
// Stores the rows until they are written, so that it is not read again after a failed write.
import { UserError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { AbiBook, type AbiVersion } from '../decode/abi-book.ts'
import type { Watch } from '../decode/watch.ts'
import type { Projector } from '../project/projector.ts'
import { type RoleAccounts, roleAccountNames } from '../project/role-accounts.ts'
import { readSnapshot, readSnapshotHead, type SnapshotHead } from '../source/snapshot/snapshot.ts'
import type { BlockSource } from '../source/source.ts'
import type { Position } from '../store/position.ts'
import { SnapshotOrigin } from './snapshot-origin.ts'
import { SnapshotWants } from './snapshot-wants.ts'
import { Spool } from './spool.ts'

export interface SnapshotStartOptions {
  chain: string
  /** The file: `snapshot-*.bin` of nodeos, or compressed with zstd. */
  path: string
  accounts: RoleAccounts
  tokenContracts: '*' | readonly string[]
  source: Pick<BlockSource, 'stateBlock'>
  signal: AbortSignal
  events?: Partial<SnapshotEvents>
  /** Folder of the rows that wait for the first block. */
  spoolFolder?: string
}

export interface SnapshotEvents {
  /** Called before the tables are read. */
  opened(head: SnapshotHead): void
  /** Called after them, with the numbers of wanted rows and ABIs. */
  read(head: SnapshotHead, rows: number, abis: number): void
}

export class SnapshotStart {
  readonly #options: SnapshotStartOptions
  #head: SnapshotHead | null = null
  #origin: SnapshotOrigin | null = null
  #spool: Spool | null = null

  constructor(options: SnapshotStartOptions) {
    this.#options = options
  }

  /** Version, chain id and block of the file. @throws as `readSnapshotHead` */
  async head(): Promise<SnapshotHead> {
    this.#head ??= await readSnapshotHead(this.#options.path)
    return this.#head
  }

  /**
   * The chain id of the file, which must equal the known one.
   *
   * @param known  chain id from the configuration or the nodes; null when unknown
   * @throws UserError OTHER_CHAIN; as `head`
   */
  async chainId(known: string | null): Promise<string> {
    const { chainId } = await this.head()
    if (known === null || chainId === known) return chainId
    const { chain, path } = this.#options
    throw new UserError('OTHER_CHAIN', `${chain}: ${path} is of chain ${chainId}, wanted is ${known}`, {
      hint: `correct the address or the file, or the chain id of ${chain}`,
      place: { chain, file: path },
    })
  }

  /**
   * Checks the setting on a filled database: it is accepted if the chain began with this snapshot, even if the file no
   * longer exists.
   *
   * @throws UserError SNAPSHOT_NOT_USED
   */
  checkUsed({ firstBlock, num: indexed }: Position): void {
    const num = this.#head?.num
    if (num === undefined || firstBlock === num + 1) return
    const { chain, path } = this.#options
    throw new UserError(
      'SNAPSHOT_NOT_USED',
      `${chain}: ${path} is of block ${num}, the database has blocks ${firstBlock} to ${indexed}: it cannot take their place`,
      {
        hint: `remove source.snapshot of ${chain} to index on, or start from the snapshot in an empty database`,
        place: { chain, block: num, file: path },
      },
    )
  }

  /**
   * Reads the snapshot. The nodes must keep the block after it.
   *
   * @returns its state, or null when the signal was aborted
   * @throws UserError SNAPSHOT_TOO_OLD, and as `readSnapshot`; as `BlockSource.stateBlock`
   */
  async read(projector: Projector, watch: Watch): Promise<SnapshotOrigin | null> {
    const head = await this.head()
    await this.#checkNodes(head)
    try {
      this.#origin ??= await this.#load(head, projector, watch)
    } catch (error) {
      if (!this.#options.signal.aborted) throw error
    }
    return this.#origin
  }

  /** Drops the rows that were read. */
  close(): void {
    this.#spool?.close()
    this.#spool = null
    this.#origin = null
  }

  async #checkNodes({ num }: SnapshotHead): Promise<void> {
    const { chain, path, source, signal } = this.#options
    const state = await source.stateBlock?.(num + 1, undefined, signal)
    // A node that begins with the state of an older block, or of the same one, has the block after the snapshot's.
    if (typeof state !== 'number' || state <= num) return
    throw new UserError(
      'SNAPSHOT_TOO_OLD',
      `${chain}: ${path} is of block ${num}, the nodes keep blocks from ${state + 1} on`,
      {
        hint: `take a snapshot of block ${state} or later, or add a node or logs that have block ${num + 1}`,
        place: { chain, block: num + 1, file: path },
      },
    )
  }

  async #load(head: SnapshotHead, projector: Projector, watch: Watch): Promise<SnapshotOrigin> {
    const { chain, path, accounts, tokenContracts, events, signal, spoolFolder } = this.#options
    const { num, id, time } = head
    events?.opened?.(head)
    const exchangeAccounts = roleAccountNames(accounts)
    const wants = new SnapshotWants({ wanted: projector.wanted, watch, tokenContracts, exchangeAccounts })
    const abis: AbiVersion[] = []
    const spool = new Spool(spoolFolder)
    try {
      await readSnapshot(path, {
        wantsAbi: (account) => wants.abi(account),
        wantsTable: (table) => wants.table(table),
        onAbi: (account, abi) => abis.push({ account, blockNum: num, globalSeq: 0n, abi, hash: toHex(sha256(abi)) }),
        onRow: (row) => spool.addRow(row),
        folder: spoolFolder,
        signal,
      })
    } catch (error) {
      spool.close()
      throw error
    }
    this.#spool = spool
    events?.read?.(head, spool.rows, abis.length)
    const book = new AbiBook()
    book.load(abis)
    return new SnapshotOrigin({ chain, projector, parent: { num, id, time }, abis, book, spool, wants })
  }
}
