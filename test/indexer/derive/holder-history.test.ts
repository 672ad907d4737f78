// Holders at the beginnings of hours that passed while nobody counted, against the balances as they were then.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t from 'tap'
import { samplesAt } from '../../../indexer/derive/scores/holder-history.ts'
import { refreshScores } from '../../../indexer/derive/scores/refresh.ts'
import { indexChain } from '../../../indexer/run.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { LinearSource, PROFILE } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { StretchedSource } from '../value/stretched.ts'

const HOUR = 3_600_000
/** Minutes become days. */
const FACTOR = 900
const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile

t.test('holders of earlier hours follow from the changes since', (t) => {
  const changes = [
    { token: 'a', hour: 2 * HOUR, before: -3 },
    { token: 'a', hour: 1 * HOUR, before: 1 },
    { token: 'b', hour: 0, before: -7 },
  ]
  const counts = new Map([
    ['a', 10],
    ['b', 7],
    ['c', 2],
  ])
  const of = (token: string) =>
    samplesAt(counts, changes, [0, HOUR, 2 * HOUR, 3 * HOUR])
      .filter((one) => one.token === token)
      .map(({ holders }) => holders)
  t.same(of('a'), [8, 8, 7, 10])
  t.same(of('b'), [0, 7, 7, 7])
  t.same(of('c'), [2, 2, 2, 2])
  t.end()
})

t.test('hours that nobody counted are made up for', async (t) => {
  const { url, pool } = await testDatabase(t)
  const accounts = { ...PROFILE, wrap: 'wrap.svc' }
  const index = async (chain: string, endBlock?: number) => {
    const branch = new LinearSource(`${fixtures}forks.ship.gz`, Object.values(truth.canonical))
    const source = new StretchedSource(branch, FACTOR, Date.parse('2026-11-21T00:16:00Z'))
    await indexChain({
      ...{ chain, databaseUrl: url, source, endBlock, valuation: VALUATION, chainId: null, startBlock: 2, accounts },
      ...{ systemAccount: 'eosio', tokenContracts: '*' as const, signal: new AbortController().signal },
      events: {
        opened() {},
        committed() {},
        decoded() {},
        forked() {},
        retrying(error) {
          throw error
        },
      },
    })
    await pool.query('update meta.position set lib_num = block_num where chain = $1', [chain])
  }
  await index('wax')
  const moved = await addHolders(pool)
  const options = { databaseUrl: url, valuation: VALUATION, exchange: Object.values(accounts), isUrgent: true }
  const refreshed = await refreshScores({ ...options, chain: 'wax', tokenContracts: '*' })
  const { rows } = await pool.query<{ token: string; hour: Date; holders: number; block: number }>(
    `select token_id as token, hour, holders::int4, block_num::int4 as block from head.holder_counts where chain = 'wax' order by 2, 1`,
  )
  const hours = [...new Set(rows.map(({ hour }) => hour.getTime()))]
  t.equal(hours.at(-1), refreshed!.hour)
  t.equal(hours.length, 25, 'a day and the hour itself')
  // Of the day before, of six, four and two hours before, and of now.
  for (const [place, more] of [
    [0, 1],
    [18, 2],
    [20, 1],
    [22, 0],
    [24, 1],
  ] as const) {
    const hour = hours[place]!
    const own = rows.filter((row) => row.hour.getTime() === hour)
    const chain = `to-${own[0]!.block}`
    const [{ last }] = (
      await pool.query(
        `select max(block_num)::int4 as last from ledger.blocks where chain = 'wax' and block_time < $1`,
        [new Date(hour)],
      )
    ).rows
    t.ok(
      own.every(({ block }) => block === last),
      'as of the last block before the hour',
    )
    await index(chain, last)
    for (const { token, holders } of own) {
      const then = await pool.query(
        `select count(*)::int4 as n from state.balances where chain = $1 and lower(symbol) || '-' || contract = $2 and amount > 0`,
        [chain, token],
      )
      t.equal(holders, then.rows[0].n + (token === moved ? more : 0), `${token} at block ${last}`)
    }
  }
  const changes = await pool.query(
    `select count(*)::int4 as n from head.holder_counts where chain = 'wax' and hour = $1 and change_1h is not null and change_24h is not null`,
    [new Date(refreshed!.hour)],
  )
  t.ok(changes.rows[0].n > 0, 'changes of an hour and of a day are told at once')
})

/**
 * Lets somebody come to hold a token an hour and a half before the last hour, somebody else give all of it away four and a
 * half before, and a third have it from six and a half to three and a half before. Returns the token.
 */
async function addHolders(pool: Pool): Promise<string> {
  const { rows } = await pool.query(
    `select s.contract, s.symbol, s.decimals, s.issuer, date_trunc('hour', q.block_time, 'UTC') as hour from state.pools p
     join state.supplies s on s.chain = p.chain and s.contract = p.contract_a and s.symbol = p.symbol_a
     join meta.position q on q.chain = p.chain where p.chain = 'wax' order by pool_id limit 1`,
  )
  const { contract, symbol, decimals, issuer, hour } = rows[0]
  await pool.query(
    `insert into state.balances (chain, contract, symbol, account, decimals, amount) values ('wax', $1, $2, 'newcomer', $3, 5)`,
    [contract, symbol, decimals],
  )
  for (const [seq, minutes, from, to, amount] of [
    [1, 90, issuer, 'newcomer', 5],
    [2, 270, 'leaver', issuer, 7],
    [3, 390, issuer, 'guest', 3],
    [4, 210, 'guest', issuer, 3],
  ])
    await pool.query(
      `insert into ledger.transfers (chain, contract, symbol, block_num, block_time, global_seq, trx_id, decimals, from_account, to_account, amount, memo)
       select 'wax', $1, $2, min(block_num), $3, 1000000000000 + $4::int8, '\\x00', $5, $6, $7, $8, '' from ledger.blocks
       where chain = 'wax' and block_time >= $3`,
      [contract, symbol, new Date(hour.getTime() - minutes * 60_000), seq, decimals, from, to, amount],
    )
  return `${symbol.toLowerCase()}-${contract}`
}
