// Time to prove a withdrawal from SQL, including the self-check, from a tree of many leaves.

import pg from 'pg'
import { finalityDigest, finalityLeaf, level2Digest, level3Digest } from '../../core/finality/digests.ts'
import { finalizerPolicyDigest, packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { lastLeafOf, pathPositions, rootPositions } from '../../core/finality/positions.ts'
import { readQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import { rowsOf } from '../../core/finality/rows.ts'
import type { PendingSince, Tracked, TrackedBlock } from '../../core/finality/track.ts'
import { toHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'
import { Finalizers } from '../../devnet/chain/finalizers.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { proveWithdrawal, type StoredRoot } from '../../proofs/prove.ts'
import { benchDatabase } from '../support/database.ts'
import { type Burned, burnIn } from './burned.ts'
import { dropCached } from './cold.ts'
import { fillOthers, insertNodes, insertRow, sizeOf } from './fill.ts'
import { LargeTree } from './large-tree.ts'

const CHAIN = 'telos'
const GENESIS = 1000
const BURNS = 2000
const CHECKPOINTS = 40
/** Withdrawals proved with a cold cache. */
const COLD = 500
const FINALIZERS = 21
/** One in this many other blocks has rows: rows of all would take about 70 GB. */
const STEP = 8
const made = (text: string): Uint8Array => sha256(Buffer.from(text))
const ADDRESS = `0x${'c1'.repeat(20)}`
const LEDGER = { account: 'bridge.svc', action: 'wdlog', permission: 'active' } as const

/** Makes the real blocks of a tree, in the order of the chain. */
class RealBlocks {
  readonly tree: LargeTree
  readonly rows: { table: string; row: object }[] = []
  readonly roots: StoredRoot[] = []
  private readonly finalizers = new Finalizers('bench')
  readonly since: PendingSince

  constructor(leaves: number) {
    this.tree = new LargeTree(leaves)
    const policy = this.finalizers.policy(
      1,
      Array.from({ length: FINALIZERS }, (_, i) => i),
    )
    this.since = { policy, digest: finalizerPolicyDigest(policy), blockNum: GENESIS, start: 1 }
  }

  /** Adds a block, with a burn unless `burned` is null, one that claims it, and one with the claim's certificate. */
  add(index: number, burned: Burned | null): void {
    const first = this.block(index, made(`root ${index}`), burned?.actionMroot ?? made(`actions ${index}`))
    this.tree.set(index, first.leaf)
    const root = this.tree.root(index + 1)
    if (!burned) this.roots.push({ root: toHex(root), lastBlock: first.blockNum })
    const second = this.block(index + 1, root, made(`actions ${index + 1}`))
    this.tree.set(index + 1, second.leaf)
    this.keep(first, burned)
    this.keep(second, null)
    const { policy: active } = this.since
    const { blockNum, finalityDigest: digest } = second
    const signed = this.finalizers.sign({ blockNum, finalityDigest: digest, active, pending: null, strong: true })
    const third = this.block(index + 2, made('root'), made('actions'))
    this.tree.set(index + 2, third.leaf)
    this.keep(third, null, { certificate: readQuorumCertificate(signed) })
  }

  private keep(block: TrackedBlock, burned: Burned | null, more: Partial<Tracked> = {}): void {
    const tracked = { block, nodes: [], policy: null, certificate: null, ...more } as unknown as Tracked
    const logs = burned ? [{ ...burned.log, blockNum: block.blockNum }] : []
    this.rows.push(...rowsOf(CHAIN, tracked, logs, true))
    const { blockNum, blockId } = block
    const header = { blockId: Buffer.from(blockId, 'hex'), prevId: Buffer.alloc(32), producer: 'producer' }
    this.rows.push({ table: 'blocks', row: { chain: CHAIN, blockNum, blockTime: 0, ...header } })
  }

  private block(index: number, finalityMroot: Uint8Array, actionMroot: Uint8Array): TrackedBlock {
    const timestamp = index + 1
    const data: TrackedBlock['data'] = {
      ...{ major: 1, minor: 0, activeGeneration: 1, lastPendingGeneration: 1, actionMroot },
      ...{ reversibleBlocksMroot: made('reversible'), baseDigest: made(`base ${index}`) },
      ...{ claimBlockNum: GENESIS + index - 1, claimFinalityDigest: made('claim'), claimTimestamp: index },
    }
    const pending = { lastPendingPolicyDigest: this.since.digest, lastPendingPolicyStart: this.since.start }
    const level2 = level2Digest({ ...pending, level3Digest: level3Digest({ ...data, timestamp }) })
    const digest = finalityDigest({ ...data, finalityMroot, level2Digest: level2 })
    const place = { blockNum: GENESIS + index, timestamp, parentTimestamp: index }
    const leaf = finalityLeaf({ ...data, ...place, finalityDigest: digest })
    const blockId = toHex(made(`block ${index}`))
    return { ...place, ...pending, blockId, finalityMroot, data, finalityDigest: digest, leaf }
  }
}

/** Measures and prints response times. */
export async function benchAnswers(leaves: number): Promise<void> {
  const real = new RealBlocks(leaves)
  const gap = Math.floor(leaves / (BURNS + CHECKPOINTS + 2))
  const burns: { id: bigint; index: number }[] = []
  for (let i = 0; i < BURNS + CHECKPOINTS; i++) {
    const index = 1 + i * gap + Math.floor(Math.random() * (gap - 4))
    const isCheckpoint = i % Math.ceil((BURNS + CHECKPOINTS) / CHECKPOINTS) === 50
    if (!isCheckpoint) burns.push({ id: BigInt(i), index })
    real.add(index, isCheckpoint ? null : burnIn(BigInt(i), ADDRESS))
  }
  const database = await benchDatabase('headwater_bench_proofs')
  const client = new pg.Client({ connectionString: database.url })
  try {
    await client.connect()
    await client.query(`select meta.add_chain('${CHAIN}')`)
    await fill(client, real)
    const { rows, gigabytes } = await sizeOf(client, CHAIN)
    const million = (rows / 1e6).toFixed(1)
    console.log(`proofs from a tree of ${leaves.toLocaleString('en-US')} leaves; rows of ${million} million blocks,`)
    console.log(`  one of ${STEP} and all that the proofs need: ${gigabytes.toFixed(1)} GB`)
    const covered = burns.filter(({ index }) => index + GENESIS < itemAt(real.roots, -1).lastBlock)
    shuffle(covered)
    const cold = await dropCached(client)
    if (cold > 0) await measure('hard, of which nothing is in memory', client, covered.slice(0, COLD), [])
    await measure('hard, each withdrawal for the first time', client, covered.slice(cold > 0 ? COLD : 0), [])
    await measure('light and hard, a root is stored', client, covered, real.roots)
    await measure('the same again', client, covered, real.roots)
  } finally {
    await client.end()
    await database.close()
  }
}

async function fill(client: pg.Client, { tree, rows, since }: RealBlocks): Promise<void> {
  const indexOf = (row: object) => (row as { blockNum: number }).blockNum - GENESIS
  const kept = new Set<number>()
  await client.query('begin')
  for (const { table, row } of rows) {
    if (table !== 'finality') await insertRow(client, table, row)
    else {
      kept.add(indexOf(row))
      await insertRow(client, table, { ...row, nodes: tree.completed(indexOf(row)) })
    }
  }
  const genesis = { chain: CHAIN, blockNum: GENESIS, blockTime: 0, generation: 1, slot: 1, digest: since.digest }
  await insertRow(client, 'finalizer_policies', { ...genesis, policy: packFinalizerPolicy(since.policy) })
  // Other rows whose nodes are part of a proof or have real leaves below: their nodes differ from those of all others.
  const needed = new Set<number>([0])
  for (const index of kept) {
    for (const position of [...pathPositions(index, index + 1), ...rootPositions(index + 1)]) {
      needed.add(lastLeafOf(position))
    }
    for (let level = 0; level < 26; level++) {
      const at = Math.floor(index / 2 ** level)
      for (const node of [at, at ^ 1]) {
        const last = lastLeafOf({ level, at: node })
        if (last < tree.count) needed.add(last)
      }
    }
  }
  await insertNodes(
    client,
    CHAIN,
    [...needed]
      .filter((index) => !kept.has(index))
      .map((index) => ({ num: GENESIS + index, nodes: tree.completed(index) })),
  )
  await client.query('commit')
  await fillOthers(client, CHAIN, tree, { genesis: GENESIS, step: STEP, signers: FINALIZERS })
  await client.query(`select meta.build_indexes('${CHAIN}')`)
  await client.query('vacuum analyze ledger.finality, ledger.certificates, ledger.blocks, ledger.bridge_logs')
}

async function measure(
  what: string,
  client: pg.Client,
  burns: readonly { id: bigint }[],
  roots: readonly StoredRoot[],
): Promise<void> {
  const verify = certificateVerifier()
  const times: number[] = []
  const contracts = { releaseTo: ADDRESS, vault: ADDRESS, lightClient: ADDRESS, generation: 1, newest: 1 }
  for (const { id } of burns) {
    const started = performance.now()
    await client.query('begin isolation level repeatable read read only')
    const source = new SqlSource(client, CHAIN)
    const found = await proveWithdrawal({ source, verify, ledger: LEDGER }, id, { ...contracts, roots: [...roots] })
    await client.query('commit')
    const text = JSON.stringify(found?.proof)
    times.push(performance.now() - started)
    const track = roots.length > 0 ? 'light' : 'hard'
    if (found?.proof.track !== track || text.length < 1000) throw new Error(`withdrawal ${id} is not proved ${track}`)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => itemAt(times, Math.floor((times.length - 1) * share)).toFixed(1)
  console.log(`  ${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst of ${times.length} ${at(1)} ms`)
}

function shuffle<T>(list: T[]): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[list[i], list[j]] = [itemAt(list, j), itemAt(list, i)]
  }
}
