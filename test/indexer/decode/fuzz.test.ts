import t from 'tap'
import { DecodeError } from '../../../core/errors.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { recordedBlocks } from '../../support/ship-frames.ts'

const seed = seedFromEnvironment()
const rounds = process.env.HEADWATER_TEST_LONG ? 200_000 : 4_000
/** Far above the time of the recording's largest block; an endless loop exceeds it. */
const SLOWEST_MS = 1000
/** Processor time of this process, ms. Time in which other processes run does not count. */
const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const CONTRACTS = ['swap.svc', 'svcdexmain', 'bridge.svc', 'hop.svc', 'eosio.token', 'eosio']
const names = new Map(CONTRACTS.map((account) => [account, '*' as const]))
const watch = new Watch({ actions: names, tables: names, abis: '*' })

/** Bytes changed, cut out, doubled or drawn at random. */
function damage(random: Random, bytes: Uint8Array): Uint8Array {
  switch (random.integer(0, 4)) {
    case 0:
      return bytes.slice(0, random.integer(0, bytes.length))
    case 1:
      return Uint8Array.from({ length: random.integer(0, 2000) }, () => random.integer(0, 255))
    case 2: {
      const from = random.integer(0, bytes.length)
      const to = Math.min(bytes.length, from + random.integer(1, 64))
      // As the copies below, and not in memory that Buffers share: a read after the end must find nothing.
      return new Uint8Array(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]))
    }
    default: {
      // A copy: slice() of a Buffer is a view.
      const damaged = new Uint8Array(bytes)
      for (let flips = random.integer(1, 8); flips > 0 && damaged.length > 0; flips--) {
        const at = random.integer(0, damaged.length - 1)
        // Greatest values corrupt lengths; single bits corrupt everything else.
        damaged[at] = random.chance(0.3) ? 0xff : (damaged[at] as number) ^ (1 << random.integer(0, 7))
      }
      return damaged
    }
  }
}

t.test(`damaged frames give a DecodeError or values, in bounded time (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const blocks = await recordedBlocks()
  const abis = new AbiBook()
  for (const block of blocks) decodeBlock(block, watch, abis)
  const outcomes = { refused: 0, decoded: 0 }
  const codes = new Set<string>()
  for (let i = 0; i < rounds; i++) {
    const num = 1000 + i
    const part = random.pick(['traces', 'traces', 'deltas', 'deltas', 'block'] as const)
    const source = random.pick(blocks)
    const block = { ...source, num, [part]: damage(random, source[part] as Uint8Array) }
    const start = processorMs()
    try {
      const decoded = decodeBlock(block, watch, abis, { chain: 'wax', checksActions: false })
      outcomes.decoded++
      for (const { reasonCode } of [...decoded.undecoded, ...decoded.undecodedRows]) codes.add(reasonCode)
      abis.rewind(num)
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      if (error.place.block !== num || error.place.chain !== 'wax') t.fail(`round ${i} names no place`, { error })
      outcomes.refused++
      codes.add(error.code)
    }
    const took = processorMs() - start
    if (took > SLOWEST_MS) t.fail(`round ${i} took ${took} ms`)
    if (abis.versionAt('swap.svc', num, 0n)?.blockNum !== abis.versionAt('swap.svc', 999, 0n)?.blockNum) {
      t.fail(`round ${i} left an ABI`)
    }
  }
  t.ok(outcomes.refused > rounds / 4 && outcomes.decoded > rounds / 10, JSON.stringify(outcomes))
  t.ok(codes.size >= 6, [...codes].join(' '))
})

t.test(`a false length is refused before memory is allocated for it (HEADWATER_SEED=${seed})`, async (t) => {
  const [block] = await recordedBlocks()
  const lies = [
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x01, 0x00, ...new Array(32).fill(0), 0x00, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f],
    [0x01, 0x00, 0xff, 0xff, 0xff, 0xff, 0x0f],
    [0x01, 0x00, 0x0c, ...Buffer.from('contract_row'), 0xff, 0xff, 0xff, 0xff, 0x0f],
    [0x01, 0x00, 0x0c, ...Buffer.from('contract_row'), 0x01, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f],
  ]
  for (const bytes of lies) {
    for (const part of ['traces', 'deltas']) {
      const start = processorMs()
      const damaged = { ...(block as PackedBlock), [part]: Uint8Array.from(bytes) }
      t.throws(() => decodeBlock(damaged, watch, new AbiBook()), { name: 'DecodeError' })
      t.ok(processorMs() - start < SLOWEST_MS)
    }
  }
})
