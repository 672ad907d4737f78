// The Hyperion API against the traces that the node sent, decoded by another library.
import t from 'tap'
import { mayScan, readBounded } from '../../../api/hyperion/bounded.ts'
import { required } from '../../../core/required.ts'
import { decodeActions } from '../../indexer/replay/actions.ts'
import { readFrames } from '../../indexer/replay/frames.ts'
import { MEDIUM_RECORDING } from '../../indexer/replay/medium-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const MEDIUM = new URL('../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Row = any

t.test('a recorded chain', async (t) => {
  const database = await testDatabase(t, { scene: MEDIUM_RECORDING })
  // A start without the full state has transfers of tokens whose supply is not known.
  await database.pool.query('delete from state.supplies')
  const api = await testApi(t, database)
  const ask = (url: string) => api.get(`/v2/${url}`)
  const get = async (url: string): Promise<Row> => {
    const { status, body } = await ask(url)
    t.equal(status, 200, url)
    return body
  }
  const traces = decodeActions(await readFrames(MEDIUM), ({ name }) => name === 'transfer').filter(
    ({ fields }) => fields?.quantity !== undefined,
  )
  t.ok(traces.length > 100, `${traces.length} transfers`)
  const actionOf = ({ fields, account, globalSeq, trxId, block }: (typeof traces)[number]) => {
    const [amount, symbol] = fields.quantity.split(' ')
    const time = new Date(block.time).toISOString().slice(0, -1)
    return {
      '@timestamp': time,
      timestamp: time,
      block_num: block.num,
      block_id: block.id,
      trx_id: trxId,
      act: { account, name: 'transfer', data: { ...fields, amount: Number(amount), symbol } },
      global_sequence: Number(globalSeq),
      producer: block.producer,
    }
  }
  const newestFirst = traces.toReversed()
  const accounts = [...new Set(traces.flatMap(({ fields, account }) => [fields.from, fields.to, account]))]

  t.test('get_actions equals the traces of every account and contract', async (t) => {
    for (const account of accounts) {
      const own = newestFirst.filter(({ fields, account: code }) => [fields.from, fields.to, code].includes(account))
      const answer = await get(`history/get_actions?account=${account}&filter=*:transfer&limit=1000`)
      t.same(answer.actions, own.slice(0, 1000).map(actionOf), `${own.length} of ${account}`)
      t.same(answer.total, { value: Math.min(own.length, 1000), relation: own.length > 1000 ? 'gte' : 'eq' })
      t.match(answer.coverage, { contracts: ['*'], actions: ['transfer'] })
    }
    for (const contract of new Set(traces.map(({ account }) => account))) {
      const own = traces.filter(({ account }) => account === contract)
      const { actions } = await get(`history/get_actions?filter=${contract}:transfer&limit=1000&sort=asc`)
      t.same(actions, own.slice(0, 1000).map(actionOf), contract)
      t.same(
        (await get(`history/get_actions?act.account=${contract}&act.name=transfer&limit=7&skip=2`)).actions,
        own.toReversed().slice(2, 9).map(actionOf),
      )
    }
  })

  t.test('times and block numbers bound a page, inclusive', async (t) => {
    const [account] = accounts as [string]
    const own = traces.filter(({ fields, account: code }) => [fields.from, fields.to, code].includes(account))
    const blockAt = (part: number) => required(own.at(own.length * part), 'a transfer').block
    const [from, to] = [blockAt(1 / 3), blockAt(1 / 2)]
    const expected = own.filter(({ block }) => block.num >= from.num && block.num <= to.num).map(actionOf)
    const url = `history/get_actions?account=${account}&filter=*:transfer&sort=asc&limit=1000`
    t.same((await get(`${url}&after=${from.num}&before=${to.num}`)).actions, expected)
    const time = (at: number) => new Date(at).toISOString().slice(0, -1)
    t.same((await get(`${url}&after=${time(from.time)}&before=${time(to.time)}`)).actions, expected)
    t.same((await get(`${url}&after=4000000000`)).actions, [])
    const { rows } = await database.pool.query(
      'select p.first_block::int4 as block, b.block_time as time from meta.position p join ledger.blocks b on b.block_num = p.first_block',
    )
    const { block, time: since } = rows[0]
    const { coverage } = await get(`${url}&before=${block}`)
    t.match(coverage, { first_block: block, first_block_time: time(since) })
    t.match((await get('health')).coverage, { first_block: block })
    for (const before of [block - 1, '2000-01-01', '0'])
      t.match(await ask(`${url}&before=${before}`), { status: 404, body: { code: 'HYPERION_HISTORY' } }, `${before}`)
  })

  t.test('get_transfers by sender, receiver, contract and symbol', async (t) => {
    for (const { fields, account } of traces.slice(0, 3)) {
      const { from, to, quantity } = fields
      const symbol = quantity.split(' ')[1]
      const like = (wanted: Record<string, string>) =>
        newestFirst
          .filter((one) =>
            Object.entries(wanted).every(
              ([name, value]) =>
                (name === 'contract'
                  ? one.account
                  : name === 'symbol'
                    ? one.fields.quantity.split(' ')[1]
                    : one.fields[name]) === value,
            ),
          )
          .slice(0, 50)
      const wishes: Record<string, string>[] = [
        { from },
        { to },
        { from, to },
        { contract: account },
        { from, symbol },
        { contract: account, symbol, to },
      ]
      for (const wanted of wishes) {
        const answer = await get(`history/get_transfers?${new URLSearchParams(wanted)}&limit=50`)
        const expected = like(wanted).map(actionOf)
        t.same(answer.actions, expected, JSON.stringify(wanted))
        t.equal(answer.action_count, expected.length)
        const sum = expected.reduce((all, { act }) => all + act.data.amount, 0)
        t.ok(Math.abs(answer.total_amount - sum) <= 1e-9 * sum)
      }
    }
  })

  t.test('get_transaction has its transfers, and says that there may be other actions', async (t) => {
    for (const { trxId } of traces.filter((_, i) => i % 40 === 0)) {
      const answer = await get(`history/get_transaction?id=${trxId.toUpperCase()}`)
      t.match(answer, { executed: true, trx_id: trxId, coverage: { actions: ['transfer'] } })
      t.same(answer.actions, traces.filter((one) => one.trxId === trxId).map(actionOf))
    }
  })

  t.test('get_tokens has the balances of the chain', async (t) => {
    for (const account of accounts.slice(0, 8)) {
      const { rows } = await database.pool.query(
        'select symbol, decimals::int4 as precision, (quantity::text)::float8 as amount, contract from head.balances where account = $1 and amount > 0 order by contract, symbol',
        [account],
      )
      t.same((await get(`state/get_tokens?account=${account}&limit=1000`)).tokens, rows, account)
      t.same((await get(`state/get_tokens?account=${account}&limit=1&skip=1`)).tokens, rows.slice(1, 2))
    }
  })

  t.test('get_tokens is refused where balances may be missing: the history began without the full state', async (t) => {
    const { rows } = await database.pool.query('select first_block, state_block from meta.position')
    await database.pool.query('update meta.position set first_block = 5, state_block = null')
    for (const account of [accounts[0], 'nobody'])
      t.match(await ask(`state/get_tokens?account=${account}`), { status: 404, body: { code: 'HYPERION_HISTORY' } })
    await database.pool.query('update meta.position set state_block = 4')
    t.match(await ask(`state/get_tokens?account=${accounts[0]}`), { status: 200 })
    await database.pool.query('update meta.position set first_block = $1, state_block = $2', [
      rows[0].first_block,
      rows[0].state_block,
    ])
  })

  t.test('health has the position', async (t) => {
    const { rows } = await database.pool.query(
      'select block_num::int4 as block, lib_num::int4 as lib from meta.position',
    )
    const { health } = await get('health')
    t.match(health, [
      { service: 'NodeosRPC', service_data: { last_irreversible_block: rows[0].lib } },
      { service: 'Elasticsearch', service_data: { last_indexed_block: rows[0].block, missing_blocks: 0 } },
    ])
  })

  t.test('what is not covered is refused with a code, never empty', async (t) => {
    const id = 'ab'.repeat(32)
    for (const [url, status, code] of [
      ['history/get_actions?account=alice', 400, 'HYPERION_ACTION'],
      ['history/get_actions?account=alice&filter=swap.svc:logswap', 400, 'HYPERION_ACTION'],
      ['history/get_actions?account=alice&filter=*:transfer,*:*', 400, 'HYPERION_ACTION'],
      ['history/get_actions?account=alice&act.name=issue', 400, 'HYPERION_ACTION'],
      ['history/get_actions?filter=*:transfer', 400, 'HYPERION_UNBOUNDED'],
      ['history/get_actions?account=alice&filter=*:transfer&act.authorization.actor=bob', 400, 'HYPERION_PARAMETER'],
      ['history/get_actions?account=alice&filter=*:transfer&simple=true', 400, 'HYPERION_PARAMETER'],
      ['history/get_actions?account=ALICE&filter=*:transfer', 400, 'HYPERION_PARAMETER'],
      ['history/get_actions?account=alice&filter=*:transfer&limit=1001', 400, 'HYPERION_PARAMETER'],
      ['history/get_actions?account=alice&filter=*:transfer&skip=9995', 400, 'HYPERION_DEPTH'],
      ['history/get_actions?account=alice&filter=*:transfer&after=yesterday', 400, 'HYPERION_PARAMETER'],
      ['history/get_actions?account=alice&filter=*:transfer&after=0000-01-01', 400, 'HYPERION_PARAMETER'],
      ['history/get_transfers?from=alice&simple=true', 400, 'HYPERION_PARAMETER'],
      [`history/get_transaction?id=${id}&limit=1`, 400, 'HYPERION_PARAMETER'],
      ['state/get_tokens?account=alice&sort=asc', 400, 'HYPERION_PARAMETER'],
      ['history/get_transfers', 400, 'HYPERION_UNBOUNDED'],
      ['history/get_transaction?id=1', 400, 'HYPERION_PARAMETER'],
      [`history/get_transaction?id=${id}`, 404, 'HYPERION_TRANSACTION'],
      ['state/get_tokens', 400, 'HYPERION_PARAMETER'],
      ['state/get_tokens?account=alice&limit=x', 400, 'HYPERION_DEPTH'],
    ] as const) {
      const answer = await ask(url)
      t.equal(answer.status, status, url)
      t.match(answer.body, { statusCode: status, code })
      t.ok(answer.body.message.length > 10)
    }
    for (const call of ['history/get_deltas', 'history/get_creator', 'state/get_key_accounts', 'state/get_voters'])
      t.equal((await ask(call)).status, 404, call)
  })

  t.test('a search that takes too long ends with a code, and few run at a time', async (t) => {
    const { pool } = api.contexts[0] as (typeof api.contexts)[number]
    const statement = { name: 'test-slow', text: 'select pg_sleep(60)', values: [] }
    const slow = () => readBounded(pool, statement, 5).catch((error) => error)
    const errors = await Promise.all([slow(), slow(), slow()])
    for (const error of errors) t.match(error, { statusCode: 503, code: 'HYPERION_TIMEOUT', message: /narrow/ })
    const many = await Promise.all(Array.from({ length: 13 }, slow))
    t.equal(many.filter(({ code }) => code === 'HYPERION_TIMEOUT').length, 12)
    t.match(many[12], { statusCode: 503, message: /Too many searches/ })
    const { rows } = await pool.query('show statement_timeout')
    t.not(rows[0].statement_timeout, '5ms', 'the connection has its own timeout again')
    const none = { account: null, from: null, to: null, contracts: null, symbol: null }
    for (const key of ['account', 'from', 'to'] as const) t.equal(mayScan({ ...none, [key]: 'alice' }), false, key)
    t.ok(mayScan({ ...none, contracts: ['eosio.token'] }))
    t.ok(mayScan({ ...none, from: 'alice', to: 'bob' }))
    t.ok(mayScan({ ...none, from: 'alice', symbol: 'WAX' }))
  })

  t.test('a contract whose transfers are not indexed is refused', async (t) => {
    const wax = testChain('wax', 'dev', { tokens: { contracts: ['eosio.token'] } })
    const narrow = await testApi(t, database, { chains: [wax] })
    const answer = await narrow.get('/v2/history/get_actions?filter=usdt.svc:transfer')
    t.match(answer, { status: 404, body: { code: 'HYPERION_CONTRACT' } })
    const { coverage } = (await narrow.get('/v2/state/get_tokens?account=alice')).body
    t.same(coverage.contracts, ['eosio.token'])
  })
})
