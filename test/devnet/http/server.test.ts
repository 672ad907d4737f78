import t from 'tap'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import type { Contract } from '../../../devnet/chain/contract.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import type { Plain } from '../wharf.ts'

const fields = (members: Record<string, string>) => Object.entries(members).map(([name, type]) => ({ name, type }))

const abi: AbiDefinition = {
  version: 'eosio::abi/1.2',
  types: [{ new_type_name: 'key', type: 'uint64' }],
  structs: [
    { name: 'put', base: '', fields: fields({ id: 'key', scope: 'name' }) },
    { name: 'base', base: '', fields: fields({ id: 'key' }) },
    {
      name: 'row',
      base: 'base',
      fields: fields({
        small: 'uint64',
        wide: 'uint64',
        minus: 'int64',
        huge: 'uint128',
        yes: 'bool',
        price: 'float64',
        quantity: 'asset',
        token: 'extended_asset',
        sym: 'symbol',
        at: 'time_point_sec',
        micro: 'time_point',
        slot: 'block_timestamp_type',
        owner: 'name',
        raw: 'bytes',
        maybe: 'uint64?',
        nothing: 'uint64?',
        list: 'uint64[]',
        either: 'choice',
        later: 'string$',
      }),
    },
  ],
  actions: [{ name: 'put', type: 'put' }],
  tables: [{ name: 'rows', type: 'row' }],
  variants: [{ name: 'choice', types: ['uint8', 'asset'] }],
}

const wax = (amount: bigint) => ({ amount, precision: 8, symbol: 'WAX' })

const contract: Contract = {
  account: 'table.svc',
  abi,
  apply({ action, db, now }) {
    const { id, scope } = action.data as { id: bigint; scope: string }
    db.set('rows', scope, id, {
      id,
      small: 4294967295n,
      wide: 4294967296n,
      minus: -5000000000n,
      huge: 7n,
      yes: true,
      price: 0.5,
      quantity: wax(123n),
      token: { quantity: wax(-100_000_000n), contract: 'eosio.token' },
      sym: { precision: 4, code: 'TLM' },
      at: TimePoint.ofMs(now),
      micro: BigInt(now) * 1000n + 250_000n,
      slot: now + 500,
      owner: 'swap.svc',
      raw: new Uint8Array([1, 255]),
      maybe: 9n,
      nothing: null,
      list: [1n, 2n ** 64n - 1n],
      either: ['asset', wax(1n)],
    })
  },
}

const put = (id: bigint, scope: string) => ({
  account: 'table.svc',
  name: 'put',
  authorization: [{ actor: 'table.svc', permission: 'active' }],
  data: { id, scope },
})

const startTime = Date.parse('2026-01-01T00:00:00Z')
const chain = new Chain({ chainId: '12'.repeat(32), seed: 'http', startTime, contracts: [contract] })
const big = 2n ** 64n - 1n
chain.produce({
  time: startTime + 1000,
  transactions: [[1n, 2n, 5n, 7n, big].map((id) => put(id, 'table.svc')), [put(3n, '')]],
})
for (let i = 0; i < 4; i++) chain.produce()
const server = await startHttp(chain)
t.teardown(() => server.stop())

async function post(path: string, body: object = {}) {
  const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Plain }
}
const query = (options: object) =>
  post('/v1/chain/get_table_rows', { code: 'table.svc', scope: 'table.svc', table: 'rows', json: true, ...options })

t.test('table rows in the JSON form of a real node', async (t) => {
  const { body } = await query({ limit: 1 })
  t.same(body, {
    rows: [
      {
        id: 1,
        small: 4294967295,
        wide: '4294967296',
        minus: '-5000000000',
        huge: '7',
        yes: 1,
        price: '0.50000000000000000',
        quantity: '0.00000123 WAX',
        token: { quantity: '-1.00000000 WAX', contract: 'eosio.token' },
        sym: '4,TLM',
        at: '2026-01-01T00:00:01',
        micro: '2026-01-01T00:00:01.250',
        slot: '2026-01-01T00:00:01.500',
        owner: 'swap.svc',
        raw: '01ff',
        maybe: 9,
        nothing: null,
        list: [1, '18446744073709551615'],
        either: ['asset', '0.00000001 WAX'],
      },
    ],
    more: true,
    next_key: '2',
  })
  const packed = await query({ limit: 1, json: false, show_payer: true })
  t.match(packed.body.rows, [{ data: /^0100000000000000ffffffff00000000/, payer: 'table.svc' }])
})

t.test('bounds, pages, reverse order, scopes', async (t) => {
  const ids = async (options: object) => {
    const { body } = await query(options)
    return [body.rows.map(({ id }: { id: unknown }) => id), body.more, body.next_key]
  }
  t.same(await ids({}), [[1, 2, 5, 7, String(big)], false, ''])
  t.same(await ids({ limit: 2, lower_bound: '2' }), [[2, 5], true, '7'])
  t.same(await ids({ lower_bound: 3, upper_bound: 7 }), [[5, 7], false, ''])
  t.same(await ids({ reverse: true, limit: 2 }), [[String(big), 7], true, '5'])
  t.same(await ids({ reverse: true, upper_bound: '5', limit: 1 }), [[5], true, '2'])
  t.same(await ids({ lower_bound: String(big) }), [[String(big)], false, ''])
  t.same(await ids({ scope: 0 }), [[3], false, ''], 'a scope given as a number')
  t.same(await ids({ scope: 'nobody' }), [[], false, ''])
  const { body } = await post('/v1/chain/get_table_by_scope', { code: 'table.svc', limit: 1 })
  t.same(body, {
    rows: [{ code: 'table.svc', scope: '', table: 'rows', payer: 'table.svc', count: 1 }],
    more: 'table.svc',
  })
})

t.test('unknown accounts, tables and blocks get errors in the form of a real node', async (t) => {
  t.match(await query({ table: 'nothing' }), { status: 500, body: { error: { what: /nothing is not specified/ } } })
  t.match(await query({ code: 'nobody' }), { status: 500, body: { code: 500, error: { code: 3060002 } } })
  t.match(await query({ index_position: 2 }), { status: 500 })
  t.match(await query({ lower_bound: 'NO NAME' }), { status: 500 })
  t.equal((await post('/v1/chain/get_nothing')).status, 404)
  const broken = await fetch(`${server.url}/v1/chain/get_table_rows`, { method: 'POST', body: '{' })
  t.equal(broken.status, 400)
})

t.test('info, blocks and ABIs', async (t) => {
  const { body } = await post('/v1/chain/get_info')
  t.match(body, {
    chain_id: chain.chainId,
    head_block_num: 7,
    head_block_id: chain.head.id,
    head_block_time: '2026-01-01T00:00:03.000',
    last_irreversible_block_num: 5,
    last_irreversible_block_id: chain.lib.id,
  })
  const block = await post('/v1/chain/get_block_info', { block_num: 3 })
  t.match(block.body, { id: chain.idOf(3), previous: chain.idOf(2), timestamp: '2026-01-01T00:00:01.000' })
  t.equal((await post('/v1/chain/get_block_info', { block_num: 99 })).status, 500)
  const known = await post('/v1/chain/get_abi', { account_name: 'table.svc' })
  t.match(known.body.abi.tables, [{ name: 'rows', type: 'row' }])
  const raw = await post('/v1/chain/get_raw_abi', { account_name: 'table.svc' })
  t.equal(Buffer.from(raw.body.abi, 'base64').subarray(1, 15).toString(), 'eosio::abi/1.2')
})
