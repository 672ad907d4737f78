// Lists and lookups of the bridge API over a long history. Half of the legs are deposits, from an EVM chain and from
// wax; half are withdrawals. Half of all deposits are journeys over the hop contract. One leg in five hundred is open.
// Usage: node --import tsx bench/bridge.ts [legs] [rounds]

import pg from 'pg'
import { createServer } from '../api/server.ts'
import { itemAt } from '../core/required.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const legs = Number(process.argv[2] || 100_000)
const rounds = Number(process.argv[3] || 50)
const each = Math.floor(legs / 4)
const WAX = '1181148696416462999'
const BASE = '/api/bridge/v1'
/** One leg in this many is open. */
const OPEN = 500

const database = await benchDatabase('headwater_bench_bridge')
try {
  console.log(hardware())
  const pool = new pg.Pool({ connectionString: database.url, options: '-c timezone=UTC' })
  // The server stops before the last connection closes.
  pool.on('error', () => {})
  await write(pool)
  const app = createServer({ pool, chains: [], maxLagSeconds: 60, version: '0.0.0', maxDelay: 0 })
  await app.ready()
  const first = performance.now()
  await ask('transfers?status=provable')
  console.log(`the first look for open legs, all of history: ${(performance.now() - first).toFixed(0)} ms`)

  const any = (n: number) => 1 + Math.floor(Math.random() * n)
  const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  const lastSecond = Math.floor(Date.parse('2026-01-01T00:00:00Z') / 1000) + each
  const questions: Record<string, () => string> = {
    'newest legs': () => 'transfers',
    'newest deposits': () => 'transfers?direction=deposit',
    'newest journeys': () => 'hops',
    'a page far back': () => `transfers?before=${lastSecond - any(each)}`,
    'legs of an address': () => `transfers?address=${address(any(each))}`,
    'legs of an account': () => `transfers?account=user${any(9)}`,
    'journeys of an address': () => `hops?party=${address(any(each))}`,
    'legs by transaction': () => `transfers?tx=${any(each).toString(16).padStart(64, '0')}`,
    ...Object.fromEntries(
      ['seen', 'provable', 'credited', 'parked', 'forwarded', 'bounced', 'released', 'expired', 'refunded'].map(
        (status) => [`legs ${status}`, () => `transfers?status=${status}`],
      ),
    ),
    'a deposit': () => `transfers/d:1:${any(each)}`,
    'a withdrawal': () => `transfers/w:${any(2 * each)}`,
    'a journey': () => `hops/d:1:${any(each)}`,
    routes: () => 'routes',
    chains: () => 'chains',
    pending: () => 'pending',
  }
  console.log(`${4 * each} legs, ${rounds} rounds, milliseconds:`)
  for (const [what, path] of Object.entries(questions)) {
    const times: number[] = []
    let rows = 0
    for (let round = 0; round < rounds; round++) {
      // A block comes before every second request, so that no answer comes from a cache.
      if (round % 2 === 1)
        await pool.query(`update meta.position set block_id = md5(random()::text) || md5(random()::text)`)
      const started = performance.now()
      rows = await ask(path())
      times.push(performance.now() - started)
    }
    times.sort((one, other) => one - other)
    const at = (share: number) => itemAt(times, Math.ceil(share * times.length) - 1).toFixed(1)
    console.log(`  ${what}: p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)} (${rows} rows)`)
  }
  await app.close()
  await pool.end()

  async function ask(path: string): Promise<number> {
    const { statusCode, payload } = await app.inject({ url: `${BASE}/${path}` })
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${payload}`)
    const body = JSON.parse(payload)
    return (Object.values(body).find(Array.isArray) ?? [1]).length
  }
} finally {
  await database.close()
}

async function write(pool: pg.Pool): Promise<void> {
  const started = performance.now()
  for (const [chain, id] of [
    ['telos', null],
    ['wax', null],
    ['mainnet', 'eip155:1'],
  ] as const) {
    await pool.query('select meta.add_chain($1)', [chain])
    await pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ($1, $2, 1, 2000000, repeat('0a', 32), '2026-01-01'::timestamptz + $3 * interval '1 second', 1999990, 2000000, gen_random_uuid(), true)`,
      [chain, id, each],
    )
  }
  await pool.query(`insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
    select chain, 1999990, 'b', 'a', block_time - interval '5 seconds', 'p' from meta.position`)
  await pool.query(
    `insert into meta.accounts values ('telos', 'bridge', 'bridge.svc', null), ('telos', 'hop', 'hop.svc', null), ('telos', 'gateway', 'gateway.evm', 1)`,
  )
  await pool.query(`insert into state.bridge_routes values
    ('telos', 0, 1, decode(repeat('11', 20), 'hex'), decode(repeat('70', 20), 'hex'), 'wrap.svc', 'USDC', 6, 1, 1, 1000, 5000, true, true),
    ('telos', 1, ${WAX}, 'bridge.svc', 'wrap.svc', 'wrap.svc', 'USDC', 6, 1, 1, 1000, 5000, true, true)`)
  const common = 'chain, block_time, global_seq, block_num, trx_id'
  const at = (offset: number, more = '0') =>
    `'2026-01-01'::timestamptz + (g + ${more}) * interval '1 second', g::int8 * 8 + ${offset}, 1000 + g, decode(lpad(to_hex(g), 64, '0'), 'hex')`
  const bytes = `decode(lpad(to_hex(g), 40, '0'), 'hex')`
  const vault = `decode(repeat('11', 20), 'hex')`
  const token = `decode(repeat('70', 20), 'hex')`
  const memo = `case when g % 2 = 0 then convert_to('${WAX}:user' || g || '|1:0x' || encode(${bytes}, 'hex'), 'UTF8') else '' end`
  const to = `case when g % 2 = 0 then 'hop.svc' else 'user' || g % 10000 end`
  const series = `generate_series(1, ${each}) g`
  const done = `g % ${OPEN} <> 0`
  const event = 'nonce, domain, type, account, amount, symbol, decimals'
  const arrived = (type: string) => `${type}, ${to}, 5, 'USDC', 6`
  const burnt = 'id, domain, vault, token, recipient, amount, deadline, fee, memo, sender, symbol, decimals'
  await pool.query(`
    insert into ledger.vault_deposits (${common}, nonce, contract, log_index, token, from_address, amount, canonical, telos_to, refund_to, fill_fee, filler, memo)
      select 'mainnet', ${at(0)}, g, ${vault}, 0, ${token}, ${bytes}, 5, 5, ${to}, ${bytes}, 0, 0, ${memo} from ${series};
    insert into ledger.deposits (${common}, nonce, bridge, token_contract, token_symbol, token_decimals, sender, raw, canonical, beneficiary, memo)
      select 'wax', ${at(0)}, g, 'bridge.svc', 'wrap.svc', 'USDC', 6, 'user' || g % 10000, 5, 5, 'user' || g % 10000, '' from ${series};
    insert into ledger.deposit_events (${common}, ${event})
      select 'telos', ${at(1, '60')}, g, 1, ${arrived(`case when g % 2 = 0 then 'parked' else 'credited' end`)} from ${series} where ${done};
    insert into ledger.deposit_events (${common}, ${event})
      select 'telos', ${at(2, '60')}, g, ${WAX}, 'credited', 'user' || g % 10000, 5, 'USDC', 6 from ${series} where ${done};
    insert into ledger.deposit_events (${common}, ${event})
      select 'telos', ${at(3, '90')}, g, 1, ${arrived(`case when g % 5000 = 2 then 'bounced' else 'forwarded' end`)} from ${series} where ${done} and g % 2 = 0;
    insert into ledger.withdrawals (${common}, ${burnt})
      select 'telos', ${at(4, '90')}, g, ${WAX}, 'bridge.svc', 'wrap.svc', convert_to('user' || g % 10000, 'UTF8'), 5, 1900000000, 0, '', 'hop.svc', 'USDC', 6 from ${series};
    insert into ledger.withdrawals (${common}, ${burnt})
      select 'telos', ${at(5, '90')}, g + ${each}, 1, ${vault}, ${token}, ${bytes}, 5, 1900000000, 0, '', 'user' || g % 10000, 'USDC', 6 from ${series};
    insert into ledger.hops (${common}, id, src_domain, src_nonce, dst_domain, recipient, back_domain, back, amount, symbol, decimals, withdrawal_id)
      select 'telos', ${at(6, '90')}, g, 1, g, ${WAX}, 'user' || g % 10000, 1, '0x' || encode(${bytes}, 'hex'), 5, 'USDC', 6, g from ${series} where ${done} and g % 2 = 0;
    insert into ledger.withdrawal_events (${common}, id, type) select 'wax', ${at(1, '190')}, g, 'paid' from ${series} where ${done};
    insert into ledger.withdrawal_outcomes (${common}, id, type, contract, log_index, token, amount, fee)
      select 'mainnet', ${at(1, '190')}, g + ${each}, case when g % 5000 = 7 then 'expired' else 'released' end, ${vault}, 0, ${token}, 5, 0 from ${series} where ${done};
    insert into ledger.withdrawal_events (${common}, id, type, account) select 'telos', ${at(7, '290')}, g + ${each}, 'refunded', 'alice' from ${series} where g % 10000 = 7`)
  for (const chain of ['telos', 'wax', 'mainnet']) await pool.query('select meta.build_indexes($1)', [chain])
  await pool.query('analyze')
  console.log(`history made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
