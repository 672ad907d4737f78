import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { toHex } from '../../../core/hex.ts'
import { Chain, type ChainOptions, deployAbi } from '../../../devnet/chain/chain.ts'
import { packBlocksResult } from '../../../devnet/ship/protocol.ts'
import { Auditor } from '../audit.ts'
import { add, clear, counter } from '../counter.ts'
import { Mirror } from '../mirror.ts'
import { decodeResult, type Plain } from '../wharf.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

function makeChain(options: Partial<ChainOptions> = {}): Chain {
  return new Chain({ chainId: 'ab'.repeat(32), seed: 'test', startTime: start, contracts: [counter], ...options })
}

/** The block as a state-history client decodes it. */
function frame(chain: Chain, num: number): Plain {
  const { id, prevId, ...parts } = chain.block(num)!
  const { head, lib } = chain
  const prevBlock = prevId === null ? null : { num: num - 1, id: prevId }
  return decodeResult(packBlocksResult({ head, lib, thisBlock: { num, id }, prevBlock, ...parts }, 1))
}

const rowsIn = (result: Plain, table = 'contract_row') =>
  result.deltas.find(([, delta]: Plain) => delta.name === table)?.[1].rows ?? []

const countOf = (chain: Chain, owner: string) =>
  chain.tables('counter.svc').get<{ count: bigint }>('counters', owner, BigInt(owner.length))?.count

t.test('every block passes an independent audit: ids, roots, digests, certificates, policies', async (t) => {
  const chain = makeChain({ firstBlock: 1000, globalSequence: 5_000_000_000 })
  const blocks: Parameters<Chain['produce']>[0][] = [
    { transactions: [[add('alice', 3n), add('bob', 2n)], [add('carol', 1n)]] },
    {},
    { certificate: 'none' },
    { certificate: 'weak', transactions: [[clear('bob')]] },
    { certificate: 'strong', finalizers: [1, 2, 4, 5, 6] },
    {},
    {},
    { certificate: 'weak' },
    {},
    {},
    { time: start + 3_600_000 },
    {},
  ]
  for (const block of blocks) chain.produce(block)
  const auditor = new Auditor(t, 1000)
  for (let num = 1000; num <= chain.head.num; num++) auditor.check(frame(chain, num))
  t.same(
    auditor.certificates.filter(({ strong }) => !strong).map(({ blockNum }) => blockNum),
    [1003, 1007],
    'weak ones are weak',
  )
  t.same(
    auditor.certificates.filter(({ joint }) => joint).map(({ blockNum }) => blockNum),
    [1007, 1008],
    'while a policy is pending, both sign',
  )
  t.equal(chain.lib.num, chain.head.num - 2)
})

t.test('irreversibility follows the two-chain rule', async (t) => {
  const chain = makeChain()
  const step = (certificate: 'strong' | 'weak' | 'none') => {
    chain.produce({ certificate })
    return chain.head.num - chain.lib.num
  }
  for (let i = 0; i < 4; i++) step('strong')
  t.equal(step('strong'), 2)
  t.equal(step('none'), 3)
  t.equal(step('none'), 4)
  t.equal(step('weak'), 5, 'a weak certificate makes nothing final')
  t.equal(step('strong'), 2, 'a strong one on a block with a weak claim does')
})

t.test('the same seed gives the same chain', async (t) => {
  const ids = (seed: string) => {
    const chain = makeChain({ seed })
    chain.produce({ transactions: [[add('alice', 1n)]] })
    return chain.produce().id
  }
  t.equal(ids('one'), ids('one'))
  t.not(ids('one'), ids('two'))
})

t.test('a refused transaction changes nothing', async (t) => {
  const chain = makeChain()
  chain.produce({ transactions: [[add('alice', 1n)]] })
  const { results, num } = chain.produce({
    transactions: [[add('alice', 5n), add('bob', 0n)], [add('bob', 1n)], [add('carol', 1_000_000n)]],
  })
  t.match(results, [
    { ok: false, error: 'amount must be positive' },
    { ok: true },
    { ok: false, error: 'carol has too many' },
  ])
  t.equal(countOf(chain, 'alice'), 1n)
  const result = frame(chain, num)
  t.equal(result.traces.length, 2, 'onblock and one transaction')
  t.equal(rowsIn(result).length, 1)
  t.same(
    rowsIn(result, 'account').map(({ data }: Plain) => data[1].name),
    ['bob'],
    'carol has not come into being',
  )
  t.equal(frame(chain, num).traces[1][1].action_traces[0][1].receipt[1].global_sequence, sequenceAfter(chain, num - 1))
})

/** First global sequence after a block. */
function sequenceAfter(chain: Chain, num: number): number {
  const traces = frame(chain, num).traces.flatMap(([, trace]: Plain) => trace.action_traces)
  const last = Math.max(...traces.map(([, trace]: Plain) => Number(trace.receipt[1].global_sequence)))
  return last + 2 // the next block's onblock lies between
}

t.test('notifications run before inline actions, and traces are listed by ordinal', async (t) => {
  const chain = makeChain()
  const { num } = chain.produce({ transactions: [[add('alice', 1n), add('bob', 1n)]] })
  const traces = frame(chain, num).traces[1][1].action_traces.map(([, trace]: Plain) => trace)
  t.same(
    traces.map((trace: Plain) => [trace.receiver, trace.act.name, trace.creator_action_ordinal]),
    [
      ['counter.svc', 'add', 0],
      ['counter.svc', 'add', 0],
      ['alice', 'add', 1],
      ['counter.svc', 'logadd', 1],
      ['bob', 'add', 2],
      ['counter.svc', 'logadd', 2],
    ],
  )
  const order = traces.map((trace: Plain) => Number(trace.receipt[1].global_sequence))
  const first = order[0]!
  t.same(
    order.map((sequence: number) => sequence - first),
    [0, 3, 1, 2, 4, 5],
  )
})

t.test('deltas: modified, removed and added rows; a table scope exists only while it has rows', async (t) => {
  const chain = makeChain()
  const rows = (transactions: Parameters<Chain['produce']>[0]) => {
    const result = frame(chain, chain.produce(transactions).num)
    const list = (table: string) =>
      rowsIn(result, table).map(({ present, data: [, row] }: Plain) => [present, row.scope, row.value?.slice(16)])
    return { tables: list('contract_table'), rows: list('contract_row') }
  }
  const value = (n: number) => `${n.toString(16).padStart(2, '0')}00000000000000`
  t.same(rows({ transactions: [[add('alice', 1n)], [add('bob', 2n)]] }), {
    tables: [
      [true, 'alice', undefined],
      [true, 'bob', undefined],
    ],
    rows: [
      [true, 'alice', value(1)],
      [true, 'bob', value(2)],
    ],
  })
  t.same(
    rows({ transactions: [[add('carol', 9n)], [clear('alice')], [add('bob', 3n)], [add('bob', 1n)]] }),
    {
      tables: [
        [false, 'alice', undefined],
        [true, 'carol', undefined],
      ],
      rows: [
        [true, 'bob', value(6)],
        [false, 'alice', value(1)],
        [true, 'carol', value(9)],
      ],
    },
    'a removed row has its old value',
  )
  t.same(
    rows({ transactions: [[add('dave', 1n)], [clear('dave')]] }),
    { tables: [], rows: [] },
    'a row that came and went does not occur',
  )
  t.same(
    rows({ transactions: [[clear('bob')], [add('bob', 4n)]] }),
    {
      tables: [],
      rows: [
        [false, 'bob', value(6)],
        [true, 'bob', value(4)],
      ],
    },
    'a row that went and came is removed and added',
  )
})

t.test('an ABI changes within a block: account delta, and each row in the ABI of its moment of writing', async (t) => {
  const chain = makeChain()
  const wider = structuredClone(counter.abi)
  wider.structs.find(({ name }) => name === 'counter')!.fields.push({ name: 'note', type: 'string$' })
  const next = packAbi(wider)
  chain.produce({ transactions: [[add('alice', 1n)]] })
  const { num } = chain.produce({
    transactions: [[add('alice', 1n)], [deployAbi('counter.svc', next)], [add('bob', 1n)]],
  })
  const result = frame(chain, num)
  const [account] = rowsIn(result, 'account').filter(({ data }: Plain) => data[1].name === 'counter.svc')
  t.equal(account.data[1].abi, toHex(next))
  t.equal(rowsIn(result, 'account')[0].data[1].name, 'counter.svc', 'modified rows come before added ones')
  const sequences = result.traces.map(([, trace]: Plain) => trace.action_traces[0][1].receipt[1].abi_sequence)
  t.same(sequences.slice(1), [1, 1, 2])
  t.equal(
    compileAbi(wider).decodeRow('counters', chain.state.findRows('counter.svc', 'counters', 'bob')!.get(3n)!.packed)
      .count,
    1n,
  )
  chain.fork(1)
  t.equal(toHex(chain.state.findAccount('counter.svc')!.state.abi!.packed), toHex(packAbi(counter.abi)), 'undone')
})

t.test('forks restore state, sequences and finality exactly, and a repeated branch has the same ids', async (t) => {
  const chain = makeChain()
  const mirror = new Mirror()
  const auditor = new Auditor(t, 2, 8)
  for (let num = 2; num <= chain.head.num; num++) {
    auditor.check(frame(chain, num))
    mirror.apply(frame(chain, num))
  }
  chain.onBlock(({ num }) => {
    const result = frame(chain, num)
    auditor.check(result)
    mirror.apply(result)
    const rows = new Map<string, string>()
    for (const table of chain.state.allTables()) {
      const path = `${table.code}/${table.scope}/${table.table}`
      for (const [key, row] of table.entries()) rows.set(`${path}/${key}`, toHex(row.packed))
    }
    t.same([...mirror.rows].sort(), [...rows].sort(), `state at ${num}`)
    t.same(
      [...mirror.tables].sort(),
      [...chain.state.allTables()]
        .filter((x) => x.size > 0)
        .map((x) => `${x.code}/${x.scope}/${x.table}`)
        .sort(),
    )
  })
  for (let i = 0; i < 5; i++) chain.produce({ transactions: [[add('alice', 1n)]] })
  const grow = (n: number, owner: string) => {
    for (let i = 0; i < n; i++)
      chain.produce({ certificate: 'none', transactions: [[add(owner, 1n), clear('alice')], [add('alice', 7n)]] })
    return chain.head
  }
  const main = grow(12, 'bob')
  chain.fork(12)
  t.equal(countOf(chain, 'bob'), undefined)
  const side = grow(5, 'carol')
  t.not(side.id, main.id)
  chain.switchTo(main.id)
  t.same(chain.head, main)
  t.equal(countOf(chain, 'bob'), 12n)
  t.equal(countOf(chain, 'carol'), undefined)
  chain.switchTo(side.id)
  t.equal(countOf(chain, 'carol'), 5n)
  const again = chain.prepare([add('dave', 2n)], start / 1000 + 1000)
  chain.produce({ certificate: 'none', transactions: [again] })
  chain.fork(3)
  const { results } = chain.produce({ certificate: 'none', transactions: [again] })
  t.match(results, [{ ok: true, id: again.id }], 'a transaction comes again on another branch under its id')
  for (let i = 0; i < 3; i++) chain.produce()
  t.equal(chain.lib.num, chain.head.num - 2)
  t.throws(() => chain.switchTo(main.id), RangeError, 'a branch below irreversibility is forgotten')
  t.throws(() => chain.fork(3), RangeError)
})

t.test('without Savanna: no finality data, irreversibility lags', async (t) => {
  const chain = makeChain({ legacyLag: 4 })
  for (let i = 0; i < 10; i++) chain.produce({ transactions: [[add('alice', 1n)]] })
  t.equal(chain.lib.num, chain.head.num - 4)
  const result = frame(chain, chain.head.num)
  t.equal(result.finality_data, null)
  t.same(result.block.header_extensions, [])
  chain.fork(4)
  t.equal(countOf(chain, 'alice'), 6n)
  t.throws(() => chain.fork(1), RangeError)
})

t.test('the whole state as one delta equals the sum of all deltas', async (t) => {
  const chain = makeChain()
  for (let i = 0; i < 6; i++) chain.produce({ transactions: [[add(`user${'abcdef'[i]}`, 1n)], [add('alice', 1n)]] })
  const mirror = new Mirror()
  for (let num = 2; num <= chain.head.num; num++) mirror.apply(frame(chain, num))
  const whole = new Mirror()
  const { head, lib } = chain
  const { id, prevId: _, ...parts } = chain.block(head.num)!
  whole.apply(
    decodeResult(
      packBlocksResult(
        { head, lib, thisBlock: { num: head.num, id }, prevBlock: null, ...parts, deltas: chain.fullDeltas() },
        1,
      ),
    ),
  )
  t.same([...whole.rows].sort(), [...mirror.rows].sort())
  t.same([...whole.accounts].sort(), [...mirror.accounts].sort())
  t.same([...whole.tables].sort(), [...mirror.tables].sort())
})

t.test('irreversible blocks are read back unchanged', async (t) => {
  const chain = makeChain()
  const seen = new Map<number, string>()
  const times = Array.from({ length: 1500 }, (_, i) => start + (i + 1) * 60_000)
  chain.onBlock(({ num, id }) => seen.set(num, id))
  for (const [i, time] of times.entries()) {
    const transactions = Array.from({ length: 3 }, (_, n) => [add(`user${'abcdef'[(i + n) % 6]}`, 1n)])
    chain.produce({ time, transactions, certificate: i % 100 < 2 ? 'strong' : 'none' })
  }
  for (const num of [3, 4, 700, 701, 1390, 1400, chain.lib.num - 1, chain.lib.num, chain.head.num]) {
    const block = frame(chain, num)
    t.equal(block.this_block.block_id, seen.get(num))
    t.equal(block.block.previous, num === 3 ? block.prev_block.block_id : seen.get(num - 1))
    t.equal(block.traces.length, 4)
  }
})
