// Reads a chain before Savanna from the ledger. One proof takes several statements: pass a client in a repeatable-read
// transaction where a rewind may come between them. Create one source for each proof.
import { type ProducerSchedule, readSchedule } from '../../../core/antelope/legacy/schedule.ts'
import { BugError } from '../../../core/errors.ts'
import { signaturesOf } from '../../../core/finality/legacy-rows.ts'
import { type LegacyStart, legacyStartOf, type StoredLegacyStart } from '../../../core/finality/legacy-start.ts'
import { lastLeafOf, type NodePosition, rootPositions } from '../../../core/finality/positions.ts'
import type { Queryable } from '../facts.ts'
import { LEGACY_IDS, LEGACY_KEPT, LEGACY_NODES, LEGACY_START, PRODUCER_SCHEDULES } from '../sql.ts'
import type { LegacyBlock, LegacyDepositSource, LegacyLog } from './dpos.ts'

const key = ({ level, at }: NodePosition): string => `${level}/${at}`

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

  async kept(from: number, to: number): Promise<LegacyBlock[]> {
    type Row = Omit<LegacyBlock, 'signatures'> & { signatures: Uint8Array }
    const rows = await this.#rows<Row>(LEGACY_KEPT, from, to)
    return rows.map(({ signatures, ...block }) => ({ ...block, signatures: signaturesOf(signatures) }))
  }

  async ids(from: number, to: number): Promise<Uint8Array[]> {
    return (await this.#rows<{ id: Uint8Array }>(LEGACY_IDS, from, to)).map(({ id }) => id)
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    const start = await this.#start()
    const blocks = positions.map((position) => lastLeafOf(position) + 1)
    const levels = positions.map(({ level }) => level)
    const rows = await this.#rows<{ place: number; hash: Uint8Array }>(LEGACY_NODES, blocks, levels)
    const peaks = start ? rootPositions(start.lineage.tree.count) : []
    const known = new Map(peaks.map((position, i) => [key(position), start!.lineage.tree.peaks[i]!]))
    for (const { place, hash } of rows) known.set(key(positions[place - 1]!), hash)
    return positions.map((position) => {
      const hash = known.get(key(position))
      if (hash?.length === 32) return hash
      throw new BugError('NODE_NOT_STORED', `no node ${key(position)} in the tree of ids of ${this.chain}`)
    })
  }

  async schedules(): Promise<{ blockNum: number; schedule: ProducerSchedule }[]> {
    const rows = await this.#rows<{ blockNum: number; schedule: Uint8Array }>(PRODUCER_SCHEDULES)
    const proposed = rows.map(({ blockNum, schedule }) => ({ blockNum, schedule: readSchedule(schedule) }))
    const versions = new Set(proposed.map(({ schedule }) => schedule.version))
    const before = (await this.#start())?.schedules.filter(({ version }) => !versions.has(version)) ?? []
    return [...before.map((schedule) => ({ blockNum: 0, schedule })), ...proposed]
  }

  /** The block from which the chain is tracked; null when it is tracked from its first blocks. */
  #start(): Promise<LegacyStart | null> {
    this.#known ??= this.#rows<StoredLegacyStart>(LEGACY_START).then(([row]) => (row ? legacyStartOf(row) : null))
    return this.#known
  }

  async #rows<T>(statement: string, ...parameters: unknown[]): Promise<T[]> {
    const { rows } = await this.#db.query(statement, [this.chain, ...parameters])
    return rows as T[]
  }
}
