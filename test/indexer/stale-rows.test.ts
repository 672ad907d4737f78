// Rows whose last change cannot be decoded are marked until they decode again or are removed, through forks, restarts
// and batches of any size. The oracle applies the blocks of the current branch one by one.
import t from 'tap'
import { compileAbi } from '../../core/antelope/abi/compile.ts'
import { abiFile } from '../../devnet/contracts/abi-file.ts'
import type { DecodedBlock, DecodedRow, UndecodedRow } from '../../indexer/decode/decoded.ts'
import { Projector } from '../../indexer/project/projector.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'

const chain = 'test'
const abi = compileAbi(abiFile('bridge.svc.telos'))
const START = Date.parse('2026-01-01T00:00:00.000Z')
const runs = process.env.HEADWATER_TEST_LONG ? 100 : 4
const firstSeed = seedFromEnvironment()

/** A change of a row of the bridge's withdrawals. */
interface Change {
  key: bigint
  /** Amount that the row has then; null when it cannot be decoded. */
  amount: bigint | null
  present: boolean
}

interface Block {
  num: number
  id: string
  prevId: string
  changes: Change[]
}

const place = { code: 'bridge.svc', scope: 'bridge.svc', scopeRaw: 0n, table: 'wdraws' }

function rowOf({ key, amount, present }: Change): DecodedRow {
  const frame = abi.encodeRow('wdraws', {
    ...{ id: key, domain: 1n, owner: 'alice', quantity: { amount, precision: 8, symbol: 'WAX' } },
    ...{ vault: new Uint8Array(20), token: new Uint8Array(20), recipient: new Uint8Array(20) },
    ...{ deadline: 1n, fee: 0n, time: 0, status: 0 },
  })
  const data = abi.decodeRow('wdraws', frame)
  return { ...place, primaryKey: key, present, data, frame, start: 0, end: frame.length }
}

function broken({ key, present }: Change): UndecodedRow {
  return { ...place, primaryKey: key, present, raw: Uint8Array.of(1, 2), reasonCode: 'TRUNCATED', reason: 'too short' }
}

function decoded({ num, id, prevId, changes }: Block, lib: number): DecodedBlock {
  return {
    ...{
      num,
      id,
      prevId,
      time: START + num * 500,
      producer: 'producer1',
      lib: { num: lib, id: '' },
      head: { num, id },
    },
    ...{ actions: [], undecoded: [], abiChanges: [] },
    rows: changes.filter(({ amount }) => amount !== null).map(rowOf),
    undecodedRows: changes.filter(({ amount }) => amount === null).map(broken),
  }
}

/** Current rows and marks as text. */
function replay(blocks: readonly Block[]): string[] {
  const rows = new Map<bigint, bigint>()
  const marks = new Map<bigint, number>()
  for (const { num, changes } of blocks) {
    for (const { key, amount, present } of changes) {
      if (present && amount === null) marks.set(key, num)
      else marks.delete(key)
      if (!present) rows.delete(key)
      else if (amount !== null) rows.set(key, amount)
    }
  }
  return [
    ...[...rows].map(([key, amount]) => `row ${key}: ${amount}`),
    ...[...marks].map(([key, num]) => `mark ${key}: ${num}`),
  ].sort()
}

const found = (side: string) => `
  select 'row ' || id || ': ' || amount as line from ${side}.wdraws where chain = 'test'
  union all select 'mark ' || primary_key || ': ' || changed_block from ${side}.stale_rows where chain = 'test'
    and current_table = 'wdraws' and current_key = array[primary_key::text] and not removed`

for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
  t.test(`marks match the current branch after every commit (HEADWATER_SEED=${seed})`, async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['test'] })
    const random = new Random(seed)
    const blocks: Block[] = []
    let lib = 1
    let branch = 0
    const open = async () => {
      const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null })
      const projector = new Projector({ chain, accounts: { bridge: 'bridge.svc' }, tokenContracts: '*' })
      projector.stale.load(await writer.staleMarks())
      return { writer, projector }
    }
    let { writer, projector } = await open()
    const changes = () => {
      const made = new Map<bigint, Change>()
      for (let count = random.integer(0, 3); count > 0; count--) {
        const key = BigInt(random.integer(0, 4))
        const amount = random.chance(0.4) ? null : BigInt(random.integer(1, 1000))
        made.set(key, { key, amount, present: random.chance(0.8) })
      }
      return [...made.values()]
    }
    for (let step = 0; step < 25; step++) {
      // A fork goes back to the last irreversible block at most.
      const depth = random.chance(0.3) ? random.integer(0, Math.max(0, blocks.length + 1 - lib)) : 0
      blocks.length -= depth
      const batch = writer.newBatch()
      const before = lib
      const count = random.integer(1, 4)
      for (let i = 0; i < count; i++) {
        const num = (blocks.at(-1)?.num ?? 1) + 1
        const id = num.toString(16).padStart(8, '0') + (++branch).toString(16).padStart(56, '0')
        const block = { num, id, prevId: blocks.at(-1)?.id ?? '00'.repeat(32), changes: changes() }
        blocks.push(block)
        if (i > 0 && random.chance(0.3)) lib = Math.max(lib, random.integer(before, num) - 1)
        batch.add(projector.project(decoded(block, lib)))
      }
      lib = Math.max(lib, 1)
      await writer.commit(batch)
      if (random.chance(0.15)) {
        await writer.close()
        ;({ writer, projector } = await open())
      }
      const lines = async (side: string) => (await pool.query(found(side))).rows.map(({ line }) => line).sort()
      if (!t.same(await lines('state'), replay(blocks), `after commit ${step}`)) break
      const final = replay(blocks.filter(({ num }) => num <= lib))
      if (!t.same(await lines('settled'), final, `irreversible after commit ${step}`)) break
    }
    await writer.close()
  })
}
