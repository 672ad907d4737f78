// Journeys over two chains: each transfer arrives once, unchanged, and only after it is irreversible on its source
// chain.
import t from 'tap'
import { ETHEREUM_DOMAIN, partyText, TELOS_DOMAIN, WAX_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { BRIDGE, EVM_TOKENS, GATEWAYS, HOP, WRAP } from '../../../devnet/contracts/exchange.ts'
import { telosProfile, waxProfile } from '../../../devnet/contracts/profile.ts'
import { balanceOf, statOf } from '../../../devnet/contracts/token.ts'
import { networks } from '../../../devnet/networks.ts'
import { seedFromEnvironment } from '../../support/random.ts'
import { reached, readLegs, type Step, standing } from './legs.ts'
import { DAY, finalityRootOf, openSimulation, START } from './open-simulation.ts'
import { type Entry, RecordedSimulation } from './record.ts'

interface Quantity {
  amount: bigint
  precision: number
  symbol: string
}

const seed = seedFromEnvironment()
const days = 12
const end = START + days * DAY
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const { simulation, lines, until } = openSimulation((setting) => new RecordedSimulation(setting), {
  seed,
  days,
  interval: 900_000,
})
await until(end)
const legs = readLegs(simulation)

const on = (name: string, account = BRIDGE) => simulation.entries('telos', account, name)
const deposits = simulation.entries('wax', BRIDGE, 'deplog')
const payments = simulation.entries('wax', BRIDGE, 'paylog')
const arrivals = [...on('credlog'), ...on('parklog')]
const burns = on('wdlog')
const ledger = lines.telos.chain.tables(BRIDGE)
const burned = (id: bigint) => ledger.get<{ domain: bigint; quantity: Quantity }>('wdraws', BRIDGE, id)!

/** The only matching entry; null when none or several match. */
function only(entries: readonly Entry[], matches: (data: Entry['data']) => boolean): Entry | null {
  const found = entries.filter(({ data }) => matches(data))
  return found.length === 1 ? found[0]! : null
}

t.test('domains are the first eight bytes of chain ids', async (t) => {
  t.equal(WAX_DOMAIN, BigInt(`0x${networks.wax.chainId.slice(0, 16)}`))
  t.equal(TELOS_DOMAIN, BigInt(`0x${networks.telos.chainId.slice(0, 16)}`))
})

t.test('a deposit on wax is credited on telos once, with the locked amount, after it is irreversible', async (t) => {
  const credits = arrivals.filter(({ data }) => data.domain === WAX_DOMAIN)
  const nonces = deposits.map(({ data }) => data.nonce)
  t.ok(nonces.length > 30, `HEADWATER_SEED=${seed} ${nonces.length} deposits`)
  t.same(
    nonces,
    deposits.map((_, i) => BigInt(i)),
    'nonces count up',
  )
  t.ok(
    credits.every(({ data }) => nonces.includes(data.nonce)),
    'nothing is credited that was not deposited',
  )
  for (const { data, block, time } of deposits) {
    const { nonce, from, beneficiary, canonical, raw, token_contract, token_symbol, memo, bridge } = data
    const credit = only(credits, (log) => log.nonce === nonce)
    if (!credit) {
      t.ok(time > end - 180_000, `d:${nonce} is from the last minutes`)
      continue
    }
    t.same([raw, bridge], [canonical, BRIDGE])
    t.equal(token_contract, token_symbol.code === 'WAX' ? 'eosio.token' : WRAP)
    t.ok(credit.time >= simulation.finalTime('wax', block) + 35_000, 'after finality and the relayer')
    t.same(credit.data.quantity, { amount: canonical, precision: token_symbol.precision, symbol: token_symbol.code })
    if (memo === '') t.match(credit, { name: 'credlog', data: { owner: beneficiary } })
    else {
      t.match(credit, { name: 'parklog', data: { receiver: beneficiary } })
      t.same([text(credit.data.memo), text(credit.data.refund_to)], [memo, from])
    }
  }
})

t.test('a burn on telos is paid on wax once, with the burned amount, after it is irreversible', async (t) => {
  const toWax = burns.filter(({ data }) => data.domain === WAX_DOMAIN)
  t.ok(payments.length > 15, `${payments.length} payments`)
  t.same(
    burns.map(({ data }) => data.id),
    burns.map((_, i) => BigInt(i)),
    'ids count up',
  )
  t.ok(
    payments.every(({ data }) => toWax.some((burn) => burn.data.id === data.id)),
    'nothing is paid that was not burned',
  )
  for (const { data, block, time } of toWax) {
    const { id, amount, recipient, token, deadline } = data
    t.equal(deadline, BigInt(Math.floor(time / 1000) + 7 * 86_400))
    const { quantity } = burned(id)
    t.equal(quantity.amount, amount)
    const payment = only(payments, (log) => log.id === id)
    const settled = only(on('settlelog'), (log) => log.id === id)
    if (!waxProfile.users.includes(text(recipient))) {
      t.equal(payment, null, 'nobody is there to be paid')
      if (settled) t.ok(!settled.data.released && settled.time > Number(deadline) * 1000, 'it expires, not too early')
    } else if (!payment) t.ok(time > end - 240_000, `w:${id} is from the last minutes`)
    else {
      t.same(payment.data, { id, recipient: text(recipient), quantity })
      t.equal(text(token), quantity.symbol === 'WAX' ? 'eosio.token' : WRAP)
      t.ok(payment.time >= simulation.finalTime('telos', block) + 70_000, 'after finality and the relayer')
      if (!settled) continue
      t.ok(settled.data.released)
      t.ok(
        settled.time >= simulation.finalTime('wax', payment.block) + 20_000,
        'settled when the payment is irreversible',
      )
    }
  }
})

t.test('a hop names both of its legs and its return', async (t) => {
  const hops = on('hoplog', HOP)
  t.ok(hops.length > 20, `${hops.length} hops`)
  for (const { data, trx } of hops) {
    const { src_domain, src_nonce, dst_domain, recipient, back_domain, back, quantity, wd_id, id } = data
    const source = (log: Entry['data']) => log.domain === src_domain && log.nonce === src_nonce
    const parked = only(on('parklog'), source)!
    t.equal(text(parked.data.memo), `${dst_domain}:${recipient}|${back_domain}:${back}`)
    t.same(parked.data.quantity, quantity)
    t.equal(only(on('fwdlog'), source)!.trx, trx, 'delivered in the same transaction')
    const gone = only(burns, (log) => log.id === wd_id)!
    t.equal(gone.trx, trx)
    t.match(gone.data, { domain: dst_domain, amount: quantity.amount, fee: 0n })
    t.equal(partyText(dst_domain, gone.data.recipient), recipient)
    const returned = only(on('returnlog', HOP), (log) => log.id === id)
    if (!returned) continue
    const refund = only(on('refundlog'), (log) => log.id === wd_id)!
    t.same([refund.data.owner, refund.data.quantity], [HOP, quantity])
    const way = only(burns, (log) => log.id === returned.data.wd_id)!
    t.ok(way.trx === returned.trx && refund.time <= way.time)
    t.match(way.data, { domain: back_domain, amount: quantity.amount })
    t.equal(partyText(back_domain, way.data.recipient), back)
  }
})

t.test('bounced deposits return to their sender, at least an hour after they arrived', async (t) => {
  const bounces = on('bouncelog')
  t.ok(bounces.length >= 4, `${bounces.length} bounces`)
  for (const { data, trx, time } of bounces) {
    const parked = only(on('parklog'), (log) => log.domain === data.domain && log.nonce === data.nonce)!
    t.ok(time >= parked.time + 3_600_000)
    t.same(data.refund_to, parked.data.refund_to)
    const way = only(burns, (log) => log.id === data.wd_id)!
    t.equal(way.trx, trx)
    t.match(way.data, { domain: data.domain, amount: parked.data.quantity.amount, recipient: data.refund_to })
  }
})

const DEPOSITS = ['bounced', 'credited', 'forwarded', 'parked', 'provable', 'seen']
const WITHDRAWALS = ['burned', 'expired', 'provable', 'refunded', 'released']
const HOPS = ['arriving', 'bounced', 'delivered', 'returned', 'returning', 'sending']

t.test('every status is reached, in the documented order', async (t) => {
  t.same([...reached(legs.deposits)].sort(), DEPOSITS)
  t.same([...reached(legs.withdrawals)].sort(), WITHDRAWALS)
  t.same([...reached(legs.hops)].sort(), HOPS)
  const follow = (of: Map<string, Step[]>, ways: string[]) => {
    const paths = new Set([...of.values()].map((steps) => steps.map(({ status }) => status).join(' ')))
    for (const path of paths)
      t.ok(
        ways.some((way) => `${way} `.startsWith(`${path} `)),
        path,
      )
  }
  const ends = ['credited', 'parked forwarded', 'parked bounced']
  follow(legs.deposits, [...ends, ...ends.map((way) => `seen provable ${way}`)])
  follow(legs.withdrawals, ['burned provable released', 'burned provable expired refunded'])
  const back = 'returning returned'
  follow(legs.hops, ['arriving sending delivered', `arriving sending bounced ${back}`, `arriving ${back}`])
})

t.test('when history ends, there are journeys at every status that lasts', async (t) => {
  const missing = (of: Map<string, Step[]>, statuses: string[], passing: string[]) => {
    const found = standing(of, end)
    return statuses.filter((status) => !passing.includes(status) && !found.has(status))
  }
  t.same(missing(legs.deposits, DEPOSITS, ['seen', 'provable']), [])
  t.same(missing(legs.withdrawals, WITHDRAWALS, ['burned']), [])
  t.same(missing(legs.hops, HOPS, []), [])
})

t.test('no token is created or lost between the chains', async (t) => {
  const sum = (entries: readonly Entry[], code: string) =>
    entries.reduce((total, { data: { quantity } }) => total + (quantity.symbol === code ? quantity.amount : 0n), 0n)
  const rowSum = (quantities: readonly Quantity[], code: string) =>
    quantities.reduce((total, { symbol, amount }) => total + (symbol === code ? amount : 0n), 0n)
  const issued = (chain: 'wax' | 'telos') =>
    simulation.entries(chain, WRAP, 'issue').filter(({ data }) => data.memo === 'genesis')
  const owed = telosProfile.users.flatMap((owner) =>
    ledger.rows<{ balance: Quantity }>('claims', owner).map(({ balance }) => balance),
  )
  const parked = ledger.rows<{ quantity: Quantity }>('parked', BRIDGE).map(({ quantity }) => quantity)
  const gone = burns.map(({ data }) => burned(data.id).quantity)
  const released = on('settlelog')
    .filter(({ data }) => data.released && burned(data.id).domain === ETHEREUM_DOMAIN)
    .map(({ data }) => burned(data.id).quantity)
  for (const { code } of telosProfile.tokens.filter(({ contract }) => contract === WRAP)) {
    const held = statOf(lines.telos.chain.tables(WRAP), code)!.supply.amount + rowSum([...owed, ...parked], code)
    const came = sum(issued('telos'), code) + sum(arrivals, code) + sum(on('refundlog'), code)
    t.equal(held, came - rowSum(gone, code), `${code} on telos`)
    const locked = deposits.reduce((all, { data }) => all + (data.token_symbol.code === code ? data.canonical : 0n), 0n)
    const wax = lines.wax.chain
    const left = locked - sum(payments, code)
    if (code === 'WAX') t.equal(balanceOf(wax.tables('eosio.token'), BRIDGE, code), left, 'WAX in the bridge on wax')
    else t.equal(statOf(wax.tables(WRAP), code)!.supply.amount, sum(issued('wax'), code) - left, `${code} on wax`)
    if (!EVM_TOKENS[code]) continue
    const { taken, given } = simulation.inner.externalEvents!.vault(code)
    const credited = sum(
      arrivals.filter(({ data }) => data.domain === ETHEREUM_DOMAIN),
      code,
    )
    t.ok(taken >= credited && given >= rowSum(released, code) && taken > given, `${code} in the vault`)
  }
})

t.test('credits have proofs with real roots of wax', async (t) => {
  const roots = on('submitroot', GATEWAYS.wax)
  t.ok(roots.length >= 8, `${roots.length} roots`)
  for (const { data } of roots.slice(-8)) {
    const { finalityMroot, qcClaimBlockNum } = data.root.finality
    t.equal(finalityRootOf(lines.wax.chain, qcClaimBlockNum), finalityMroot, `up to block ${qcClaimBlockNum}`)
  }
  const learned = on('learn', GATEWAYS.wax).map(({ data }) => data.handoff.lastPendingGeneration)
  t.ok(learned.length > 2, `${learned.length} changes of the finalizers`)
  t.same(
    learned,
    learned.map((_, i) => i + 2),
    'each once, in order',
  )
  const credits = on('credit', GATEWAYS.wax)
  t.same(
    credits.map(({ data }) => data.nonce).sort(),
    arrivals.flatMap(({ data }) => (data.domain === WAX_DOMAIN ? [data.nonce] : [])).sort(),
  )
})

t.test('only the expected transactions are refused', async (t) => {
  const errors = new Set(simulation.refused.map(({ error, calls }) => `${calls}: ${error}`))
  for (const error of [`${BRIDGE}::forward: no such order`, `${BRIDGE}::pay: to account does not exist`])
    t.ok(errors.has(error), error)
  const relayed = simulation.refused.filter(({ calls }) => /credit|settle|submitroot|recover|refund|bounce/.test(calls))
  t.same(relayed, [], 'nothing that the relayer brings or anyone asks for at its time')
})
