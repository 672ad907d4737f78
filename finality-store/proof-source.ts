// A proof source that reads the database. A proof needs several statements. If a rewind may happen between them, pass a
// client in a repeatable-read transaction. A source caches what it reads, so create one for each proof.

import type { Burn } from '../core/finality/burn.ts'
import type { NodePosition } from '../core/finality/positions.ts'
import type { Certified, ProofSource } from '../core/finality/proof-source.ts'
import { readQuorumCertificate } from '../core/finality/quorum-certificate.ts'
import { blockOf, burnOf, type StoredBlock, type StoredBurn } from '../core/finality/rows.ts'
import type { FinalityStart } from '../core/finality/start.ts'
import type { PendingSince, TrackedBlock } from '../core/finality/track.ts'
import { type Queryable, readNodes } from './nodes.ts'
import { readGenesis, readPolicies, readUsedStart } from './savanna.ts'
import { BLOCK, BURN, CERTIFIED } from './sql.ts'

export class SqlSource implements ProofSource {
  private readonly db: Queryable
  private readonly chain: string
  private cachedStart: Promise<FinalityStart | null> | undefined
  private cachedGenesis: Promise<number | null> | undefined
  private cachedPolicies: Promise<PendingSince[]> | undefined
  private readonly cachedBlocks = new Map<number, Promise<TrackedBlock | null>>()

  constructor(db: Queryable, chain: string) {
    this.db = db
    this.chain = chain
  }

  /** First row of a statement's result. */
  private async firstRow<T extends object>(statement: string, ...parameters: unknown[]): Promise<T | undefined> {
    const { rows } = await this.db.query<T>(statement, [this.chain, ...parameters])
    return rows[0]
  }

  private start(): Promise<FinalityStart | null> {
    this.cachedStart ??= readUsedStart(this.db, this.chain)
    return this.cachedStart
  }

  genesis(): Promise<number | null> {
    this.cachedGenesis ??= this.start().then((start) => readGenesis(this.db, this.chain, start))
    return this.cachedGenesis
  }

  block(num: number): Promise<TrackedBlock | null> {
    const read = () => this.firstRow<StoredBlock>(BLOCK, num).then((row) => (row ? blockOf(row) : null))
    const block = this.cachedBlocks.get(num) ?? read()
    this.cachedBlocks.set(num, block)
    return block
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    const { chain } = this
    const first = (await this.genesis()) ?? 0
    const start = (await this.start())?.lineage.tree
    return readNodes(this.db, { chain, tree: 'finality', first, start }, positions)
  }

  policies(): Promise<PendingSince[]> {
    this.cachedPolicies ??= this.start().then((start) => readPolicies(this.db, this.chain, start))
    return this.cachedPolicies
  }

  async certified(claim: number, generation: number, skip = 0): Promise<Certified | null> {
    type Row = StoredBlock & { certificate: Uint8Array; verified: boolean }
    const row = await this.firstRow<Row>(CERTIFIED, claim, generation, skip)
    if (!row) return null
    return { block: blockOf(row), certificate: readQuorumCertificate(row.certificate), verified: row.verified }
  }

  async burn(id: bigint): Promise<Burn | null> {
    const row = await this.firstRow<StoredBurn>(BURN, id.toString())
    return row ? burnOf(row) : null
  }
}
