// Decoding: our compiled decoders compared with node-abieos, wharfkit and eosjs on the same packed actions, and the
// walker that skips unwatched actions. All must yield the same values; their digest is printed.
// Usage: node --import tsx bench/decode.ts [recording]
import { DecodeError } from '../core/errors.ts'
import { contenders, digestOf } from './decode/contenders.ts'
import { processorMs } from './decode/processor.ts'
import { recordedSamples, type Sample, syntheticSamples } from './decode/samples.ts'
import { walkerSpeed } from './decode/walker.ts'
import { hardware } from './support/hardware.ts'

const recording = process.argv[2] || new URL('../test/fixtures/recordings/small.ship.gz', import.meta.url).pathname
const ROUNDS = 12
const ROUND_MS = 300

/** Actions per second of CPU time over whole passes of the samples, in one round. */
function rate(samples: readonly Sample[], decode: (sample: Sample) => unknown): number {
  const started = processorMs()
  let passes = 0
  let elapsed = 0
  do {
    for (const sample of samples) decode(sample)
    passes++
    elapsed = processorMs() - started
  } while (elapsed < ROUND_MS)
  return (passes * samples.length * 1000) / elapsed
}

function compare(title: string, samples: readonly Sample[]): void {
  const bytes = samples.reduce((sum, { data }) => sum + data.length, 0) / samples.length
  console.log(`${title}: ${samples.length} actions, ${bytes.toFixed(0)} bytes each on average`)
  const rivals = contenders(samples)
  const digests = rivals.map(({ json }) => digestOf(samples, json))
  if (new Set(digests).size !== 1) throw new DecodeError('BENCH_DIFFERENT', `the values differ: ${digests.join(' ')}`)
  const best = rivals.map(() => 0)
  // Contenders take turns so that noise of the machine affects all of them. The best round of each counts.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { decode }] of rivals.entries()) best[i] = Math.max(best[i] as number, rate(samples, decode))
  }
  const ours = best[0] as number
  for (const [i, { name }] of rivals.entries()) {
    const theirs = best[i] as number
    const ratio = i === 0 ? '' : `, ours is ${(ours / theirs).toFixed(1)} times as fast`
    console.log(`  ${name.padEnd(22)} ${Math.round(theirs).toLocaleString('en')} actions/s${ratio}`)
  }
  console.log(`  completeness: ${digests[0]} (the same for all)`)
}

console.log(hardware())
compare('recording', await recordedSamples(recording))
compare('synthetic dense stream', syntheticSamples())
for (const line of await walkerSpeed(recording)) console.log(line)
