// Verifies a chain in the database: its blocks are linked, derived rows follow from the ledger, current rows agree with
// the ledger and each other. Reads one snapshot, so the chain may be indexed meanwhile. Changes nothing.
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { checkAmm } from './amm/check-amm.ts'
import { checkCandles } from './candles.ts'
import { checkOrders, checkSupplies, GENESIS_BLOCKS } from './consistency.ts'
import { checkDeposits } from './deposits.ts'
import { type ChainDigest, digestChain } from './digest.ts'
import { type ChainEnd, checkLinkage } from './linkage.ts'
import type { CheckReport } from './report.ts'
import { EXPORT_SNAPSHOT, POSITION, SETTINGS, SNAPSHOT } from './sql.ts'
import { readTables, type VerifiedTable } from './tables.ts'

export interface VerifyReport {
  chain: string
  /** First and last indexed block. */
  firstBlock: number
  block: number
  blockId: string
  lib: number
  checks: CheckReport[]
  digest: ChainDigest
  /** Whether no check found a difference. */
  ok: boolean
}

export interface VerifyOptions {
  /** Called before each check with its name. */
  onCheck?: (name: string) => void
}

/**
 * @param url  connection string of a role that may read ledger, state and derive: the owner or the writer
 * @throws UserError UNKNOWN_CHAIN when nothing of the chain is indexed
 */
export async function verifyChain(url: string, chain: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const onCheck = options.onCheck ?? (() => {})
  return await inSnapshot(url, async (client, second) => {
    const end = await readEnd(client, chain)
    const tables = await readTables(client)
    const checks = await runChecks({ client, second, chain, end, tables, onCheck })
    const deposits = await checkDeposits(client, chain)
    if (deposits) {
      onCheck('deposits')
      checks.push(deposits)
    }
    onCheck('digest')
    const digest = await digestChain(client, chain, tables)
    const { firstBlock, block, id: blockId, lib } = end
    return {
      chain,
      firstBlock,
      block,
      blockId,
      lib,
      checks,
      digest,
      ok: checks.every(({ differing }) => differing === 0),
    }
  })
}

/**
 * Checks the rows of an Antelope chain that has no position yet.
 *
 * @param url  as for `verifyChain`
 * @param end  the first and the last block that its rows must have
 */
export async function checkUnfinished(url: string, chain: string, end: ChainEnd): Promise<CheckReport[]> {
  return inSnapshot(url, async (client, second) => {
    const tables = await readTables(client)
    return runChecks({ client, second, chain, end, tables, onCheck() {} })
  })
}

interface Checks {
  client: pg.Client
  second: pg.Client
  chain: string
  end: ChainEnd
  tables: VerifiedTable[]
  onCheck: (name: string) => void
}

async function runChecks({ client, second, chain, end, tables, onCheck }: Checks): Promise<CheckReport[]> {
  const complete = end.firstBlock <= GENESIS_BLOCKS
  const checks: CheckReport[] = []
  const check = async (name: string, run: () => Promise<CheckReport>) => {
    onCheck(name)
    checks.push(await run())
  }
  await check('linkage', () => checkLinkage(client, chain, end, tables))
  await check('candles', () => checkCandles(client, chain))
  await check('amm', () => checkAmm(client, second, chain, complete))
  await check('supplies', () => checkSupplies(client, chain, complete))
  await check('orders', () => checkOrders(client, chain, complete))
  return checks
}

async function readEnd(client: pg.ClientBase, chain: string): Promise<ChainEnd> {
  const row = (await client.query(POSITION, [chain])).rows[0]
  if (!row) {
    throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${chain} is indexed in this database`, {
      hint: 'see `headwater status` for the chains that are',
      place: { chain },
    })
  }
  return { firstBlock: Number(row.firstBlock), block: Number(row.block), id: row.id, lib: Number(row.lib) }
}

/** Two connections with the same snapshot: one streams while the other reads single rows. */
async function inSnapshot<T>(url: string, run: (client: pg.Client, second: pg.Client) => Promise<T>): Promise<T> {
  const clients = [0, 1].map(() => openClient({ connectionString: url, application_name: 'headwater verify' }))
  const [first, second] = clients as [pg.Client, pg.Client]
  try {
    for (const client of clients) {
      await client.connect()
      await client.query(SETTINGS)
      await client.query(SNAPSHOT)
    }
    const { rows } = await first.query(EXPORT_SNAPSHOT)
    await second.query(`set transaction snapshot '${rows[0].id}'`)
    return await run(first, second)
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}
