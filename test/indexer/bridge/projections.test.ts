// The ledger rows of each action and table of the bridge's contracts, from bytes that eosjs packed by the ABIs.
import t from 'tap'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { parseAbi } from '../../../core/antelope/abi/parse.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import type { RoleAccounts } from '../../../indexer/project/role-accounts.ts'
import { type Called, projectPacked, type Row } from './packed-actions.ts'

const WAX = 1181148696416462999n
const ADDRESS = 'aa'.repeat(20)
const accounts: RoleAccounts = {
  bridge: 'bridge.svc',
  hop: 'hop.svc',
  wrap: 'wrap.svc',
  liquid: 'liquid.svc',
  gateways: [
    { account: 'gateway.evm', domain: 1n },
    { account: 'gateway.wax', domain: WAX },
  ],
}
const abis: Record<string, AbiDefinition> = {
  'bridge.svc': abiFile('bridge.svc.telos'),
  'hop.svc': abiFile('hop.svc'),
  'wrap.svc': abiFile('wrap.svc'),
  'liquid.svc': abiFile('liquid.svc'),
  'gateway.evm': abiFile('gateway'),
  'gateway.wax': abiFile('gateway'),
}

const bridge = (name: string, data: object): Called => ({ account: 'bridge.svc', name, data })
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

/** Rows of one ledger table from these actions, as decoded values without absent columns. */
async function rowsOf(table: string, calls: readonly Called[], of = abis): Promise<object[]> {
  const { ledger } = await projectPacked({ accounts, abis: of }, calls)
  const raw = ledger.find((row) => row.table === 'undecoded_actions')
  if (raw) throw new Error((raw.row as { reason: string }).reason)
  return ledger.filter((row) => row.table === table).map(({ row }) => JSON.parse(JSON.stringify(row, asText)))
}

function asText(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`
  return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value
}

const burn = {
  ...{ id: '18446744073709551615', domain: `${WAX}`, vault: 'bb'.repeat(20), token: ADDRESS, recipient: ADDRESS },
  ...{ amount: '9000000', deadline: '1780000000', fee: '500000', memo: 'ff00' },
}
const burned = {
  ...{ ...burn, vault: `0x${burn.vault}`, token: `0x${ADDRESS}`, recipient: `0x${ADDRESS}`, memo: '0xff00' },
}

t.test('a withdrawal has the sender and the token of its transfer', async (t) => {
  t.strictSame(await rowsOf('withdrawals', [bridge('wdlog', burn)]), [burned], 'nobody')
  const transfer = (from: string, quantity: string): Called => ({
    ...{ account: 'wrap.svc', name: 'transfer' },
    data: { from, to: 'bridge.svc', quantity, memo: `${WAX}:bob` },
  })
  const next = { ...burn, id: '7' }
  const calls = [
    ...[transfer('alice', '9.000000 USDC'), bridge('wdlog', burn)],
    ...[transfer('bob', '1.00000000 WAX'), bridge('wdlog', next)],
  ]
  t.strictSame(
    await rowsOf('withdrawals', calls),
    [
      { ...burned, sender: 'alice', symbol: 'USDC', decimals: 6 },
      { ...burned, id: '7', sender: 'bob', symbol: 'WAX', decimals: 8 },
    ],
    'each its own transfer',
  )
  const data = {
    ...{ owner: 'carol', quantity: '9.000000 USDC', domain: '1', recipient: ADDRESS, fee: '0.000000 USDC', memo: '' },
  }
  t.strictSame(
    await rowsOf('withdrawals', [{ account: 'wrap.svc', name: 'withdraw', data }, bridge('wdlog', burn)]),
    [{ ...burned, sender: 'carol', symbol: 'USDC', decimals: 6 }],
    'withdraw',
  )
})

t.test('outcomes of withdrawals', async (t) => {
  const calls = [
    bridge('settlelog', { id: '1', released: true }),
    bridge('settlelog', { id: '2', released: false }),
    bridge('refundlog', { id: '2', owner: 'alice', quantity: '5.0000 TOK' }),
  ]
  t.strictSame(await rowsOf('withdrawal_events', calls), [
    { type: 'settled', id: '1', released: true },
    { type: 'settled', id: '2', released: false },
    { type: 'refunded', id: '2', account: 'alice', amount: '50000', symbol: 'TOK', decimals: 4 },
  ])
})

t.test('the chain of deposits and payments', async (t) => {
  const ofWax = { ...abis, 'bridge.svc': abiFile('bridge.svc.wax') }
  const deposit = {
    ...{ nonce: '3', bridge: 'bridge.svc', token_contract: 'eosio.token', token_symbol: '8,WAX', from: 'alice' },
    ...{ raw: '100000000', canonical: '10000', beneficiary: 'hop.svc', memo: `1:0x${ADDRESS}|${WAX}:alice` },
  }
  const calls = [bridge('deplog', deposit), bridge('paylog', { id: '4', recipient: 'bob', quantity: '1.00000000 WAX' })]
  const { token_contract: tokenContract, token_symbol: _, from: sender, ...same } = deposit
  t.strictSame(await rowsOf('deposits', calls, ofWax), [
    { ...same, tokenContract, tokenSymbol: 'WAX', tokenDecimals: 8, sender },
  ])
  t.strictSame(await rowsOf('withdrawal_events', calls, ofWax), [
    { type: 'paid', id: '4', account: 'bob', amount: '100000000', symbol: 'WAX', decimals: 8 },
  ])
})

t.test('outcomes of deposits', async (t) => {
  const key = { domain: '1', nonce: '18446744073709551615' }
  const quantity = '2.500000 USDC'
  const amount = { amount: '2500000', symbol: 'USDC', decimals: 6 }
  const calls = [
    bridge('credlog', { ...key, owner: 'alice', quantity }),
    bridge('parklog', { ...key, receiver: 'hop.svc', quantity, memo: '00ff', refund_to: ADDRESS }),
    bridge('fwdlog', { ...key, receiver: 'hop.svc', quantity }),
    bridge('bouncelog', { ...key, refund_to: ADDRESS, wd_id: '9' }),
    bridge('claim', { owner: 'alice', sym_code: 'USDC' }),
  ]
  t.strictSame(await rowsOf('deposit_events', calls), [
    { ...key, type: 'credited', account: 'alice', ...amount },
    { ...key, type: 'parked', account: 'hop.svc', ...amount, memo: '0x00ff', refundTo: `0x${ADDRESS}` },
    { ...key, type: 'forwarded', account: 'hop.svc', ...amount },
    { ...key, type: 'bounced', refundTo: `0x${ADDRESS}`, withdrawalId: '9' },
  ])
  t.strictSame(await rowsOf('claim_events', calls), [{ owner: 'alice', symbol: 'USDC' }])
})

const hop = {
  ...{ id: '5', src_domain: '1', src_nonce: '8', dst_domain: `${WAX}`, recipient: 'bob', back_domain: '1' },
  ...{ back: `0x${ADDRESS}`, quantity: '2.500000 USDC', wd_id: '12' },
}
const hopRow = {
  ...{ id: '5', srcDomain: '1', srcNonce: '8', dstDomain: `${WAX}`, recipient: 'bob', backDomain: '1' },
  ...{ back: `0x${ADDRESS}`, amount: '2500000', symbol: 'USDC', decimals: 6, withdrawalId: '12' },
}

t.test('journeys passed on and sent back', async (t) => {
  const calls = ['hoplog', 'returnlog'].map((name) => ({
    ...{ account: 'hop.svc', name },
    data: name === 'hoplog' ? hop : { id: '5', wd_id: '13' },
  }))
  t.strictSame(await rowsOf('hops', calls), [hopRow])
  t.strictSame(await rowsOf('hop_returns', calls), [{ id: '5', withdrawalId: '13' }])
})

t.test('a gateway credits deposits of its domain, for any layout of its proof', async (t) => {
  const packed = { relayer: 'relayer.svc', nonce: '18446744073709551615', proof: 'c0ffee' }
  const inParts = parseAbi({
    version: 'eosio::abi/1.2',
    structs: [
      {
        name: 'credit',
        base: '',
        fields: [
          { name: 'relayer', type: 'name' },
          { name: 'headers', type: 'bytes[]' },
          { name: 'receipt', type: 'bytes[]' },
          { name: 'log_index', type: 'uint32' },
          { name: 'slot', type: 'uint64' },
        ],
      },
    ],
    actions: [{ name: 'credit', type: 'credit', ricardian_contract: '' }],
  })
  const parts = { headers: ['01', '0203'], receipt: [], log_index: 4, slot: '18446744073709551615' }
  const calls = [
    { account: 'gateway.evm', name: 'credit', data: packed },
    { account: 'gateway.wax', name: 'credit', data: { relayer: 'alice', ...parts } },
  ]
  t.strictSame(await rowsOf('gateway_credits', calls, { ...abis, 'gateway.wax': inParts }), [
    { account: 'gateway.evm', domain: '1', ...packed, proof: '0xc0ffee' },
    { account: 'gateway.wax', domain: `${WAX}`, relayer: 'alice', details: parts },
  ])
})

t.test('members that fit no column are stored as JSON next to the columns', async (t) => {
  const odd = parseAbi({
    version: 'eosio::abi/1.2',
    structs: [
      {
        name: 'credit',
        base: '',
        fields: [
          { name: 'relayer', type: 'uint64' },
          { name: 'nonce', type: 'int128' },
          { name: 'proof', type: 'string' },
          { name: 'constructor', type: 'bool' },
        ],
      },
      { name: 'small', base: '', fields: [{ name: 'nonce', type: 'uint32' }] },
    ],
    actions: [{ name: 'credit', type: 'credit', ricardian_contract: '' }],
  })
  const data = { relayer: '7', nonce: '-1', proof: 'text', constructor: true }
  const of = { ...abis, 'gateway.evm': odd }
  t.strictSame(await rowsOf('gateway_credits', [{ account: 'gateway.evm', name: 'credit', data }], of), [
    { account: 'gateway.evm', domain: '1', details: data },
  ])
  const small = { ...odd, actions: odd.actions.map((action) => ({ ...action, type: 'small' })) }
  const call = { account: 'gateway.evm', name: 'credit', data: { nonce: 7 } }
  t.strictSame(await rowsOf('gateway_credits', [call], { ...abis, 'gateway.evm': small }), [
    { account: 'gateway.evm', domain: '1', nonce: '7' },
  ])
})

t.test('noops of the payer, with and without members', async (t) => {
  const plain = { account: 'liquid.svc', name: 'noop', data: {} }
  t.strictSame(await rowsOf('noops', [plain]), [{ account: 'liquid.svc' }])
  const numbered = parseAbi({
    version: 'eosio::abi/1.2',
    structs: [{ name: 'noop', base: '', fields: [{ name: 'nonce', type: 'uint64' }] }],
    actions: [{ name: 'noop', type: 'noop', ricardian_contract: '' }],
  })
  const call = { ...plain, data: { nonce: '18446744073709551615' } }
  t.strictSame(await rowsOf('noops', [call], { ...abis, 'liquid.svc': numbered }), [
    { account: 'liquid.svc', details: { nonce: '18446744073709551615' } },
  ])
})

t.test('rows of the tables', async (t) => {
  const rows: Row[] = [
    {
      ...{ code: 'bridge.svc', table: 'routes', scope: 'bridge.svc', key: '2' },
      value: {
        ...{
          id: '2',
          domain: '1',
          vault: 'bb'.repeat(20),
          token: ADDRESS,
          scale: '1',
          min: '5',
          max: '9',
          backing: '7',
        },
        ...{ wrapped: { sym: '6,USDC', contract: 'wrap.svc' }, deposits_open: true, withdrawals_open: false },
      },
    },
    {
      ...{ code: 'bridge.svc', table: 'claims', scope: 'alice', key: '1' },
      value: { balance: '2.500000 USDC' },
    },
    {
      ...{ code: 'bridge.svc', table: 'wdraws', scope: 'bridge.svc', key: '12' },
      value: {
        ...{
          id: '12',
          domain: '1',
          owner: 'alice',
          quantity: '2.500000 USDC',
          recipient: ADDRESS,
          deadline: '1',
          fee: '0',
        },
        status: 2,
      },
    },
    { code: 'hop.svc', table: 'hops', scope: 'hop.svc', key: '5', value: { ...hop, status: 3 } },
  ]
  const { state } = await projectPacked({ accounts, abis }, [], rows)
  const amount = { amount: 2_500_000n, symbol: 'USDC', decimals: 6 }
  t.match(
    state.map(({ table, row, present }) => ({ table, row, present })),
    [
      {
        ...{ table: 'bridge_routes', present: true },
        row: {
          ...{ id: 2n, domain: 1n, vault: bytes('bb'.repeat(20)), token: bytes(ADDRESS), scale: 1n, min: 5n, max: 9n },
          ...{ wrappedContract: 'wrap.svc', wrappedSymbol: 'USDC', wrappedDecimals: 6, backing: 7n },
          ...{ depositsOpen: true, withdrawalsOpen: false },
        },
      },
      { table: 'claims', present: true, row: { owner: 'alice', ...amount } },
      { table: 'wdraws', present: true, row: { id: 12n, domain: 1n, owner: 'alice', ...amount, status: 2 } },
      { table: 'hop_rows', present: true, row: { id: 5n, srcNonce: 8n, back: `0x${ADDRESS}`, ...amount, status: 3 } },
    ],
  )
})
