// A source of proofs that reads the ledger of a database. Reads of one proof are several statements: give it a client
// inside a repeatable-read transaction where a rewind may come between them.

import type { ClientBase, Pool } from 'pg'
import { type QuorumCertificate, readQuorumCertificate } from '../core/antelope/quorum-certificate.ts'
import { BugError } from '../core/errors.ts'
import type { Burn } from './burn.ts'
import { blockOf, burnOf, hashesOf, policyOf } from './rows.ts'
import type { ProofSource } from './source.ts'
import { BLOCK, BURN, CERTIFIED, GENESIS, NODES, POLICIES, START } from './sql.ts'
import type { PendingSince, TrackedBlock } from './track.ts'
import { lastLeafOf, type NodePosition, rootPositions } from './tree/positions.ts'

type Queryable = Pick<ClientBase | Pool, 'query'>

const key = ({ level, at }: NodePosition): string => `${level}/${at}`

export class SqlSource implements ProofSource {
  private readonly db: Queryable
  private readonly chain: string
  private peaks: Promise<Map<string, Uint8Array>> | undefined

  constructor(db: Queryable, chain: string) {
    this.db = db
    this.chain = chain
  }

  private async rows<T>(statement: string, ...parameters: unknown[]): Promise<T[]> {
    const { rows } = await this.db.query(statement, [this.chain, ...parameters])
    return rows as T[]
  }

  async genesis(): Promise<number | null> {
    const [row] = await this.rows<{ genesis: string | null }>(GENESIS)
    return row?.genesis == null ? null : Number(row.genesis)
  }

  async block(num: number): Promise<TrackedBlock | null> {
    const [row] = await this.rows<Parameters<typeof blockOf>[0]>(BLOCK, num)
    return row ? blockOf(row) : null
  }

  /** Nodes of the start, by level and place. */
  private async startPeaks(): Promise<Map<string, Uint8Array>> {
    const [start] = await this.rows<{ genesis: string; blockNum: string; peaks: Uint8Array }>(START)
    if (!start) return new Map()
    const peaks = hashesOf(start.peaks)
    const positions = rootPositions(Number(start.blockNum) - Number(start.genesis) + 1)
    return new Map(positions.map((position, i) => [key(position), peaks[i]!]))
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    const genesis = (await this.genesis()) ?? 0
    const peaks = await (this.peaks ??= this.startPeaks())
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

  async policies(): Promise<PendingSince[]> {
    return (await this.rows<Parameters<typeof policyOf>[0]>(POLICIES)).map(policyOf)
  }

  async certified(
    claim: number,
    generation: number,
  ): Promise<{ block: TrackedBlock; certificate: QuorumCertificate } | null> {
    type Row = Parameters<typeof blockOf>[0] & { certificate: Uint8Array }
    const [row] = await this.rows<Row>(CERTIFIED, claim, generation)
    return row ? { block: blockOf(row), certificate: readQuorumCertificate(row.certificate) } : null
  }

  async burn(id: bigint): Promise<Burn | null> {
    const [row] = await this.rows<Parameters<typeof burnOf>[0]>(BURN, id.toString())
    return row ? burnOf(row) : null
  }
}
