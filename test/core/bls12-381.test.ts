// Signatures of BLS12-381 in both encodings, against @noble/curves with random keys, messages and broken points.
import { bls12_381 as curve } from '@noble/curves/bls12-381.js'
import t from 'tap'
import { aggregateSignatures, blsProvePossession, blsPublicKey, blsSign, verifyVotes } from '../../core/antelope/bls.ts'
import { validatorKey, validatorSign, verifyAggregate } from '../../core/evm/bls.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'

const G1 = curve.G1.Point
const G2 = curve.G2.Point
const { Fp, Fp2 } = curve.fields
const PRIME = Fp.ORDER
const ORDER = curve.fields.Fr.ORDER
const REFUSED = { code: 'INVALID_BLS_POINT' }
const VOTE = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const POSSESSION = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const VALIDATOR = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

const seed = seedFromEnvironment()
const rounds = process.env.HEADWATER_TEST_LONG ? 60 : 4
const random = new Random(seed)

const someBytes = () => fromHex(random.hex(random.integer(0, 80)))
const someSecret = () => 1n + random.bigint(ORDER - 1n)
/** Also the secrets whose sums are zero. */
const anySecret = () => random.pick([1n, ORDER - 1n, BigInt(random.integer(1, 2 ** 24)), someSecret()])

const bigEndian = (value: bigint) => fromHex(value.toString(16).padStart(96, '0'))
/** Antelope's encoding: affine, 48 little-endian bytes each. */
const affine = (...values: bigint[]) => Buffer.concat(values.map((value) => bigEndian(value).reverse()))
const affineKey = ({ x, y }: { x: bigint; y: bigint }) => affine(x, y)
type Pair = typeof Fp2.ONE
const affineVote = ({ x, y }: { x: Pair; y: Pair }) => affine(x.c0, x.c1, y.c0, y.c1)
/** One of the two points with a coordinate x, as validators encode it: the coefficient of c1 first. */
function compressed(...x: bigint[]): Uint8Array {
  const bytes = Buffer.concat(x.map(bigEndian))
  bytes[0]! |= 0x80
  return bytes
}
const hashed = (message: Uint8Array, DST: string) => curve.G2.hashToCurve(message, { DST })

/** A point of the curve that is not in the subgroup. */
function outsideG1() {
  for (;;) {
    const x = random.bigint(PRIME)
    const y = orUndefined(() => Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n)))
    if (y !== undefined && !G1.fromAffine({ x, y }).isTorsionFree()) return { x, y }
  }
}

function outsideG2() {
  for (;;) {
    const x = Fp2.fromBigTuple([random.bigint(PRIME), random.bigint(PRIME)])
    const y = orUndefined(() => Fp2.sqrt(Fp2.add(Fp2.pow(x, 3n), Fp2.fromBigTuple([4n, 4n]))))
    if (y !== undefined && !G2.fromAffine({ x, y }).isTorsionFree()) return { x, y }
  }
}

function orUndefined<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}

function valid<P extends { assertValidity(): void }>(point: P): P {
  point.assertValidity()
  return point
}

t.test(`keys, votes and proofs of possession are those of the oracle (HEADWATER_SEED=${seed})`, async (t) => {
  for (let round = 0; round < rounds; round++) {
    const [secret, message] = [anySecret(), someBytes()]
    const key = G1.BASE.multiply(secret).toAffine()
    t.equal(toHex(blsPublicKey(secret)), toHex(affineKey(key)))
    const vote = hashed(message, VOTE).multiply(secret).toAffine()
    t.equal(toHex(blsSign(message, secret)), toHex(affineVote(vote)))
    const possession = hashed(affineKey(key), POSSESSION).multiply(secret).toAffine()
    t.equal(toHex(blsProvePossession(secret)), toHex(affineVote(possession)))
    t.equal(toHex(validatorKey(secret)), G1.BASE.multiply(secret).toHex(true))
    t.equal(toHex(validatorSign(message, secret)), hashed(message, VALIDATOR).multiply(secret).toHex(true))
  }
})

t.test(`the oracle's votes of several groups verify, and no others (HEADWATER_SEED=${seed})`, async (t) => {
  for (let round = 0; round < rounds; round++) {
    const groups = [1, 2].map((size) => ({ message: someBytes(), secrets: Array.from({ length: size }, someSecret) }))
    const points = groups.flatMap(({ message, secrets }) =>
      secrets.map((secret) => hashed(message, VOTE).multiply(secret)),
    )
    const sum = affineVote(points.reduce((total, point) => total.add(point)).toAffine())
    t.equal(toHex(aggregateSignatures(points.map((point) => affineVote(point.toAffine())))), toHex(sum))
    const signed = groups.map(({ message, secrets }) => ({
      message,
      publicKeys: secrets.map((secret) => affineKey(G1.BASE.multiply(secret).toAffine())),
    }))
    t.ok(verifyVotes(signed, sum))
    const [first, second] = signed as [(typeof signed)[0], (typeof signed)[0]]
    t.notOk(verifyVotes([first], sum), 'a group less')
    t.notOk(verifyVotes([first, { ...second, message: Buffer.from('another message') }], sum))
    t.notOk(verifyVotes([first, { ...second, publicKeys: [blsPublicKey(99n)] }], sum), 'another key')
    t.notOk(verifyVotes(signed, affineVote(points[0]!.toAffine())), 'the vote of one')
    const opposite = affineVote(
      points
        .reduce((total, point) => total.add(point))
        .negate()
        .toAffine(),
    )
    t.notOk(verifyVotes(signed, opposite), 'the opposite point')
  }
})

t.test(`the oracle's aggregate signatures of validators verify, and no others (HEADWATER_SEED=${seed})`, async (t) => {
  for (let round = 0; round < rounds; round++) {
    const message = someBytes()
    const [a, b, absent] = [someSecret(), someSecret(), someSecret()]
    const all = G1.BASE.multiply(a).add(G1.BASE.multiply(absent)).toBytes(true)
    const keyOf = (secret: bigint) => G1.BASE.multiply(secret).toBytes(true)
    const signature = hashed(message, VALIDATOR).multiply(a).add(hashed(message, VALIDATOR).multiply(b)).toBytes(true)
    const signers = { sum: all, without: [keyOf(absent)], and: [keyOf(b)] }
    t.ok(verifyAggregate(signers, message, signature))
    t.notOk(verifyAggregate({ ...signers, without: [] }, message, signature), 'a key too many')
    t.notOk(verifyAggregate(signers, Buffer.from('another message'), signature))
    t.notOk(verifyAggregate(signers, message, hashed(message, VALIDATOR).multiply(a).toBytes(true)), 'one signature')
    t.notOk(verifyAggregate({ sum: keyOf(a), without: [keyOf(a)] }, message, signature), 'no key is left')
  }
})

t.test(
  `affine points outside the group, or written with other coordinates, are refused (HEADWATER_SEED=${seed})`,
  async (t) => {
    const message = Buffer.from('a block')
    for (let round = 0; round < rounds; round++) {
      const secret = anySecret()
      const key = G1.BASE.multiply(secret).toAffine()
      const vote = hashed(message, VOTE).multiply(secret).toAffine()
      const verify = (publicKey: Uint8Array, signature: Uint8Array) =>
        verifyVotes([{ publicKeys: [publicKey], message }], signature)
      t.ok(verify(affineKey(key), affineVote(vote)))
      const plus = (value: Pair, c0: bigint, c1: bigint) => ({ c0: value.c0 + c0, c1: value.c1 + c1 }) as Pair
      const keys = {
        zero: affine(0n, 0n),
        'x and a multiple of the prime': affine(key.x + PRIME * BigInt(random.integer(1, 8)), key.y),
        'y and the prime': affine(key.x, key.y + PRIME),
        'x is the prime': affine(PRIME, key.y),
        'not on the curve': affine(key.x, Fp.add(key.y, 1n)),
        'any coordinates': affine(random.bigint(PRIME), random.bigint(PRIME)),
        'outside the subgroup': affineKey(outsideG1()),
        'a byte less': affineKey(key).subarray(1),
        'a byte more': Buffer.concat([affineKey(key), Buffer.alloc(1)]),
      }
      for (const [name, bytes] of Object.entries(keys))
        t.throws(() => verify(bytes, affineVote(vote)), REFUSED, `key: ${name}`)
      const votes = {
        zero: affine(0n, 0n, 0n, 0n),
        'x.c0 and the prime': affineVote({ x: plus(vote.x, PRIME, 0n), y: vote.y }),
        'x.c1 and the prime': affineVote({ x: plus(vote.x, 0n, PRIME), y: vote.y }),
        'y.c0 and the prime': affineVote({ x: vote.x, y: plus(vote.y, PRIME, 0n) }),
        'y.c1 and the prime': affineVote({ x: vote.x, y: plus(vote.y, 0n, PRIME) }),
        'not on the curve': affineVote({ x: vote.x, y: Fp2.add(vote.y, Fp2.ONE) }),
        'outside the subgroup': affineVote(outsideG2()),
        'a byte less': affineVote(vote).subarray(1),
        'a byte more': Buffer.concat([affineVote(vote), Buffer.alloc(1)]),
      }
      for (const [name, bytes] of Object.entries(votes)) {
        t.throws(() => verify(affineKey(key), bytes), REFUSED, `vote: ${name}`)
        t.throws(() => aggregateSignatures([bytes]), REFUSED, `vote to add: ${name}`)
      }
    }
  },
)

t.test(`compressed points are refused where the oracle refuses them (HEADWATER_SEED=${seed})`, async (t) => {
  const message = Buffer.from('a header')
  for (let round = 0; round < rounds; round++) {
    const secret = anySecret()
    const key = G1.BASE.multiply(secret)
    const signature = hashed(message, VALIDATOR).multiply(secret)
    const verify = (sum: Uint8Array, bytes: Uint8Array) => verifyAggregate({ sum, without: [] }, message, bytes)
    t.ok(verify(key.toBytes(true), signature.toBytes(true)))
    const outside = outsideG2().x
    const refusedKeys = [
      compressed(outsideG1().x),
      key.toBytes(false),
      key.toBytes(true).subarray(1),
      new Uint8Array(48),
    ]
    for (const bytes of refusedKeys) t.throws(() => verify(bytes, signature.toBytes(true)), REFUSED, toHex(bytes))
    const refused = [
      compressed(outside.c1, outside.c0),
      signature.toBytes(false),
      signature.toBytes(true).subarray(1),
      new Uint8Array(96),
    ]
    for (const bytes of refused) t.throws(() => verify(key.toBytes(true), bytes), REFUSED, toHex(bytes))

    for (const bytes of oddPoints(key.toBytes(true))) {
      const found = orUndefined(() => valid(G1.fromBytes(bytes)))
      const holds = () => verify(bytes, signature.toBytes(true))
      if (found === undefined) t.throws(holds, REFUSED, toHex(bytes))
      else t.equal(holds(), found.equals(key), toHex(bytes))
    }
    for (const bytes of oddPoints(signature.toBytes(true))) {
      const found = orUndefined(() => valid(G2.fromBytes(bytes)))
      const holds = () => verify(key.toBytes(true), bytes)
      if (found === undefined) t.throws(holds, REFUSED, toHex(bytes))
      else t.equal(holds(), found.equals(signature), toHex(bytes))
    }
  }
})

/** A compressed point with other flags, coordinates and bits. */
function* oddPoints(point: Uint8Array): Generator<Uint8Array> {
  const ends = [point, new Uint8Array(point.length), new Uint8Array(point.length).fill(255)]
  const one = new Uint8Array(point.length)
  one[point.length - 1] = 1
  for (const end of [...ends, one]) {
    for (let flags = 0; flags < 8; flags++) {
      const bytes = end.slice()
      bytes[0] = (flags << 5) | (bytes[0]! & 31)
      yield bytes
    }
  }
  for (let i = 0; i < point.length; i += 48) {
    const bytes = point.slice()
    const flags = i === 0 ? 0xe0 : 0
    const value = BigInt(`0x${toHex(bytes.subarray(i, i + 48))}`) & ((1n << (flags ? 381n : 384n)) - 1n)
    const other = value + PRIME
    if (other >= 1n << (flags ? 381n : 384n)) continue
    bytes.set(bigEndian(other), i)
    bytes[i]! |= point[i]! & flags
    yield bytes
  }
  for (let flip = 0; flip < 6; flip++) {
    const bytes = point.slice()
    bytes[random.integer(0, bytes.length - 1)]! ^= 1 << random.integer(0, 7)
    yield bytes
  }
}
