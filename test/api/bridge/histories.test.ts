// Random histories with forks on both chains. The model is a list of blocks for each chain; a block has its facts and
// the statuses after it. A fork cuts off blocks; then the statuses must follow from the remaining facts alone. Checks
// the API and the SQL views at every step.
//
// HEADWATER_SEED repeats a run.
import t, { type Test } from 'tap'
import type { HopStatus } from '../../../api/bridge/journey-state.ts'
import type { LegStatus } from '../../../api/bridge/leg-state.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import {
  ADDRESS,
  arrival,
  BASE,
  bridgeApi,
  burn,
  HEAD,
  hoplog,
  LIB,
  NOW,
  openScene,
  outcome,
  raw,
  type Scene,
  TO_WAX,
  vaultDeposit,
  WAX,
  withdrawalEvent,
} from './scene.ts'
import { TRANSITIONS } from './transitions.ts'

const STEPS = process.env.HEADWATER_TEST_LONG ? 2000 : 150
const LEGS = 4

type ChainName = 'telos' | 'mainnet' | 'wax'
type Fact = [table: string, row: Record<string, unknown>]

/** Facts about a journey, in the documented order. The model does not use database tables. */
interface Life {
  deposited: boolean
  depositFinal: boolean
  parked: boolean
  passedOn: boolean
  /** Facts about the second leg: final, paid on wax, reported as expired, refunded. */
  burnFinal: boolean
  paid: boolean
  expired: boolean
  refunded: boolean
  sentBack: boolean
  backFinal: boolean
  backReleased: boolean
}

const UNBORN: Life = {
  ...{
    deposited: false,
    depositFinal: false,
    parked: false,
    passedOn: false,
    burnFinal: false,
    paid: false,
    expired: false,
  },
  ...{ refunded: false, sentBack: false, backFinal: false, backReleased: false },
}

/** The documented status for these facts. */
function expected(life: Life): { hop: HopStatus; legs: Record<'d' | 'w' | 'b', LegStatus | null> } | null {
  const { deposited, parked, passedOn, paid, expired, refunded, sentBack, backReleased } = life
  if (!deposited && !parked) return null
  const hop: HopStatus = sentBack
    ? backReleased
      ? 'returned'
      : 'returning'
    : paid
      ? 'delivered'
      : expired
        ? 'bounced'
        : passedOn
          ? 'sending'
          : 'arriving'
  const first: LegStatus = passedOn ? 'forwarded' : parked ? 'parked' : life.depositFinal ? 'provable' : 'seen'
  const second: LegStatus | null = !passedOn
    ? null
    : paid
      ? 'released'
      : refunded
        ? 'refunded'
        : expired
          ? 'expired'
          : life.burnFinal
            ? 'provable'
            : 'burned'
  const back: LegStatus | null = !sentBack ? null : backReleased ? 'released' : life.backFinal ? 'provable' : 'burned'
  return { hop, legs: { d: first, w: second, b: back } }
}

interface Block {
  num: number
  /** New facts of the block, by journey. */
  marks: { journey: number; mark: keyof Life }[]
}

/** Blocks of each chain. A fork can cut them down to the last irreversible one. */
class Model {
  readonly chains: Record<ChainName, { blocks: Block[]; lib: number; num: number }> = {
    telos: { blocks: [], lib: LIB, num: HEAD },
    mainnet: { blocks: [], lib: LIB, num: HEAD },
    wax: { blocks: [], lib: LIB, num: HEAD },
  }

  lives(): Life[] {
    const lives = Array.from({ length: LEGS }, () => ({ ...UNBORN }))
    for (const { blocks, lib } of Object.values(this.chains))
      for (const { num, marks } of blocks)
        for (const { journey, mark } of marks) {
          const life = lives[journey] as Life
          life[mark] = true
          if (num > lib) continue
          if (mark === 'deposited') life.depositFinal = true
          if (mark === 'passedOn') life.burnFinal = true
          if (mark === 'sentBack') life.backFinal = true
        }
    return lives
  }
}

/** Possible next facts of a journey, each with its chain. */
function possible(life: Life): [ChainName, keyof Life][] {
  const next: [ChainName, keyof Life, boolean][] = [
    ['mainnet', 'deposited', !life.deposited && !life.parked],
    ['telos', 'parked', life.deposited && life.depositFinal && !life.parked],
    ['telos', 'passedOn', life.parked && !life.passedOn],
    ['wax', 'paid', life.passedOn && life.burnFinal && !life.paid && !life.expired],
    ['telos', 'expired', life.passedOn && life.burnFinal && !life.paid && !life.expired],
    ['telos', 'refunded', life.expired && !life.refunded],
    ['telos', 'sentBack', life.refunded && !life.sentBack],
    ['mainnet', 'backReleased', life.sentBack && life.backFinal && !life.backReleased],
  ]
  return next.filter(([, , may]) => may).map(([chain, mark]) => [chain, mark])
}

function factsOf(journey: number, mark: keyof Life): Fact[] {
  const [onward, back] = [100 + journey, 200 + journey]
  const sender = 'hop.svc'
  const facts: Partial<Record<keyof Life, Fact[]>> = {
    deposited: [vaultDeposit(journey, { telos_to: 'hop.svc', memo: TO_WAX })],
    parked: [arrival('parked', '1', journey, { account: 'hop.svc', memo: TO_WAX, refund_to: raw(ADDRESS) })],
    passedOn: [
      arrival('forwarded', '1', journey, { account: 'hop.svc' }),
      burn(onward, WAX, { sender }),
      hoplog(journey, ['1', journey], WAX, onward),
    ],
    paid: [['withdrawal_events', { chain: 'wax', id: onward, type: 'paid', account: 'bob' }]],
    expired: [withdrawalEvent('settled', onward, { released: false })],
    refunded: [
      withdrawalEvent('refunded', onward, { account: 'hop.svc', amount: 5_000_000, symbol: 'USDC', decimals: 6 }),
    ],
    sentBack: [burn(back, '1', { sender }), ['hop_returns', { chain: 'telos', id: journey, withdrawal_id: back }]],
    backReleased: [outcome('released', back)],
  }
  return facts[mark] ?? []
}

async function place(scene: Scene, model: Model, chain: ChainName, random: Random): Promise<void> {
  const { num, lib } = model.chains[chain]
  await scene.run(
    `update meta.position set block_num = $2, lib_num = $3, block_id = $4 where chain = $1`,
    chain,
    num,
    lib,
    random.hex(32),
  )
}

const seed = seedFromEnvironment()

t.test(`${STEPS} steps of seed ${seed}, with forks on all sides`, async (t) => {
  const random = new Random(seed)
  // Here a burn is provable when its block is irreversible. proofs.test.ts tests real proofs.
  const scene = await openScene(t, { followed: false })
  const api = await bridgeApi(t, scene)
  const model = new Model()
  const header = (chain: string, num: number, ago: number) =>
    scene.run(
      `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer) values ($1, $2, $3, $3, $4, 'p')`,
      ...[chain, num, Buffer.from(random.hex(32), 'hex'), new Date(NOW - ago)],
    )
  for (const chain of Object.keys(model.chains))
    for (let num = LIB + 1; num <= HEAD; num++) await header(chain, num, 59_500)
  const names = ['telos', 'mainnet', 'wax'] as const
  let forks = 0
  let taken = 0
  const moves = new Set<string>()
  let before = model.lives()
  for (let step = 0; step < STEPS; step++) {
    const name = random.pick(names)
    const chain = model.chains[name]
    const dice = random.integer(0, 9)
    let cut = false
    if (dice < 6) {
      const lives = model.lives()
      const choices = lives.flatMap((life, journey) =>
        possible(life).map(([where, mark]) => ({ journey, where, mark })),
      )
      const own = choices.filter(({ where }) => where === name)
      chain.num++
      const block: Block = { num: chain.num, marks: [] }
      await header(name, chain.num, 59_000 - step)
      if (own.length > 0) {
        const { journey, mark } = random.pick(own)
        block.marks.push({ journey, mark })
        await scene.add({ ago: 59_000 - step, block: chain.num }, ...factsOf(journey, mark))
      }
      chain.blocks.push(block)
    } else if (dice < 8) {
      // Makes blocks irreversible.
      chain.lib = Math.max(chain.lib, chain.num - random.integer(0, 3))
    } else if (chain.num > chain.lib) {
      const from = random.integer(chain.lib + 1, chain.num)
      const gone = chain.blocks.filter(({ num }) => num >= from)
      taken += gone.reduce((sum, { marks }) => sum + marks.length, 0)
      chain.blocks = chain.blocks.filter(({ num }) => num < from)
      await scene.run('select meta.rewind($1, $2)', name, from)
      chain.num = from - 1
      forks++
      cut = true
    }
    await place(scene, model, name, random)
    const lives = model.lives()
    if (!(await compare(t, scene, api, lives, `seed ${seed} step ${step}`))) break
    if (!cut) for (const [journey, life] of lives.entries()) noteMove(before[journey] as Life, life, moves)
    before = lives
    if (lives.every((life) => expected(life)?.hop === 'returned' || expected(life)?.hop === 'delivered')) break
  }
  t.ok(forks > 5, `${forks} forks took ${taken} facts`)
  for (const move of moves) {
    const [kind, from, to] = move.split(' ') as ['deposit' | 'withdrawal', string, string]
    t.ok(TRANSITIONS[kind][from]?.includes(to), `${kind}: ${from} becomes ${to}`)
  }
})

/** Without a fork, only documented changes of status occur. */
function noteMove(before: Life, after: Life, moves: Set<string>): void {
  const [one, other] = [expected(before), expected(after)]
  if (one === null || other === null) return
  for (const leg of ['d', 'w', 'b'] as const) {
    const [from, to] = [one.legs[leg], other.legs[leg]]
    if (from !== null && to !== null && from !== to)
      moves.add(`${leg === 'd' ? 'deposit' : 'withdrawal'} ${from} ${to}`)
  }
}

async function compare(
  t: Test,
  scene: Scene,
  api: Awaited<ReturnType<typeof bridgeApi>>,
  lives: Life[],
  where: string,
): Promise<boolean> {
  const wanted: Record<string, string> = {}
  const wantedHops: Record<string, string> = {}
  for (const [journey, life] of lives.entries()) {
    const state = expected(life)
    if (state === null) continue
    wantedHops[`d:1:${journey}`] = state.hop
    const keys = { d: `d:1:${journey}`, w: `w:${100 + journey}`, b: `w:${200 + journey}` }
    for (const leg of ['d', 'w', 'b'] as const) if (state.legs[leg] !== null) wanted[keys[leg]] = state.legs[leg]
  }
  const byKey = (list: { key: string; status: string }[]) =>
    Object.fromEntries(list.map(({ key, status }) => [key, status]))
  const { transfers } = (await api.get(`${BASE}/transfers`)).body
  const { hops } = (await api.get(`${BASE}/hops`)).body
  const views = await scene.run(
    `select key, status from head.deposits where status is not null union all select key, status from head.withdrawals`,
  )
  const open = Object.entries(wanted).filter(([, status]) =>
    ['seen', 'provable', 'parked', 'burned', 'expired'].includes(status),
  )
  const listed = (await api.get(`${BASE}/transfers?status=seen,provable,parked,burned,expired`)).body.transfers
  const same =
    isSame(byKey(transfers), wanted) &&
    isSame(byKey(hops), wantedHops) &&
    isSame(byKey(views as { key: string; status: string }[]), wanted) &&
    isSame(byKey(listed), Object.fromEntries(open))
  if (same) return true
  t.same(byKey(transfers), wanted, `${where}: legs`)
  t.same(byKey(hops), wantedHops, `${where}: journeys`)
  t.same(byKey(views as { key: string; status: string }[]), wanted, `${where}: views`)
  t.same(byKey(listed), Object.fromEntries(open), `${where}: open legs`)
  return false
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
