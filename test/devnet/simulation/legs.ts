// Status history of each leg and journey, computed from the logs of both chains by the rules of the bridge's documents.
// An independent implementation: it shares no code with the indexer or the devnet.
import type { Entry, RecordedSimulation } from './record.ts'

export interface Step {
  status: string
  /** Unix milliseconds. */
  time: number
}

export interface Legs {
  deposits: Map<string, Step[]>
  withdrawals: Map<string, Step[]>
  hops: Map<string, Step[]>
}

const WAX = 1181148696416462999n
const depositKey = (domain: bigint, nonce: bigint) => `d:${domain}:${nonce}`

export function readLegs(simulation: RecordedSimulation): Legs {
  const legs: Legs = { deposits: new Map(), withdrawals: new Map(), hops: new Map() }
  const on = (account: string, name: string) => simulation.entries('telos', account, name)
  const put = (of: Map<string, Step[]>, key: string, status: string, time: number) => {
    if (time === Number.POSITIVE_INFINITY) return
    of.set(key, [...(of.get(key) ?? []), { status, time }])
  }
  const final = ({ chain, block }: Entry) => simulation.finalTime(chain, block)

  for (const entry of simulation.entries('wax', 'bridge.svc', 'deplog')) {
    const key = depositKey(WAX, entry.data.nonce)
    put(legs.deposits, key, 'seen', entry.time)
    put(legs.deposits, key, 'provable', final(entry))
  }
  const arrivals = { credlog: 'credited', parklog: 'parked', fwdlog: 'forwarded', bouncelog: 'bounced' }
  for (const [name, status] of Object.entries(arrivals)) {
    for (const { data, time } of on('bridge.svc', name))
      put(legs.deposits, depositKey(data.domain, data.nonce), status, time)
  }

  for (const entry of on('bridge.svc', 'wdlog')) {
    put(legs.withdrawals, `w:${entry.data.id}`, 'burned', entry.time)
    put(legs.withdrawals, `w:${entry.data.id}`, 'provable', final(entry))
  }
  const released = new Map<string, number>()
  const settled = on('bridge.svc', 'settlelog').filter(({ data }) => data.released)
  for (const { data, time } of [...simulation.entries('wax', 'bridge.svc', 'paylog'), ...settled]) {
    const key = `w:${data.id}`
    released.set(key, Math.min(time, released.get(key) ?? Number.POSITIVE_INFINITY))
  }
  for (const [key, time] of released) put(legs.withdrawals, key, 'released', time)
  for (const { data, time } of on('bridge.svc', 'settlelog'))
    if (!data.released) put(legs.withdrawals, `w:${data.id}`, 'expired', time)
  for (const { data, time } of on('bridge.svc', 'refundlog')) put(legs.withdrawals, `w:${data.id}`, 'refunded', time)

  readHops(simulation, legs, put)
  for (const of of [legs.deposits, legs.withdrawals, legs.hops])
    for (const steps of of.values()) steps.sort((a, b) => a.time - b.time)
  return legs
}

function readHops(
  simulation: RecordedSimulation,
  { deposits, withdrawals, hops }: Legs,
  put: (of: Map<string, Step[]>, key: string, status: string, time: number) => void,
): void {
  const on = (account: string, name: string) => simulation.entries('telos', account, name)
  const timeOf = (of: Map<string, Step[]>, key: string, status: string) =>
    of.get(key)?.find((step) => step.status === status)?.time ?? Number.POSITIVE_INFINITY
  for (const { data } of on('bridge.svc', 'parklog')) {
    if (data.receiver !== 'hop.svc') continue
    const key = depositKey(data.domain, data.nonce)
    put(hops, key, 'arriving', deposits.get(key)![0]!.time)
    const passed = on('hop.svc', 'hoplog').find(
      (e) => e.data.src_domain === data.domain && e.data.src_nonce === data.nonce,
    )
    const bounced = on('bridge.svc', 'bouncelog').find(
      (e) => e.data.domain === data.domain && e.data.nonce === data.nonce,
    )
    if (passed) {
      const gone = `w:${passed.data.wd_id}`
      put(hops, key, 'sending', passed.time)
      put(hops, key, 'delivered', timeOf(withdrawals, gone, 'released'))
      put(hops, key, 'bounced', timeOf(withdrawals, gone, 'expired'))
    }
    const back = bounced ?? on('hop.svc', 'returnlog').find((e) => e.data.id === passed?.data.id)
    if (!back) continue
    put(hops, key, 'returning', back.time)
    put(hops, key, 'returned', timeOf(withdrawals, `w:${back.data.wd_id}`, 'released'))
  }
}

/** All statuses reached at any time. */
export function reached(of: Map<string, Step[]>): Set<string> {
  return new Set([...of.values()].flat().map(({ status }) => status))
}

/** Number of legs and journeys by status, at a time. */
export function standing(of: Map<string, Step[]>, time: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const steps of of.values()) {
    const last = steps.findLast((step) => step.time <= time)
    if (last) counts.set(last.status, (counts.get(last.status) ?? 0) + 1)
  }
  return counts
}
