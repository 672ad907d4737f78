// BLS12-381 as Savanna uses it, against @noble/curves in the same run: loading, votes and their verification, in
// processor time. Each message is new, and each vote of one library is verified by the other.
// Usage: node --max-semi-space-size=64 --v8-pool-size=1 --import tsx bench/bls.ts [votes]
import { createHash } from 'node:crypto'
import { itemAt } from '../core/required.ts'
import { sha256 } from '../core/sha256.ts'
import { hardware } from './support/hardware.ts'

const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const FINALIZERS = 21
const [votes = 200] = process.argv.slice(2).map(Number)

console.log(hardware())
await loaded('mcl-wasm', async () => {
  const { BLS12_381, init } = await import('mcl-wasm')
  await init(BLS12_381)
})
const { bls12_381: curve } = await loaded('@noble/curves', () => import('@noble/curves/bls12-381.js'))
const { blsPublicKey, blsSecret, blsSign, sumSecrets, verifyVotes } = await import('../core/antelope/bls.ts')

type Point = InstanceType<typeof curve.G2.Point>
const made = (text: string) => sha256(Buffer.from(text))
const secrets = Array.from({ length: FINALIZERS }, (_, i) => blsSecret(made(`finalizer ${i}`)))
const publicKeys = secrets.map(blsPublicKey)
const secret = sumSecrets(secrets)
const keys = secrets.map((one) => curve.G1.Point.BASE.multiply(one))

const digest = createHash('sha256')
// The first round compiles code; its figures are not shown.
for (const [round, count] of [20, votes].entries()) {
  const messages = (of: string) => Array.from({ length: count }, (_, i) => made(`${of} ${round} ${i}`))
  const [first, second] = [messages('ours'), messages('of the rival')]
  const ours = milliseconds(first, (message) => blsSign(message, secret))
  const theirs = milliseconds(second, (message) => nobleSign(message).map(bytesOf))
  const ourChecks = milliseconds(second, (message, i) =>
    verifyVotes([{ publicKeys, message }], Buffer.concat(itemAt(theirs.results, i))),
  )
  const theirChecks = milliseconds(first, (message, i) => nobleVerify(message, itemAt(ours.results, i)))
  if ([...ourChecks.results, ...theirChecks.results].includes(false)) throw new Error('a vote does not verify')
  if (round === 0) continue
  for (const result of [...ours.results, ...theirs.results.flat()]) digest.update(result)
  print('vote of 21 finalizers, message hashed', ours.each, theirs.each)
  print('verification, their keys known', ourChecks.each, theirChecks.each)
}
console.log(`digest ${digest.digest('hex').slice(0, 16)}`)

function print(name: string, ours: number, theirs: number): void {
  const ratio = (theirs / ours).toFixed(1)
  console.log(`${name}: ${ours.toFixed(1)} ms, @noble/curves ${theirs.toFixed(1)} ms: ${ratio} times as fast`)
}

/** Loads a library, and prints the processor time and memory that it took. */
async function loaded<T>(name: string, load: () => Promise<T>): Promise<T> {
  const [memory, start] = [process.memoryUsage.rss(), processorTime()]
  const library = await load()
  const megabytes = (process.memoryUsage.rss() - memory) / 2 ** 20
  console.log(`${name} loaded: ${(processorTime() - start).toFixed(0)} ms, ${megabytes.toFixed(0)} MiB`)
  return library
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function milliseconds<I, T>(inputs: readonly I[], run: (input: I, i: number) => T): { each: number; results: T[] } {
  const start = processorTime()
  const results = inputs.map(run)
  return { each: (processorTime() - start) / inputs.length, results }
}

/** Coordinates of a vote. */
function nobleSign(message: Uint8Array): bigint[] {
  const { x, y } = curve.G2.hashToCurve(message, { DST }).multiplyUnsafe(secret).toAffine()
  return [x.c0, x.c1, y.c0, y.c1]
}

function bytesOf(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(96, '0'), 'hex').reverse()
}

function nobleVerify(message: Uint8Array, vote: Uint8Array): boolean {
  const key = keys.reduce((sum, one) => sum.add(one))
  const pairs = [
    { g1: key, g2: curve.G2.hashToCurve(message, { DST }) },
    { g1: curve.G1.Point.BASE.negate(), g2: readVote(vote) },
  ]
  return curve.fields.Fp12.eql(curve.pairingBatch(pairs), curve.fields.Fp12.ONE)
}

function readVote(vote: Uint8Array): Point {
  const value = (at: number) =>
    BigInt(
      `0x${Buffer.from(vote.slice(at, at + 48))
        .reverse()
        .toString('hex')}`,
    )
  const { Fp2 } = curve.fields
  const pair = (at: number) => Fp2.fromBigTuple([value(at), value(at + 48)])
  const point = curve.G2.Point.fromAffine({ x: pair(0), y: pair(96) })
  point.assertValidity()
  return point
}
