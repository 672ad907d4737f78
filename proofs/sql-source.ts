// A proof source that reads the ledger. One proof takes several statements: pass a client in a repeatable-read
// transaction where a rewind may come between them. Create one source for each proof.

import type { ClientBase, Pool } from 'pg'
import { readQuorumCertificate } from '../core/antelope/quorum-certificate.ts'
import { BugError } from '../core/errors.ts'
import type { Burn } from '../core/finality/burn.ts'
import { lastLeafOf, type NodePosition, rootPositions } from '../core/finality/positions.ts'
import { blockOf, burnOf, policyOf } from '../core/finality/rows.ts'
import { type FinalityStart, type StoredStart, startOf } from '../core/finality/start.ts'
import type { PendingSince, TrackedBlock } from '../core/finality/track.ts'
import type { Certified, ProofSource } from './source.ts'
import { BLOCK, BURN, CERTIFIED, FIRST, NODES, POLICIES, START } from './sql.ts'

type Queryable = Pick<ClientBase | Pool, 'query'>

const key = ({ level, at }: NodePosition): string => `${level}/${at}`

export class SqlSource implements ProofSource {
  private readonly db: Queryable
  private readonly chain: string
  private known: Promise<FinalityStart | null> | undefined
  private first: Promise<number | null> | undefined
  private voters: Promise<PendingSince[]> | undefined
  private readonly blocks = new Map<number, Promise<TrackedBlock | null>>()

  constructor(db: Queryable, chain: string) {
    this.db = db
    this.chain = chain
  }

  private async rows<T>(statement: string, ...parameters: unknown[]): Promise<T[]> {
    const { rows } = await this.db.query(statement, [this.chain, ...parameters])
    return rows as T[]
  }

  genesis(): Promise<number | null> {
    this.first ??= this.readGenesis()
    return this.first
  }

  private async readGenesis(): Promise<number | null> {
    const start = await this.start()
    if (start) return start.lineage.genesis
    const [row] = await this.rows<{ first: string | null }>(FIRST)
    return row?.first == null ? null : Number(row.first)
  }

  block(num: number): Promise<TrackedBlock | null> {
    const known = this.blocks.get(num) ?? this.readBlock(num)
    this.blocks.set(num, known)
    return known
  }

  private async readBlock(num: number): Promise<TrackedBlock | null> {
    const [row] = await this.rows<Parameters<typeof blockOf>[0]>(BLOCK, num)
    return row ? blockOf(row) : null
  }

  /** The block from which the chain is tracked; null when it is tracked from its genesis block. */
  private start(): Promise<FinalityStart | null> {
    this.known ??= this.rows<StoredStart>(START).then(([row]) => (row ? startOf(row) : null))
    return this.known
  }

  /** Tree nodes at the start, by level and index. */
  private async startPeaks(): Promise<Map<string, Uint8Array>> {
    const start = await this.start()
    if (!start) return new Map()
    const { count, peaks } = start.lineage.tree
    return new Map(rootPositions(count).map((position, i) => [key(position), peaks[i]!]))
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    const genesis = (await this.genesis()) ?? 0
    const peaks = await this.startPeaks()
    const blocks = positions.map((position) => lastLeafOf(position) + genesis)
    const levels = positions.map(({ level }) => level)
    const found = await this.rows<{ place: number; hash: Uint8Array }>(NODES, blocks, levels)
    const hashes = positions.map((position) => peaks.get(key(position)))
    for (const { place, hash } of found) hashes[place - 1] ??= hash
    return hashes.map((hash, i) => {
      if (hash && hash.length === 32) return hash
      throw new BugError('NODE_NOT_STORED', `no node ${key(positions[i]!)} in the finality tree of ${this.chain}`)
    })
  }

  policies(): Promise<PendingSince[]> {
    this.voters ??= this.readPolicies()
    return this.voters
  }

  private async readPolicies(): Promise<PendingSince[]> {
    const start = await this.start()
    const followed = (await this.rows<Parameters<typeof policyOf>[0]>(POLICIES)).map(policyOf)
    return [...(start?.policies ?? []), ...followed]
  }

  async certified(claim: number, generation: number, skip = 0): Promise<Certified | null> {
    type Row = Parameters<typeof blockOf>[0] & { certificate: Uint8Array; verified: boolean }
    const [row] = await this.rows<Row>(CERTIFIED, claim, generation, skip)
    if (!row) return null
    return { block: blockOf(row), certificate: readQuorumCertificate(row.certificate), verified: row.verified }
  }

  async burn(id: bigint): Promise<Burn | null> {
    const [row] = await this.rows<Parameters<typeof burnOf>[0]>(BURN, id.toString())
    return row ? burnOf(row) : null
  }
}
