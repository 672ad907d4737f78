// Blocks of real nodes match the digests that their chain commits to. A block with one changed bit does not, or it
// gives the same rows.
import t from 'tap'
import { DecodeError } from '../../../core/errors.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import type { DecodedBlock } from '../../../indexer/decode/decoded.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()
const flips = process.env.HEADWATER_TEST_LONG ? 100_000 : 3_000
const RECORDINGS = new URL('../../fixtures/recordings/', import.meta.url).pathname

const contracts = ['swap.svc', 'svcdexmain', 'bridge.svc', 'hop.svc'].map((account) => [account, '*'] as const)
const actions = new Map<string, '*' | Set<string>>([...contracts, ['*', new Set(['transfer'])]])
const watch = new Watch({ actions, abis: '*', system: 'eosio' })

async function recorded(name: string): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  const source = new ReplaySource(`${RECORDINGS}${name}.ship.gz`)
  for await (const block of source.blocks({ from: 0, have: [] }, new AbortController().signal)) blocks.push(block)
  return blocks
}

/** The parts that rows are made of. No block commits to ordinals of actions, or to ids stored next to transactions. */
const facts = ({ time, producer, prevId, actions, undecoded, abiChanges }: DecodedBlock) =>
  JSON.stringify(
    {
      ...{ time, producer, prevId },
      actions: actions.map(({ globalSeq, account, name, data }) => ({ globalSeq, account, name, data })),
      undecoded: undecoded.map(({ globalSeq, account, name, raw }) => ({ globalSeq, account, name, raw })),
      abis: abiChanges.map(({ account, globalSeq, hash }) => ({ account, globalSeq, hash })),
    },
    (_, value) => (typeof value === 'bigint' ? `${value}` : value),
  )

const isLegacy = ({ block }: PackedBlock): boolean => block.slice(110, 114).join() !== '0,0,0,128'

for (const name of ['small', 'medium', 'forks']) {
  t.test(`every block of ${name} matches its own roots`, async (t) => {
    const blocks = await recorded(name)
    const abis = new AbiBook()
    let taken = 0
    for (const block of blocks) {
      abis.rewind(block.num)
      taken += decodeBlock(block, watch, abis).actions.length
    }
    t.ok(blocks.some(isLegacy) && !blocks.every(isLegacy), 'before Savanna and under it')
    t.ok(taken > 100, `${taken} actions`)
  })
}

t.test(`a changed bit of a header or of traces is found, or changes no row (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const blocks = await recorded('small')
  const legacy = blocks.filter(isLegacy)
  const books = new Map<PackedBlock, { abis: AbiBook; good: string }>()
  const upTo = (block: PackedBlock) => {
    const known = books.get(block)
    if (known) return known
    const abis = new AbiBook()
    for (const before of blocks) if (before.num < block.num) decodeBlock(before, watch, abis)
    const made = { abis, good: facts(decodeBlock(block, watch, abis)) }
    abis.rewind(block.num)
    books.set(block, made)
    return made
  }
  const subjects = [...legacy.slice(-3), ...Array.from({ length: 8 }, () => random.pick(blocks))]
  const outcomes = { refused: 0, same: 0 }
  const codes = new Set<string>()
  for (let i = 0; i < flips; i++) {
    const block = random.pick(subjects)
    const { abis, good } = upTo(block)
    const part = random.chance(0.1) ? 'block' : 'traces'
    const changed = Uint8Array.from(block[part])
    const at = random.integer(0, changed.length - 1)
    changed[at]! ^= 1 << random.integer(0, 7)
    try {
      const decoded = facts(decodeBlock({ ...block, [part]: changed }, watch, abis))
      outcomes.same++
      if (decoded !== good) t.fail(`block ${block.num}: bit of byte ${at} of its ${part} goes unnoticed`)
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      outcomes.refused++
      codes.add(error.code)
    }
    abis.rewind(block.num)
  }
  t.ok(outcomes.refused > flips / 4, JSON.stringify(outcomes))
  for (const code of ['ACTION_DIGEST', 'ACTION_ROOT', 'BLOCK_ID']) t.ok(codes.has(code), code)
})

t.test('without the check a changed amount goes unnoticed', async (t) => {
  const blocks = await recorded('small')
  const abis = new AbiBook()
  for (const block of blocks) {
    const transfer = decodeBlock(block, watch, abis).actions.find(({ name }) => name === 'transfer')
    if (!transfer) continue
    abis.rewind(block.num)
    const traces = Uint8Array.from(block.traces)
    traces[transfer.start + 16]! ^= 1
    const altered = { ...block, traces }
    t.throws(() => decodeBlock(altered, watch, abis, { chain: 'wax' }), {
      code: 'ACTION_DIGEST',
      place: { chain: 'wax', block: block.num },
    })
    t.equal(decodeBlock(altered, watch, abis, { checksActions: false }).num, block.num)
    return
  }
  t.fail('no transfer')
})
