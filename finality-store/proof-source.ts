// A proof source that reads the ledger. One proof takes several statements: pass a client in a repeatable-read
// transaction where a rewind may come between them. Create one source for each proof.

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
  private used: Promise<FinalityStart | null> | undefined
  private first: Promise<number | null> | undefined
  private voters: Promise<PendingSince[]> | undefined
  private readonly blocks = new Map<number, Promise<TrackedBlock | null>>()

  constructor(db: Queryable, chain: string) {
    this.db = db
    this.chain = chain
  }

  private async row<T extends object>(statement: string, ...parameters: unknown[]): Promise<T | undefined> {
    const { rows } = await this.db.query<T>(statement, [this.chain, ...parameters])
    return rows[0]
  }

  private start(): Promise<FinalityStart | null> {
    this.used ??= readUsedStart(this.db, this.chain)
    return this.used
  }

  genesis(): Promise<number | null> {
    this.first ??= this.start().then((start) => readGenesis(this.db, this.chain, start))
    return this.first
  }

  block(num: number): Promise<TrackedBlock | null> {
    const known = this.blocks.get(num) ?? this.row<StoredBlock>(BLOCK, num).then((row) => (row ? blockOf(row) : null))
    this.blocks.set(num, known)
    return known
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    const { chain } = this
    const first = (await this.genesis()) ?? 0
    const start = (await this.start())?.lineage.tree
    return readNodes(this.db, { chain, tree: 'finality', first, start }, positions)
  }

  policies(): Promise<PendingSince[]> {
    this.voters ??= this.start().then((start) => readPolicies(this.db, this.chain, start))
    return this.voters
  }

  async certified(claim: number, generation: number, skip = 0): Promise<Certified | null> {
    type Row = StoredBlock & { certificate: Uint8Array; verified: boolean }
    const row = await this.row<Row>(CERTIFIED, claim, generation, skip)
    if (!row) return null
    return { block: blockOf(row), certificate: readQuorumCertificate(row.certificate), verified: row.verified }
  }

  async burn(id: bigint): Promise<Burn | null> {
    const row = await this.row<StoredBurn>(BURN, id.toString())
    return row ? burnOf(row) : null
  }
}
