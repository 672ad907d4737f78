// The database gives the same proof data as the store in memory, before and after a rewind.
import type pg from 'pg'
import t from 'tap'
import { slotToMs } from '../../core/antelope/time.ts'
import type { ProofSource } from '../../core/finality/proof-source.ts'
import { type FinalityRow, rowsOf } from '../../core/finality/rows.ts'
import { lineageAt } from '../../core/finality/track.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { keepStart } from '../../finality-store/savanna.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { MemoryStore } from '../../proofs/memory-store.ts'
import { type Destination, proveWithdrawal } from '../../proofs/prove.ts'
import { testDatabase } from '../support/database.ts'
import { LEDGER, Telos } from './telos.ts'

const ADDRESS = '0x00000000000000000000000000000000000000c1'
const route = { domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n } as const
const verify = certificateVerifier()
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function insert(pool: pg.Pool, { table, row }: { table: string; row: object }): Promise<void> {
  const entries = Object.entries(row)
  const values = entries.map(([name, value]) => (name === 'blockTime' ? new Date(value as number) : value))
  const names = entries.map(([name]) => snake(name)).join(', ')
  const places = entries.map((_, i) => `$${i + 1}`).join(', ')
  await pool.query(`insert into ledger.${table} (${names}) values (${places})`, values)
}

/** Writes the blocks of a ledger from `first` on to a database, as an indexer does. */
async function write(pool: pg.Pool, telos: Telos, store: MemoryStore, first: number): Promise<void> {
  for (let num = first; num <= telos.chain.head.num; num++) {
    const { tracked, burns, logs } = telos.read(num, store)
    store.append(tracked, burns)
    const { blockId, timestamp } = tracked.block
    const block = {
      chain: 'telos',
      blockNum: num,
      blockId: Buffer.from(blockId, 'hex'),
      prevId: Buffer.alloc(32),
      blockTime: slotToMs(timestamp),
      producer: 'prod.a',
    }
    const rows: (FinalityRow | { table: string; row: object })[] = rowsOf('telos', tracked, logs)
    for (const row of [{ table: 'blocks', row: block }, ...rows]) await insert(pool, row)
  }
}

function ledger(): Telos {
  const telos = new Telos([route])
  telos.withdraw('USDC', 1_000_000n, 1, ADDRESS, 10n, 'memo')
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(2)
  telos.withdraw('USDC', 2_000_000n, 1, ADDRESS)
  telos.idle(5)
  telos.withdraw('USDC', 3_000_000n, 1, ADDRESS)
  telos.idle(2)
  return telos
}

const prove = (source: ProofSource, id: bigint, change: Partial<Destination> = {}) => {
  const none = { releaseTo: ADDRESS, vault: ADDRESS, lightClient: ADDRESS, roots: [], generation: 1, newest: 1 }
  return proveWithdrawal({ source, verify, ledger: LEDGER }, id, { ...none, ...change })
}

t.test('proofs from the database equal proofs from memory', async (t) => {
  const { pool } = await testDatabase(t, { chains: ['telos'] })
  await pool.query(`select meta.add_chain('telos')`)
  const telos = ledger()
  const source = new SqlSource(pool, 'telos')
  t.equal(await prove(source, 0n), null, 'nothing is indexed yet')
  const store = new MemoryStore()
  await write(pool, telos, store, telos.chain.firstBlock)
  for (const id of [0n, 1n, 2n, 3n]) {
    const proof = await prove(source, id)
    t.same(proof, await prove(store, id))
    t.equal(proof === null, id === 3n)
  }
  t.equal((await prove(source, 2n))?.proof.hard.handoffs.length, 1)
  const last = (await prove(source, 2n))!.proof.hard.submitRoot.finality
  const roots = [{ root: last.finalityMroot.slice(2), lastBlock: last.qcClaimBlockNum }]
  const light = await prove(source, 0n, { roots })
  t.equal(light?.proof.track, 'light')
  t.same(light, await prove(store, 0n, { roots }))

  const at = telos.chain.head.num
  telos.chain.fork(1)
  store.rewind(at - 1)
  for (const table of ['blocks', 'finality', 'finalizer_policies', 'certificates', 'bridge_logs']) {
    await pool.query(`delete from ledger.${table} where block_num >= $1`, [at])
  }
  t.equal(await prove(source, 2n), null, 'the certificate was in the orphaned block')
  telos.idle(1)
  await write(pool, telos, store, at)
  t.same(await prove(source, 2n), await prove(store, 2n))
})

t.test('a store that starts from peaks is read from the database', async (t) => {
  const { pool } = await testDatabase(t, { chains: ['telos'] })
  await pool.query(`select meta.add_chain('telos')`)
  const telos = ledger()
  telos.follow()
  const genesis = telos.chain.firstBlock
  const blockNum = genesis + 2
  const { tree, timestamp, lastPending } = telos.storeAt(blockNum).lineage!
  const policies = (await telos.store.policies()).slice(0, 1)
  const lineage = lineageAt({ genesis, blockNum, timestamp, peaks: tree.peaks, lastPending })
  await keepStart(pool as never, 'telos', { lineage, policies, blockId: telos.chain.idOf(blockNum)! })
  await write(pool, telos, new MemoryStore(lineage, policies), blockNum + 1)
  const source = new SqlSource(pool, 'telos')
  for (const id of [1n, 2n]) t.same(await prove(source, id), await prove(telos.store, id))
})
