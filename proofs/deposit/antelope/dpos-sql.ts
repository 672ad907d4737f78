// Reads a chain before Savanna from the ledger. One proof takes several statements: pass a client in a repeatable-read
// transaction where a rewind may come between them. Create one source for each proof.
import type { LegacyBlock } from '../../../core/finality/legacy/rows.ts'
import type { ProducerSchedule } from '../../../core/finality/legacy/schedule.ts'
import type { LegacyStart } from '../../../core/finality/legacy/start.ts'
import type { NodePosition } from '../../../core/finality/positions.ts'
import {
  readIdNodes,
  readIds,
  readLegacyStart,
  readSchedules,
  readSignedHeaders,
} from '../../../finality-store/legacy.ts'
import type { Queryable } from '../../../finality-store/nodes.ts'
import type { LegacyDepositSource, LegacyLog } from './dpos.ts'

export class LegacySqlSource implements LegacyDepositSource {
  readonly chain: string
  readonly bridge: string
  readonly #db: Queryable
  readonly #log: LegacyLog
  #known: Promise<LegacyStart | null> | undefined

  /** @param log  the deposit to prove */
  constructor(db: Queryable, { chain, bridge }: { chain: string; bridge: string }, log: LegacyLog) {
    this.#db = db
    this.chain = chain
    this.bridge = bridge
    this.#log = log
  }

  async log(): Promise<LegacyLog> {
    return this.#log
  }

  headers(from: number, to: number): Promise<LegacyBlock[]> {
    return readSignedHeaders(this.#db, this.chain, from, to)
  }

  ids(from: number, to: number): Promise<Uint8Array[]> {
    return readIds(this.#db, this.chain, from, to)
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    return readIdNodes(this.#db, this.chain, await this.#start(), positions)
  }

  async schedules(): Promise<{ blockNum: number; schedule: ProducerSchedule }[]> {
    return readSchedules(this.#db, this.chain, await this.#start())
  }

  /** The block from which the chain is tracked; null when it is tracked from its first blocks. */
  #start(): Promise<LegacyStart | null> {
    this.#known ??= readLegacyStart(this.#db, this.chain)
    return this.#known
  }
}
