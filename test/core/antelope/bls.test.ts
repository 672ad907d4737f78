import t from 'tap'
import {
  aggregateSignatures,
  blsProvePossession,
  blsPublicKey,
  blsSecret,
  blsSign,
  sumSecrets,
  verifyPossession,
  verifyVotes,
} from '../../../core/antelope/bls.ts'
import { blsPrivateKeyText, blsPublicKeyText, blsSignatureText } from '../../../core/antelope/bls-text.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Key {
  pub: string
  pvt: string
  pop: string
  sk_le: string
  pk_le: string
  pop_le: string
  msg: string
  sig_le: string
}
const { keys } = loadVectors<{ keys: Key[] }>('bls-test-keys')
// A key takes 20 ms: all keys only in long runs.
const checked = process.env.HEADWATER_TEST_LONG ? keys : keys.slice(0, 6)

t.test('texts of keys and signatures', async (t) => {
  for (const key of keys) {
    t.equal(toHex(blsPublicKeyText.decode(key.pub)), key.pk_le)
    t.equal(toHex(blsPrivateKeyText.decode(key.pvt)), key.sk_le)
    t.equal(toHex(blsSignatureText.decode(key.pop)), key.pop_le)
    t.equal(blsPublicKeyText.encode(fromHex(key.pk_le)), key.pub)
    t.equal(blsPrivateKeyText.encode(fromHex(key.sk_le)), key.pvt)
    t.equal(blsSignatureText.encode(fromHex(key.pop_le)), key.pop)
  }
  const { pub } = keys[0]!
  const flipped = pub.slice(0, 20) + (pub[20] === 'A' ? 'B' : 'A') + pub.slice(21)
  for (const bad of [flipped, `${pub}A`, pub.slice(0, -1), pub.replace('PUB', 'SIG'), '']) {
    t.throws(() => blsPublicKeyText.decode(bad), { code: 'INVALID_BLS_TEXT' }, bad.slice(0, 24))
  }
})

t.test('public keys, proofs of possession and votes of known secrets', async (t) => {
  for (const key of checked) {
    const secret = blsSecret(fromHex(key.sk_le))
    t.equal(toHex(blsPublicKey(secret)), key.pk_le)
    t.equal(toHex(blsProvePossession(secret)), key.pop_le)
    t.equal(toHex(blsSign(fromHex(key.msg), secret)), key.sig_le)
    t.ok(verifyPossession(fromHex(key.pk_le), fromHex(key.pop_le)))
    t.ok(verifyVotes([{ publicKeys: [fromHex(key.pk_le)], message: fromHex(key.msg) }], fromHex(key.sig_le)))
  }
  t.notOk(verifyPossession(fromHex(keys[1]!.pk_le), fromHex(keys[0]!.pop_le)), "another key's proof")
})

t.test('the sum of signatures is the signature of the sum of secrets', async (t) => {
  const secrets = keys.slice(0, 3).map((key) => blsSecret(fromHex(key.sk_le)))
  const publicKeys = keys.slice(0, 3).map((key) => fromHex(key.pk_le))
  const message = Buffer.from('a block')
  const sum = aggregateSignatures(secrets.map((secret) => blsSign(message, secret)))
  t.equal(toHex(sum), toHex(blsSign(message, sumSecrets(secrets))))
  t.ok(verifyVotes([{ publicKeys, message }], sum))
  t.notOk(verifyVotes([{ publicKeys: publicKeys.slice(1), message }], sum), 'a voter less')
  t.notOk(verifyVotes([{ publicKeys, message: Buffer.from('another') }], sum), 'another message')
  t.notOk(verifyVotes([], sum), 'no voters')
})

t.test('bytes that are not a point of the group are refused', async (t) => {
  const key = fromHex(keys[0]!.pk_le)
  const vote = fromHex(keys[0]!.sig_le)
  const message = fromHex(keys[0]!.msg)
  const broken = { code: 'INVALID_BLS_POINT' }
  const flipped = key.slice()
  flipped[0]! ^= 1
  for (const publicKey of [flipped, key.subarray(1), new Uint8Array(96), new Uint8Array(96).fill(255)]) {
    t.throws(() => verifyVotes([{ publicKeys: [publicKey], message }], vote), broken)
  }
  t.throws(() => verifyVotes([{ publicKeys: [key], message }], vote.subarray(1)), broken)
})
