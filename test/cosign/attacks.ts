// Requests that a cosigner must refuse without reading a chain, by their number in docs/operate/cosigner.md.
import { deflateSync } from 'node:zlib'
import { PackedTransaction, Serializer, SignedTransaction, Transaction } from '@wharfkit/antelope'
import { by, call, noop, PAYER, pack, transfer, transferData, USER } from './transactions.ts'

/** Name, the member `serializedTransaction`, and the answer's text or a pattern for it. */
export type Attack = [id: string, hex: unknown, text: string | RegExp]

const NOOP = 'First action must be noop from payer'
/** The valid transaction that all attacks change. */
export const GOOD = pack([noop(), transfer()])
const good = GOOD

export const ATTACKS: readonly Attack[] = [
  ['1 missing', undefined, /missing/],
  ['1 a number', 12, /must be a string/],
  ['1 an object', { packed_trx: good }, /must be a string/],
  ['1 empty', '', /empty/],
  ['1 not hex', 'zz', /hex digits/],
  ['1 odd length', good.slice(1), /hex digits/],
  ['1 with 0x', `0x${good}`, /without 0x/],
  ['1 a line end after it', `${good}\n`, /hex digits/],
  ['1 above the cap', pack([noop(), call('swap.svc', 'swap', { data: 'ab'.repeat(8192) })]), /longer than 8192 bytes/],
  ['2 truncated', good.slice(0, -2), /no transaction/],
  ['2 a byte', '00', /no transaction/],
  ['3 a byte after it', `${good}00`, /1 bytes follow/],
  ['3 twice', good + good, /bytes follow/],
  ['4 a padded number', padded(good), /shortest form/],
  ['5 an endless list of actions', `${good.slice(0, 28)}ffffffff0f`, /no transaction/],
  ['5 endless data', `${good.slice(0, 96)}ffffffff0f${good.slice(98)}`, /no transaction/],
  ['6 deflated', deflateSync(Buffer.from(good, 'hex')).toString('hex'), /no transaction|not its shortest|noop/],
  ['6 as a packed transaction', packedForm(), /no transaction|noop|bytes follow/],
  ['7 no actions', pack([]), NOOP],
  ['8 the noop alone', pack([noop()]), /action of the user/],
  ['8 noops alone', pack([noop(), noop()]), /payer/],
  ['9 another first action', pack([transfer(), noop()]), NOOP],
  ['9 another name', pack([noop({ name: 'noops' }), transfer()]), NOOP],
  ['9 a contract that looks alike', pack([noop({ account: 'liquid.svcc' }), transfer()]), NOOP],
  ['9 the null account', pack([noop({ account: 'eosio.null', name: 'nonce' }), transfer()]), NOOP],
  ['10 by active', pack([noop({ authorization: [by('liquid.svc', 'active')] }), transfer()]), NOOP],
  ['10 by owner', pack([noop({ authorization: [by('liquid.svc', 'owner')] }), transfer()]), NOOP],
  ['10 by nobody', pack([noop({ authorization: [] }), transfer()]), NOOP],
  ['11 payer and user', pack([noop({ authorization: [PAYER, by(USER)] }), transfer()]), /payer alone/],
  ['11 payer twice', pack([noop({ authorization: [PAYER, PAYER] }), transfer()]), /payer alone/],
  ['11 two permissions', pack([noop({ authorization: [PAYER, by('liquid.svc')] }), transfer()]), /payer alone/],
  ['12 user before payer', pack([noop({ authorization: [by(USER), PAYER] }), transfer()]), NOOP],
  ['13 data in the noop', pack([noop({ data: '00' }), transfer()]), /no data/],
  ['14 a noop later', pack([noop(), transfer(), noop()]), /Only the first/],
  ['14 a noop of the user', pack([noop(), transfer(), noop({ authorization: [by(USER)] })]), /Only the first/],
  ['15 payer next to the user', pack([noop(), transfer('swap.svc', { authorization: [by(USER), PAYER] })]), /payer/],
  [
    '15 payer in a third action',
    pack([noop(), transfer(), call('swap.svc', 'x', { authorization: [by(USER), by('liquid.svc')] })]),
    /payer/,
  ],
  ['16 payer as user', pack([noop(), transfer('swap.svc', { authorization: [PAYER] })]), /payer/],
  ['16 a contract as user', pack([noop(), transfer('swap.svc', { authorization: [by('svcdexmain')] })]), /not a user/],
  [
    '17 tokens of the payer',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc', { from: 'liquid.svc' }) })]),
    /of the payer/,
  ],
  [
    '17 tokens of somebody else',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc', { from: 'bob' }) })]),
    /Tokens of bob/,
  ],
  ['18 nobody signs', pack([noop(), transfer('swap.svc', { authorization: [] })]), /must be authorised by the user/],
  [
    '18 nobody signs the third',
    pack([noop(), transfer(), call('swap.svc', 'x', { authorization: [] })]),
    /must be authorised by/,
  ],
  ['19 a delay', pack([noop(), transfer()], { delay_sec: 1 }), /delay_sec/],
  [
    '20 a context-free action',
    pack([noop(), transfer()], { context_free_actions: [call('eosio.null', 'nonce', { authorization: [] })] }),
    /Context-free/,
  ],
  ['21 an extension', pack([noop(), transfer()], { transaction_extensions: [{ type: 1, data: 'ff' }] }), /extensions/],
  ['25 much CPU', pack([noop(), transfer()], { max_cpu_usage_ms: 21 }), /max_cpu_usage_ms is 21/],
  ['26 much NET', pack([noop(), transfer()], { max_net_usage_words: 2049 }), /max_net_usage_words is 2049/],
  ['26 many actions', pack([noop(), ...Array.from({ length: 12 }, () => transfer())]), /more than 12 actions/],
  [
    '26 many authorizations',
    pack([noop(), transfer('swap.svc', { authorization: [by(USER), by(USER, 'owner'), by(USER, 'claim')] })]),
    /more than 2 authorizations/,
  ],
  ['28 another contract', pack([noop(), call('evil', 'mine')]), 'Contract evil is not allowed'],
  ['28 as the last action', pack([noop(), transfer(), call('eosio', 'updateauth')]), 'Contract eosio is not allowed'],
  ['28 memory', pack([noop(), transfer(), call('eosio', 'buyram'), transfer()]), 'Contract eosio is not allowed'],
  ['29 another recipient', pack([noop(), transfer('mallory1')]), 'Transfer recipient mallory1 is not allowed'],
  ['29 one that looks right', pack([noop(), transfer('swap.svcc')]), 'Transfer recipient swap.svcc is not allowed'],
  ['29 in the third action', pack([noop(), transfer(), transfer('bob')]), 'Transfer recipient bob is not allowed'],
  ...['issue', 'open', 'retire', 'transferx'].map(
    (name): Attack => [
      `30 ${name}`,
      pack([noop(), transfer('swap.svc', { name })]),
      'Contract eosio.token is not allowed',
    ],
  ),
  [
    '32 a byte after the memo',
    pack([noop(), transfer('swap.svc', { data: `${transferData('swap.svc')}00` })]),
    /are not \(from, to/,
  ],
  [
    '32 too few bytes',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc').slice(0, 40) })]),
    /are not \(from, to/,
  ],
  ['32 nothing', pack([noop(), transfer('swap.svc', { data: '' })]), /are not \(from, to/],
  [
    '32 ids of items',
    pack([
      noop(),
      transfer('swap.svc', {
        account: 'atomicassets',
        data: `${transferData('swap.svc').slice(0, 32)}0201000000000001000200000000000100`,
      }),
    ]),
    /are not \(from, to/,
  ],
  [
    '32 a padded length',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc').replace(/0178$/, '810078') })]),
    /are not \(from, to/,
  ],
  ...['80', 'f8', 'ff', 'c0'].map(
    (byte): Attack => [
      `32 a memo that is no text: ${byte}`,
      pack([noop(), transfer('swap.svc', { data: transferData('swap.svc').replace(/0178$/, `01${byte}`) })]),
      /are not \(from, to/,
    ],
  ),
  [
    '32 a negative amount',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc', { quantity: '-1.0000 WAX' }) })]),
    /quantity above 0/,
  ],
  [
    '32 no symbol',
    pack([noop(), transfer('swap.svc', { data: transferData('swap.svc').replace('08574158', '08574178') })]),
    /are not \(from, to/,
  ],
  [
    '38 a second user',
    pack([
      noop(),
      transfer(),
      transfer('swap.svc', { authorization: [by('bob')], data: transferData('swap.svc', { from: 'bob' }) }),
    ]),
    /bob authorises/,
  ],
  ['38 a helper', pack([noop(), transfer('swap.svc', { authorization: [by(USER), by('bob')] })]), /bob authorises/],
]

/** The number of actions in two bytes instead of one. */
function padded(hex: string): string {
  const at = 2 * (4 + 2 + 4 + 1 + 1 + 1 + 1)
  if (hex.slice(at, at + 2) !== '02') throw new Error('the number of actions is elsewhere')
  return `${hex.slice(0, at)}8200${hex.slice(at + 2)}`
}

function packedForm(): string {
  const transaction = Serializer.decode({ data: good, type: Transaction })
  const signed = SignedTransaction.from({ ...transaction, signatures: [] })
  return Serializer.encode({ object: PackedTransaction.fromSigned(signed) }).hexString
}
