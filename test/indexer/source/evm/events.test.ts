// Events of a real EVM node in the ledger, read in ranges of final blocks. Expected rows come from the transactions.
import t from 'tap'
import { Indexed } from './indexed.ts'
import { ABIS, depositValues, LocalChain } from './local-chain.ts'

const ALICE = `0x${'a1'.repeat(20)}`
const TOKEN = `0x${'70'.repeat(20)}`

t.test('every event of the published ABIs becomes its row', async (t) => {
  const node = await LocalChain.start(t)
  const sent = [
    await node.log('vault', 'Deposit', depositValues(7, { memo: '1:0xab|56:0xcd' })),
    await node.log('vault', 'Released', [5n, TOKEN, ALICE, 999n, ALICE, 1n]),
    await node.log('vault', 'Voided', [6n]),
    await node.log('vault', 'AssetSet', [TOKEN, 10n ** 10n, 2n ** 100n, true, 5n]),
    await node.log('vault', 'PauseSet', [true, false]),
    await node.log('withdrawals', 'Released', [5n, TOKEN, ALICE, 1000n, '0x0102']),
    await node.log('withdrawals', 'Expired', [6n]),
    await node.log('lightclient', 'RootStored', [`0x${'5e'.repeat(32)}`, 1234n, 1_600_000_001n, 3n]),
    await node.log('lightclient', 'PolicyLearned', [3n, `0x${'d1'.repeat(32)}`, 2n ** 40n, 21n]),
    await node.raw('vault', [`0x${'ee'.repeat(32)}`], '0xabcdef'),
    await node.raw('vault', [ABIS.vault.getEvent('Voided')!.topicHash], '0x'),
  ]
  await node.mine(3)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ endBlock: await node.head() })

  t.same(
    await indexed.values(
      `select key, block_num::int4, trx_id, contract, token, from_address, amount, canonical, telos_to, refund_to, fill_fee, filler,
        encode(memo, 'escape') from head.vault_deposits`,
    ),
    [
      [
        'd:1:7',
        sent[0]!.blockNum,
        sent[0]!.trxId,
        node.contracts.vault,
        TOKEN,
        ALICE,
        '1000007',
        '1000000',
        'alice',
        ALICE,
        '0',
        '0',
        '1:0xab|56:0xcd',
      ],
    ],
  )
  t.same(
    await indexed.values(
      `select key, type, block_num::int4, token, recipient, amount, fee_to, fee, encode(memo, 'hex') from head.withdrawal_outcomes order by global_seq`,
    ),
    [
      ['w:5', 'released', sent[1]!.blockNum, TOKEN, ALICE, '999', ALICE, '1', null],
      ['w:6', 'voided', sent[2]!.blockNum, null, null, null, null, null, null],
      ['w:5', 'proved', sent[5]!.blockNum, TOKEN, ALICE, '1000', null, null, '0102'],
      ['w:6', 'expired', sent[6]!.blockNum, null, null, null, null, null, null],
    ],
  )
  const asset = { token: TOKEN, scale: '10000000000', cap: `${2n ** 100n}`, enabled: true, minDeposit: '5' }
  t.same(await indexed.values('select type, token, details from head.vault_changes order by global_seq'), [
    ['AssetSet', TOKEN, asset],
    ['PauseSet', null, { deposits: true, withdrawals: false }],
  ])
  t.same(await indexed.values('select root, last_block, root_time, generation, domain from head.stored_roots'), [
    [`0x${'5e'.repeat(32)}`, '1234', new Date(Date.UTC(2000, 0, 1) + 1_600_000_001 * 500), '3', '1'],
  ])
  t.same(await indexed.values('select generation, digest, threshold, finalizers from head.learned_policies'), [
    ['3', `0x${'d1'.repeat(32)}`, `${2n ** 40n}`, '21'],
  ])
  t.same(
    await indexed.values(
      'select account, name, reason_code, block_num::int4 from ledger.undecoded_actions order by global_seq',
    ),
    [
      [node.contracts.vault, `0x${'ee'.repeat(32)}`, 'UNKNOWN_EVENT', sent[9]!.blockNum],
      [node.contracts.vault, ABIS.vault.getEvent('Voided')!.topicHash, 'EVENT_INVALID', sent[10]!.blockNum],
    ],
    'what cannot be decoded is kept',
  )
  t.same(indexed.troubles, [])
})

t.test(
  'final blocks in ranges: only blocks with events and ends of ranges are stored, and no event is lost',
  async (t) => {
    const node = await LocalChain.start(t)
    await node.mine(40)
    const first = await node.log('vault', 'Deposit', depositValues(1))
    await node.mine(50)
    const second = await node.log('vault', 'Deposit', depositValues(2))
    await node.mine(30)
    const indexed = await Indexed.open(t, node)
    const end = (await node.head()) - 2
    await indexed.run({ endBlock: end, rangeBlocks: 60 })
    const blocks = (await indexed.values(`select block_num::int4 from ledger.blocks order by block_num`)).flat()
    t.same(
      blocks,
      [1, first.blockNum, 60, second.blockNum, 120, end].sort((a, b) => a - b),
    )
    const quiet = await indexed.values(
      'select first_num::int4, last_num::int4 from head.quiet_ranges order by first_num',
    )
    const covered = [...blocks, ...quiet.flatMap(([from, to]) => range(from as number, to as number))]
    t.same(
      covered.sort((a, b) => Number(a) - Number(b)),
      range(1, end),
      'every block is kept or quiet',
    )
    t.same((await indexed.position())?.lib, end)
    t.ok((await indexed.verify()).ok, 'and the chain of blocks holds')
    await indexed.pool.query('delete from ledger.quiet_ranges where first_num = 2')
    t.notOk((await indexed.verify()).ok, 'a range that nobody searched is found')
  },
)

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
