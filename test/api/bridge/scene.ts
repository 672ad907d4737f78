// The bridge in every state, as rows that this file writes into the tables. telos has the ledger; wax and the EVM chain of
// domain 1 are indexed, bsc is not. Tests compute their expectations from the constants here.
import type { Pool } from 'pg'
import type { ServerOptions } from '../../../api/server.ts'
import type { EvmChainConfig } from '../../../config/evm-schema.ts'
import { loadConfig } from '../../../config/load.ts'
import { insert } from '../../migrations/rows.ts'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

export const WAX = '1181148696416462999'
/** Time of the last block of every chain. */
export const NOW = Date.parse('2026-03-01T12:00:00Z')
export const SECOND = 1000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** Last blocks and last irreversible blocks. */
export const HEAD = 10_000
export const LIB = 9990
/** The last block under a root with a strong certificate. */
export const PROVED = 9980

export const ADDRESS = `0x${'aa'.repeat(20)}`
export const VAULT = `0x${'11'.repeat(20)}`
export const WITHDRAWALS = `0x${'22'.repeat(20)}`
export const LIGHT_CLIENT = `0x${'33'.repeat(20)}`
export const USDC = `0x${'70'.repeat(20)}`
export const NATIVE = `0x${'00'.repeat(20)}`
export const raw = (address: string) => Buffer.from(address.slice(2), 'hex')
export const text = (plain: string) => Buffer.from(plain)

type Row = Record<string, unknown>
type Fact = [table: string, row: Row]

export interface When {
  /** Milliseconds before NOW. */
  ago?: number
  block?: number
  /** Seed of the transaction id. */
  trx?: number
}

export class Scene {
  readonly database: TestDatabase
  private sequence = 0
  private trx = 0

  constructor(database: TestDatabase) {
    this.database = database
  }

  get pool(): Pool {
    return this.database.pool
  }

  /** Adds rows of one transaction. @returns its id */
  async add(when: When, ...facts: Fact[]): Promise<string> {
    const id = Buffer.alloc(32, 0xe0)
    id.writeUInt32BE(when.trx ?? ++this.trx)
    const place = { block_num: when.block ?? 9000, block_time: new Date(NOW - (when.ago ?? HOUR)), trx_id: id }
    for (const [table, row] of facts) {
      const { trx_id: _, ...block } = place
      const at = table === 'bridge_logs' ? block : { ...place, global_seq: ++this.sequence }
      await this.pool.query(...statement(`ledger.${table}`, { ...at, ...row }))
    }
    return id.toString('hex')
  }

  async run(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.pool.query(sql, values)).rows
  }
}

/** A deposit into the vault of domain 1. */
export function vaultDeposit(nonce: number, more: Row = {}): Fact {
  const parties = {
    contract: raw(VAULT),
    log_index: 0,
    token: raw(USDC),
    from_address: raw(ADDRESS),
    refund_to: raw(ADDRESS),
  }
  const amounts = { amount: 5_000_000, canonical: 5_000_000, fill_fee: 0, filler: 0 }
  return [
    'vault_deposits',
    { chain: 'mainnet', nonce, ...parties, ...amounts, telos_to: 'alice', memo: text(''), ...more },
  ]
}

/** A deposit on wax. */
export function deplog(nonce: number, more: Row = {}): Fact {
  const token = {
    token_contract: 'wrap.svc',
    token_symbol: 'USDC',
    token_decimals: 6,
    raw: 3_000_000,
    canonical: 3_000_000,
  }
  return [
    'deposits',
    { chain: 'wax', nonce, ...token, bridge: 'bridge.svc', sender: 'carol', beneficiary: 'alice', memo: '', ...more },
  ]
}

/** The ledger chain's outcome of a deposit. */
export function arrival(type: string, domain: string, nonce: number, more: Row = {}): Fact {
  const quantity = { amount: 5_000_000, symbol: 'USDC', decimals: 6 }
  return ['deposit_events', { chain: 'telos', domain, nonce, type, account: 'alice', ...quantity, ...more }]
}

export function bounce(domain: string, nonce: number, withdrawalId: number): Fact {
  const row = {
    account: null,
    amount: null,
    symbol: null,
    decimals: null,
    refund_to: raw(ADDRESS),
    withdrawal_id: withdrawalId,
  }
  return arrival('bounced', domain, nonce, row)
}

export function burn(id: number, domain: string, more: Row = {}): Fact {
  const evm = domain.length < 10
  const far = evm
    ? { vault: raw(VAULT), token: raw(USDC), recipient: raw(ADDRESS) }
    : { vault: text('bridge.svc'), token: text('wrap.svc'), recipient: text('bob') }
  const deadline = Math.floor(NOW / 1000) + 6 * 86_400
  const row = {
    chain: 'telos',
    id,
    domain,
    ...far,
    amount: 4_000_000,
    fee: 0,
    deadline,
    memo: text(''),
    sender: 'alice',
  }
  return ['withdrawals', { ...row, symbol: 'USDC', decimals: 6, ...more }]
}

/** A burn and the position of its action, from which a proof can be made. */
export function provenBurn(id: number, domain: string, more: Row = {}): Fact[] {
  const leaf = { chain: 'telos', name: 'wdlog', id, action_index: id, recv_sequence: 1 }
  return [burn(id, domain, more), ['bridge_logs', { ...leaf, witness: text(''), data: text(''), leaves: text('') }]]
}

export function told(type: string, id: number, more: Row = {}): Fact {
  return ['withdrawal_events', { chain: 'telos', id, type, ...more }]
}

export function outcome(type: string, id: number, more: Row = {}): Fact {
  const paid = { token: raw(USDC), recipient: raw(ADDRESS), amount: 4_000_000, fee: 0 }
  return ['withdrawal_outcomes', { chain: 'mainnet', id, type, contract: raw(VAULT), log_index: 0, ...paid, ...more }]
}

export function hoplog(
  id: number,
  from: [domain: string, nonce: number],
  to: string,
  withdrawalId: number,
  more: Row = {},
): Fact {
  const way = to === '1' ? { recipient: ADDRESS, back: 'carol' } : { recipient: 'bob', back: ADDRESS }
  const row = {
    chain: 'telos',
    id,
    src_domain: from[0],
    src_nonce: from[1],
    dst_domain: to,
    back_domain: from[0],
    ...way,
  }
  return ['hops', { ...row, amount: 5_000_000, symbol: 'USDC', decimals: 6, withdrawal_id: withdrawalId, ...more }]
}

export const TO_WAX = text(`${WAX}:bob|1:${ADDRESS}`)
export const TO_EVM = `1:${ADDRESS}|${WAX}:carol`

export interface SceneOptions {
  /** Without finality rows, an irreversible burn counts as provable. */
  followed?: boolean
}

export async function openScene(
  t: { teardown(work: () => Promise<void>): void },
  { followed = true }: SceneOptions = {},
): Promise<Scene> {
  const write = async ({ pool }: TestDatabase) => {
    await writeBase(pool)
    if (followed) await writeFinality(pool)
  }
  const scene = { name: followed ? 'bridge' : 'bridge_unfollowed', write }
  return new Scene(await testDatabase(t, { chains: ['telos', 'wax', 'mainnet'], scene }))
}

async function writeBase(pool: Pool): Promise<void> {
  const ids = {
    telos: '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11',
    wax: null,
    mainnet: 'eip155:1',
  }
  for (const [chain, id] of Object.entries(ids)) {
    await pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ($1, $2, 1, $3, repeat('0a', 32), $4, $5, $3, gen_random_uuid(), true)`,
      [chain, id, HEAD, new Date(NOW), LIB],
    )
    await insert(pool, 'ledger.blocks', {
      chain,
      block_num: LIB,
      block_id: text('b'),
      prev_id: text('a'),
      block_time: new Date(NOW - MINUTE),
      producer: 'p',
    })
    await pool.query('select meta.build_indexes($1)', [chain])
  }
  const play = (chain: string, role: string, account: string, domain: string | null = null) =>
    insert(pool, 'meta.accounts', { chain, role, account, domain })
  for (const chain of ['telos', 'wax'])
    for (const role of ['bridge', 'wrap', 'hop']) await play(chain, role, `${role}.svc`)
  await play('telos', 'gateway', 'gateway.evm', '1')
  await play('telos', 'gateway', 'gateway.wax', WAX)
  await play('mainnet', 'vault', VAULT)
  await play('mainnet', 'withdrawals', WITHDRAWALS)
  await play('mainnet', 'lightclient', LIGHT_CLIENT)
  await writeRoutes(pool)
}

async function writeRoutes(pool: Pool): Promise<void> {
  const route = (id: number, domain: string, symbol: string, decimals: number, more: Row) =>
    insert(pool, 'state.bridge_routes', {
      ...{
        chain: 'telos',
        id,
        domain,
        wrapped_contract: 'wrap.svc',
        wrapped_symbol: symbol,
        wrapped_decimals: decimals,
      },
      ...{
        scale: 1,
        min: 1_000_000,
        max: 100_000_000_000,
        backing: 50_000_000_000,
        deposits_open: true,
        withdrawals_open: true,
      },
      ...more,
    })
  await route(0, '1', 'USDC', 6, { vault: raw(VAULT), token: raw(USDC) })
  await route(1, '1', 'ETH', 8, {
    vault: raw(VAULT),
    token: raw(NATIVE),
    scale: '10000000000',
    min: 100_000,
    max: 100_000_000_000,
    backing: 700_000_000,
  })
  await route(2, WAX, 'USDC', 6, {
    vault: text('bridge.svc'),
    token: text('wrap.svc'),
    min: 2_000_000,
    backing: 9_000_000_000,
  })
  await route(3, WAX, 'WAX', 8, { vault: text('bridge.svc'), token: text('eosio.token'), withdrawals_open: false })
  await route(4, '56', 'BNB', 8, {
    vault: raw(VAULT),
    token: raw(NATIVE),
    scale: '10000000000',
    deposits_open: false,
    backing: 5,
  })
}

/** One block with a strong certificate, and one with a weak certificate, which proves nothing. */
async function writeFinality(pool: Pool): Promise<void> {
  const zero = Buffer.alloc(32)
  const digests = {
    finality_mroot: zero,
    policy_digest: zero,
    action_mroot: zero,
    reversible_mroot: zero,
    claim_digest: zero,
    base_digest: zero,
    finality_digest: zero,
  }
  const numbers = {
    slot: 1,
    parent_slot: 0,
    policy_start: 0,
    active_generation: 1,
    last_pending_generation: 1,
    claim_slot: 0,
  }
  for (const [num, claim] of [
    [PROVED + 2, PROVED],
    [PROVED + 4, PROVED + 2],
  ] as const) {
    const block = { chain: 'telos', block_num: num, block_time: new Date(NOW - MINUTE) }
    await pool.query(
      ...statement('ledger.finality', { ...block, ...numbers, ...digests, claim_num: claim, nodes: zero }),
    )
    const strong = claim === PROVED
    await pool.query(
      ...statement('ledger.certificates', {
        ...block,
        block_num: num + 1,
        target: num,
        strong,
        verified: true,
        certificate: zero,
      }),
    )
  }
}

function statement(table: string, row: Row): [string, unknown[]] {
  const names = Object.keys(row)
  return [
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  ]
}

/** An EVM chain as shipped, with the contracts of the scene. */
export function evmChain(urls: string[] = [], contracts: Partial<EvmChainConfig['contracts']> = {}): EvmChainConfig {
  const { config } = loadConfig({ env: {}, program: { chains: ['mainnet'] } })
  const shipped = config.evm[0] as EvmChainConfig
  const own = { vaults: [VAULT], withdrawals: [WITHDRAWALS], lightClients: [LIGHT_CLIENT], ...contracts }
  return { ...shipped, contracts: own, source: { ...shipped.source, urls } }
}

export const BASE = '/api/bridge/v1'

export async function bridgeApi(
  t: { teardown(work: () => Promise<void>): void },
  { database }: Scene,
  { evm = [evmChain()], ...bridge }: { evm?: EvmChainConfig[] } & NonNullable<ServerOptions['bridge']> = {},
): Promise<TestApi> {
  const chains = ['telos', 'wax'].map((chain) => testChain(chain))
  return testApi(t, database, { chains, evm, bridge })
}
