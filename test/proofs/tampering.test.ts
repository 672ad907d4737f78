// Changes each field of a light, a hard and a joint proof at random: 100 changes for each proof, or for each field in
// long runs. The contracts on a real EVM and the self-check must refuse all of them.
import t, { type Test } from 'tap'
import type { FinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { releaseProblem, rootProblem } from '../../proofs/check.ts'
import type { HardProof, ReleaseArguments } from '../../proofs/json.ts'
import { type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { EvmSide } from './destination.ts'
import { addressBytes, LEDGER, Telos } from './telos.ts'

const WAYS = 100
const IS_LONG = process.env.HEADWATER_TEST_LONG !== undefined
const RECIPIENT = '0x00000000000000000000000000000000000000cc'
t.setTimeout(1_800_000)

const seed = seedFromEnvironment()
const random = new Random(seed)
const genesis = new Telos([]).chain.genesisPolicy()
const evm = await EvmSide.open(1, genesis)
t.teardown(() => evm.anvil.stop())
const telos = new Telos(evm.routes)
const verify = certificateVerifier()
t.comment(`HEADWATER_SEED=${seed}`)

type Field = string | number | readonly string[]

async function prove(id: bigint): Promise<Proof['proof']> {
  telos.follow()
  const source = { source: telos.store, verify, ledger: LEDGER }
  return (await proveWithdrawal(source, id, await evm.destination()))!.proof
}

const withdrawAll = () => {
  const one = { symbol: 'USDC' as const, amount: 2_000_000n, domain: 1, recipient: RECIPIENT }
  telos.withdrawAll(Array.from({ length: 5 }, () => one))
  return telos.withdraw('USDC', 5_000_000n, 1, RECIPIENT, 1_000n, 'memo')
}

/** Another value of the same type. */
function other(value: Field): Field {
  if (typeof value === 'number') return differing(value, () => random.integer(0, 2 ** 32 - 1))
  if (typeof value !== 'string') return otherList(value)
  if (value.startsWith('0x')) return differing(value.toLowerCase(), () => otherBytes(value.toLowerCase()))
  const bits = random.pick([8, 32, 64])
  return differing(value, () => String(BigInt(`0x${random.hex(bits / 8)}`)))
}

function differing<T extends Field>(value: T, make: () => T): T {
  for (;;) {
    const made = make()
    if (made !== value) return made
  }
}

/** Changes some digits. Bytes of variable length may also become longer or shorter. */
function otherBytes(value: string): string {
  const digits = value.slice(2)
  const isFixed = digits.length === 40 || digits.length === 64
  if (digits === '' || (!isFixed && random.chance(0.2))) return `${value}${random.hex(random.integer(1, 32))}`
  if (!isFixed && random.chance(0.2)) return value.slice(0, 2 * random.integer(1, digits.length / 2))
  const changed = [...digits]
  for (let i = random.integer(1, 4); i > 0; i--) {
    const at = random.integer(0, changed.length - 1)
    changed[at] = random.integer(0, 15).toString(16)
  }
  return `0x${changed.join('')}`
}

/** Changes, removes or repeats one element, or swaps two. */
function otherList(list: readonly string[]): readonly string[] {
  const at = random.integer(0, list.length - 1)
  const ways = [
    () => list.with(at, other(list[at]!) as string),
    () => list.toSpliced(at, 1),
    () => list.toSpliced(at, 0, list[at]!),
    () => list.with(at, list[0]!).with(0, list[at]!),
  ]
  for (;;) {
    const made = random.pick(ways)()
    if (made.join() !== list.join()) return made
  }
}

/** Paths of the fields of a struct; a list is one field. */
function fieldsOf(value: object, path: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' && !Array.isArray(member) ? fieldsOf(member, [...path, name]) : [[...path, name]],
  )
}

function changedAt<T extends object>(value: T, [name, ...rest]: readonly string[]): T {
  const member = value[name as keyof T]
  return { ...value, [name!]: rest.length > 0 ? changedAt(member as object, rest) : other(member as Field) }
}

/** @returns number of changes tried */
async function tamper<T extends object>(
  t: Test,
  proof: T,
  refusals: (changed: T, path: readonly string[]) => Promise<(string | null)[]>,
): Promise<number> {
  const fields = fieldsOf(proof)
  const ways = IS_LONG ? WAYS : Math.ceil(WAYS / fields.length)
  let tried = 0
  for (const path of fields)
    for (let i = 0; i < ways; i++, tried++) {
      const changed = changedAt(proof, path)
      const told = await refusals(changed, path)
      if (told.includes(null)) t.fail(`${path.join('.')} is taken as ${JSON.stringify(changed).slice(0, 3000)}`)
    }
  return tried
}

/** An exception counts as a problem too: a changed text may be unreadable. */
function problem(check: () => string | null): string | null {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

const expectedOf = ({ finalityMroot }: ReleaseArguments) => ({
  ledger: LEDGER,
  vault: addressBytes(evm.vault.target as string),
  root: addressBytes(finalityMroot),
})

async function tamperHard(t: Test, hard: HardProof, active: FinalizerPolicy): Promise<void> {
  const { submitRoot, release } = hard
  const expected = expectedOf(release)
  t.same([releaseProblem(release, expected), rootProblem(submitRoot, active)], [null, null])
  t.equal(await evm.refusal(hard), null)
  const tried = await tamper(t, { submitRoot, release }, async (changed, [part]) => [
    await evm.refusal({ ...hard, ...changed }),
    problem(() =>
      part === 'release' ? releaseProblem(changed.release, expected) : rootProblem(changed.submitRoot, active),
    ),
  ])
  t.ok(tried >= WAYS, `${tried} ways`)
}

t.test('hard', async (t) => {
  const id = withdrawAll()
  telos.idle(2)
  const { hard } = await prove(id)
  await tamperHard(t, hard, genesis)
  await evm.submit(hard)
})

t.test('light', async (t) => {
  const id = withdrawAll()
  telos.idle(2)
  const { hard } = await prove(id)
  await evm.anvil.send(evm.lightClient, 'submitRoot', ...Object.values(hard.submitRoot))
  const { light } = await prove(id)
  const { release } = light!
  const expected = expectedOf(release)
  const refusal = (one: ReleaseArguments) => evm.anvil.refusal(evm.withdrawals, 'release', one)
  t.same([await refusal(release), releaseProblem(release, expected)], [null, null])
  const tried = await tamper(t, release, async (changed) => [
    await refusal(changed),
    problem(() => releaseProblem(changed, expected)),
  ])
  t.ok(tried >= WAYS, `${tried} ways`)
})

t.test('joint', async (t) => {
  telos.produce({ finalizers: [1, 2, 3, 4, 5, 6] })
  const id = withdrawAll()
  telos.idle(2)
  const { hard } = await prove(id)
  const { activeGeneration, lastPendingGeneration } = hard.submitRoot.finality
  t.same([activeGeneration, lastPendingGeneration], [1, 2])
  await tamperHard(t, hard, genesis)
})
