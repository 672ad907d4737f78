// Headers of a BNB Smart Chain with votes of four validators, and votes of its main network.
import t from 'tap'
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import { readHeader } from '../../../core/evm/header-fields.ts'
import { attestationProblem, quorumOf, readParliaExtra, sameVote, switchDelay } from '../../../core/evm/parlia.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Parlia {
  headers: {
    number: number
    header_rlp: string
    hash: string
    validators?: { bls: string }[]
    turn_length?: number
    attestation: {
      bits: string
      sig: string
      source_number: number
      source_hash: string
      target_number: number
      target_hash: string
    }
  }[]
  mainnet_attestation_31297119: string
}

const vectors = loadVectors<Parlia>('bsc-localnet-parlia')
const headers = vectors.headers.map(({ header_rlp }) => readHeader(fromHex(header_rlp)))
const extras = headers.map(({ extraData }) => readParliaExtra(extraData))
const validators = extras[0]!.validators!

t.test('members of headers', async (t) => {
  for (const [i, { number, hash, validators: set, turn_length, attestation }] of vectors.headers.entries()) {
    const extra = extras[i]!
    t.equal(headers[i]!.number, number)
    t.equal(toHex(headers[i]!.hash), hash)
    t.same(
      extra.validators?.keys.map(toHex) ?? [],
      (set ?? []).map(({ bls }) => bls),
    )
    t.equal(extra.validators?.turn ?? null, turn_length ?? null)
    t.equal(extra.attestation!.bits, BigInt(attestation.bits))
    t.equal(toHex(extra.attestation!.signature), attestation.sig)
    const { source, target } = extra.attestation!
    t.same([source.number, toHex(source.hash)], [attestation.source_number, attestation.source_hash])
    t.same([target.number, toHex(target.hash)], [attestation.target_number, attestation.target_hash])
  }
})

t.test('votes verify with the validators of the epoch', async (t) => {
  for (const [i, { attestation }] of extras.entries())
    t.equal(attestationProblem(attestation!, validators), null, `in block ${headers[i]!.number}`)
  const { attestation } = extras[3]! as { attestation: NonNullable<(typeof extras)[0]['attestation']> }
  t.match(attestationProblem({ ...attestation, bits: 7n }, validators), /another signature/)
  t.match(attestationProblem({ ...attestation, bits: 3n }, validators), /no quorum/)
  t.match(attestationProblem({ ...attestation, bits: 31n }, validators), /without a validator/)
  t.match(attestationProblem({ ...attestation, message: new Uint8Array(32) }, validators), /another signature/)
  const other = { ...validators, keys: validators.keys.toReversed().with(0, validators.keys[0]!) }
  t.match(attestationProblem(attestation, other), /another signature/)
})

t.test('votes of the main network are read', async (t) => {
  const votes = fromPrefixedHex(`0x${vectors.mainnet_attestation_31297119}`)
  const extra = Buffer.concat([new Uint8Array(32), votes, new Uint8Array(65)])
  const { attestation, validators: none } = readParliaExtra(extra)
  t.equal(none, null)
  t.equal(attestation!.target.number, 31_297_118)
  t.equal(attestation!.source.number, 31_297_117)
})

t.test('two votes name one block only with its number and its hash', async (t) => {
  const { target } = extras[3]!.attestation!
  t.ok(sameVote(target, extras[4]!.attestation!.source))
  t.notOk(sameVote(target, { ...target, number: target.number + 1 }))
  t.notOk(sameVote(target, { ...target, hash: new Uint8Array(32) }))
})

t.test('delay until a validator set votes, and its quorum', async (t) => {
  const set = (size: number, turn: number) => ({ keys: Array(size).fill(new Uint8Array(48)), turn })
  t.same(
    [1, 4, 21, 45].map((size) => switchDelay(set(size, 1))),
    [0, 2, 10, 22],
  )
  t.equal(switchDelay(set(21, 4)), 43)
  t.same(
    [1, 3, 4, 21, 45].map((size) => quorumOf(set(size, 1))),
    [1, 2, 3, 14, 30],
  )
})

t.test('extraData that cannot be read', async (t) => {
  const pad = (middle: Uint8Array) => Buffer.concat([new Uint8Array(32), middle, new Uint8Array(65)])
  t.same(readParliaExtra(pad(new Uint8Array())), { validators: null, attestation: null })
  const old = pad(Buffer.concat([Uint8Array.of(1), new Uint8Array(68).fill(7)]))
  t.same(readParliaExtra(old).validators, { keys: [new Uint8Array(48).fill(7)], turn: 1 }, 'of the time before turns')
  t.throws(() => readParliaExtra(new Uint8Array(96)), { code: 'PARLIA_EXTRA' })
  t.throws(() => readParliaExtra(pad(Uint8Array.of(2, 1))), { code: 'PARLIA_EXTRA' })
  t.throws(() => readParliaExtra(pad(Uint8Array.of(0, 1))), { code: 'PARLIA_EXTRA' })
  t.throws(() => readParliaExtra(pad(Uint8Array.of(0xc1, 0x80))), { code: 'RLP_INVALID' })
})
